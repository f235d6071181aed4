/** An eighth set: files of settings and what terminals show, pasted whole, with many secrets each. */
export const pastedFiles: readonly string[] = [
  `apiVersion: v1
kind: Config
clusters:
- cluster:
    certificate-authority-data: {b64:64}
    server: https://10.0.0.1:6443
  name: prod
users:
- name: admin
  user:
    client-certificate-data: {b64:64}
    client-key-data: «LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo{b64:200}»
    token: «{url:60}»`,
  `users:
- name: oidc
  user:
    auth-provider:
      config:
        client-id: kube
        client-secret: «{uuid}»
        id-token: «eyJhbGciOiJSUzI1NiJ9.eyJ{url:80}.{url:86}»
        refresh-token: «{url:50}»
      name: oidc`,
  `{
  "auths": {
    "https://index.docker.io/v1/": { "auth": "«{64:annb:{b62:14}}»" },
    "registry.acme.io": { "identitytoken": "«{url:60}»" }
  },
  "credsStore": "desktop"
}`,
  `machine github.com
  login ann
  password «{b62:20}»
machine api.heroku.com login a@b.io password «{uuid}»
default login anonymous password «{any:11}»`,
  `db1.acme.io:5432:*:ann:«{any:13}»
*:6432:app:app_ro:«{b62:18}»`,
  `[client]
user = root
password = «{any:11}»

[mysqldump]
user = backup
password="«{safe:14}»"`,
  `registry=https://npm.acme.io/
//npm.acme.io/:_authToken=«{uuid}»
//npm.acme.io/:always-auth=true
email=ann@acme.io`,
  `//npm.acme.io/:username=ann
//npm.acme.io/:_password=«{64:{b62:14}}»`,
  `[distutils]
index-servers = pypi internal

[pypi]
username = __token__
password = «pypi-AgEIcHlwaS5vcmc{url:120}»

[internal]
repository = https://pypi.acme.io
username = ann
password = «{any:12}»`,
  `<settings>
  <servers>
    <server>
      <id>nexus</id>
      <username>deploy</username>
      <password>«{any:14}»</password>
    </server>
    <server>
      <id>github</id>
      <configuration><httpHeaders><property><name>Authorization</name><value>Bearer «{b62:32}»</value></property></httpHeaders></configuration>
    </server>
    <server><id>ssh</id><privateKey>/home/a/.ssh/id</privateKey><passphrase>«{b62:12}»</passphrase></server>
  </servers>
</settings>`,
  `org.gradle.jvmargs=-Xmx2g
signing.keyId=24875D73
signing.password=«{any:12}»
mavenCentralUsername=ann
mavenCentralPassword=«{b62:44}»
RELEASE_STORE_PASSWORD=«{b62:12}»
RELEASE_KEY_PASSWORD=«{b62:12}»`,
  `db_username = "app"
db_password = "«{any:14}»"
tags = { env = "prod" }
api_keys = ["«{b62:32}»", "«{b62:32}»"]
datadog = {
  api_key = "«{hex:32}»"
  app_key = "«{hex:40}»"
}`,
  `{
  "version": 4,
  "resources": [{
    "type": "aws_db_instance",
    "instances": [{"attributes": {"endpoint": "db.x.rds.amazonaws.com", "password": "«{any:14}»", "username": "app"}}]
  }, {
    "type": "random_password",
    "instances": [{"attributes": {"result": "«{any:20}»", "length": 20}}]
  }],
  "outputs": {"admin_token": {"value": "«{b62:40}»", "type": "string", "sensitive": true}}
}`,
  `[web]
web1 ansible_host=10.0.0.4 ansible_user=root ansible_ssh_pass=«{any:11}»
web2 ansible_host=10.0.0.5 ansible_become_pass='«{any:11}»'

[web:vars]
vault_api_token=«{b62:30}»`,
  `postgresql:
  auth:
    username: app
    password: «{b62:16}»
    postgresPassword: "«{any:14}»"
    replicationPassword: «{b62:12}»
redis:
  auth: {enabled: true, password: «{b62:20}»}
ingress:
  host: app.acme.io
grafana:
  adminPassword: «{any:12}»`,
  `name: deploy
on: push
jobs:
  deploy:
    runs-on: ubuntu-latest
    env:
      AWS_ACCESS_KEY_ID: «AKIA{b32:16}»
      AWS_SECRET_ACCESS_KEY: «{b64:40}»
      AWS_REGION: eu-west-1
    steps:
      - run: curl -H "Authorization: token «ghp_{b62:36}»" https://api.github.com
      - uses: acme/deploy@v2
        with:
          token: «{b62:40}»
          api-key: «{hex:32}»`,
  `[Unit]
Description=App
[Service]
Environment=DB_PASS=«{any:12}» NODE_ENV=production
Environment="SESSION_SECRET=«{b62:32}»" "PORT=80"
ExecStart=/usr/bin/app --token «{b62:32}»`,
  `Windows Registry Editor Version 5.00

[HKEY_LOCAL_MACHINE\\SOFTWARE\\ORL\\WinVNC3]
"Password"="«{b62:10}»"

[HKEY_CURRENT_USER\\Software\\SimonTatham\\PuTTY\\Sessions\\x]
"ProxyUsername"="ann"
"ProxyPassword"="«{any:12}»"
[HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Winlogon]
"DefaultPassword"="«{any:10}»"`,
  `PS C:\\> $sec = ConvertTo-SecureString '«{any:12}»' -AsPlainText -Force
PS C:\\> $cred = New-Object System.Management.Automation.PSCredential ("CORP\\ann", $sec)
PS C:\\> $env:AZURE_CLIENT_SECRET = '«{b62:3}8Q~{b62:34}»'
PS C:\\> Connect-AzAccount -Credential $cred`,
  `$credential = [PSCredential]::new('admin', (ConvertTo-SecureString -AsPlainText -Force -String "«{any:13}»"))`,
  `"ConnectionStrings": {
    "Default": "Server=tcp:x.database.windows.net,1433;Initial Catalog=app;User ID=app;Password=«{any:16}»;Encrypt=True;",
    "Storage": "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=«{b64:86}==»;EndpointSuffix=core.windows.net",
    "ServiceBus": "Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=RootManage;SharedAccessKey=«{b64:43}=»",
    "Redis": "acme.redis.cache.windows.net:6380,password=«{b64:43}=»,ssl=True,abortConnect=False",
    "Cosmos": "AccountEndpoint=https://acme.documents.azure.com:443/;AccountKey=«{b64:86}==»;"
}`,
  `DATABASE_URL=postgresql://app:«{b62:14}»@db:5432/app?sslmode=require
REDIS_URL=rediss://default:«{b62:32}»@cache.upstash.io:6379
MONGODB_URI="mongodb+srv://app:«{b62:16}»@cluster0.x1y2z.mongodb.net/app"
CELERY_BROKER_URL=amqp://guest2:«{b62:10}»@rabbit:5672//
CLOUDINARY_URL=cloudinary://{dig:15}:«{url:27}»@acme
EMAIL_URL=smtp+tls://ann@acme.io:«{b62:12}»@smtp.acme.io:587
SENTRY_DSN=https://«{hex:32}»@o12345.ingest.sentry.io/67890
ELASTIC=https://elastic:«{b62:20}»@es.acme.io:9243
CLICKHOUSE=clickhouse://default:«{b62:12}»@ch:9000/db`,
  `jdbc:oracle:thin:app/«{b62:10}»@//db:1521/ORCL
jdbc:sqlserver://db:1433;databaseName=app;user=sa;password=«{any:12}»
jdbc:mysql://db/app?user=root&password=«{b62:14}»
jdbc:snowflake://x.snowflakecomputing.com/?user=ann&password=«{b62:14}»&db=A`,
  `SLACK_WEBHOOK=«https://hooks.slack.com/services/T{UP:8}/B{UP:10}/{b62:24}»
DISCORD=https://discord.com/api/webhooks/{dig:18}/«{url:68}»
TEAMS=«https://acme.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{hex:32}/{uuid}»
POWER=https://prod-12.westeurope.logic.azure.com:443/workflows/{hex:32}/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=«{url:43}»
GCHAT=https://chat.googleapis.com/v1/spaces/AAAA{b62:7}/messages?key=«AIza{url:35}»&token=«{url:43}»
MAKE=«https://hook.eu1.make.com/{low:32}»
IFTTT=«https://maker.ifttt.com/trigger/deploy/with/key/{url:22}»`,
  `wallet backup:
mnemonic: "«abandon ability able about above absent absorb abstract absurd abuse access accident»"
private_key: «0x{hex:64}»`,
  `Write these down: «ocean hidden kidney famous rich season gloom husband spring convince attitude boy tumble relax unique awake glove wild dune orphan valid boring unit scare»`,
  `my seed phrase is «legal winner thank year wave sausage worth useful legal winner thank yellow», please restore the wallet`,
  `otpauth://totp/GitHub:ann?secret=«{b32:16}»&issuer=GitHub
TOTP secret: «{b32:32}»
MFA_SEED=«{b32:26}»`,
  `Scratch codes:
«{dig:8}»
«{dig:8}»
«{dig:8}»`,
  `Recovery codes: «{hex:5}-{hex:5}», «{hex:5}-{hex:5}», «{hex:5}-{hex:5}»`,
  `HTTP/1.1 302 Found
Location: https://app.acme.io/cb?code=«{url:40}»&state={hex:16}
Set-Cookie: SESSION=«{url:44}»; Path=/; HttpOnly
Set-Cookie: XSRF-TOKEN=«{uuid}»; Path=/
Set-Cookie: remember_me=«{b64:60}»; Max-Age=999`,
  `POST /oauth/token HTTP/1.1
Host: auth.acme.io
Authorization: Basic «{64:client9:{b62:24}}»
Content-Type: application/x-www-form-urlencoded

grant_type=authorization_code&code=«{url:43}»&client_secret=«{b62:40}»&redirect_uri=https%3A%2F%2Fa`,
  `{"access_token":"«ya29.a0{url:160}»","expires_in":3599,"refresh_token":"«1//0g{url:60}»","scope":"email","id_token":"«eyJhbGciOiJSUzI1NiJ9.eyJ{url:120}.{url:300}»"}`,
  `<samlp:Response ID="_a"><saml:Assertion><ds:SignatureValue>{b64:80}</ds:SignatureValue></saml:Assertion></samlp:Response>
SAMLResponse=«{b64:300}»&RelayState=x`,
  `https://acme.s3.eu-west-1.amazonaws.com/report.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=«AKIA{b32:16}»%2F20260101%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Date=20260101T000000Z&X-Amz-Expires=3600&X-Amz-Security-Token=«{url:120}»&X-Amz-Signature=«{hex:64}»`,
  `https://storage.googleapis.com/b/o?GoogleAccessId=x@y.iam.gserviceaccount.com&Expires=1700000000&Signature=«{url:120}»
https://storage.googleapis.com/b/o?X-Goog-Signature=«{hex:128}»
https://acme.blob.core.windows.net/c/b.zip?sv=2023-01-03&st=2026&se=2027&sr=b&sp=r&sig=«{url:43}%3D»
https://d111.cloudfront.net/x?Policy={url:80}&Signature=«{url:120}»&Key-Pair-Id=K{UP:13}`,
  `Reset it here: https://app.acme.io/reset?token=«{url:43}»
One-time link: https://onetimesecret.com/secret/«{low:31}»
Magic: https://acme.io/auth/magic-link?t=«{url:36}»
Invite: https://discord.gg/x https://acme.io/invite/«{url:24}»`,
  `{
  "type": "service_account",
  "project_id": "acme",
  "private_key_id": "{hex:40}",
  "private_key": "«-----BEGIN PRIVATE KEY-----\\n{b64:64}\\n{b64:64}\\n{b64:20}=\\n-----END PRIVATE KEY-----\\n»",
  "client_email": "x@acme.iam.gserviceaccount.com"
}`,
  `«-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
{b64:70}
{b64:70}
-----END OPENSSH PRIVATE KEY-----»`,
  `«-----BEGIN PGP PRIVATE KEY BLOCK-----

lQOYBF{b64:58}
{b64:64}
={b64:4}
-----END PGP PRIVATE KEY BLOCK-----»`,
  `[Interface]
PrivateKey = «{b64:43}=»
Address = 10.8.0.2/24
[Peer]
PublicKey = {b64:43}=
PresharedKey = «{b64:43}=»`,
  `# created: 2026-01-01
# public key: age1{low:58}
«AGE-SECRET-KEY-1{UP:58}»`,
  `Authentication: paseto v4.local: «v4.local.{url:160}»
public token «v2.public.{url:140}»`,
  `$ cat ~/.aws/credentials
[default]
aws_access_key_id = «AKIA{b32:16}»
aws_secret_access_key = «{b64:40}»
aws_session_token = «IQoJb3JpZ2luX2VjE{b64:200}»`,
  `{"AccessKey": {"UserName": "ci", "AccessKeyId": "«AKIA{b32:16}»", "Status": "Active", "SecretAccessKey": "«{b64:40}»"}}`,
  `{ "appId": "{uuid}", "displayName": "sp", "password": "«{b62:3}8Q~{b62:34}»", "tenant": "{uuid}" }`,
  `$ az account get-access-token
{
  "accessToken": "«eyJ0eXAiOiJKV1Qi.eyJ{url:120}.{url:300}»",
  "expiresOn": "2026-01-01 10:00:00"
}`,
  `$ kubectl get secret app -o yaml
apiVersion: v1
data:
  DB_PASS: «{64:{b62:14}}»
  tls.key: «LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCg{b64:120}»
kind: Secret
type: Opaque`,
  `$ kubectl create secret docker-registry r --docker-server=ghcr.io --docker-username=ann --docker-password=«{b62:24}»
$ kubectl create secret generic s --from-literal=user=ann --from-literal=pass='«{any:12}»'`,
  `$ docker inspect app | jq '.[0].Config.Env'
[
  "PATH=/usr/local/bin",
  "MYSQL_ROOT_PASSWORD=«{b62:14}»",
  "MYSQL_USER=app",
  "APP_KEY=base64:«{b64:43}=»"
]`,
  `$ env | sort
API_SECRET=«{b62:32}»
HOME=/root
HUBOT_SLACK_TOKEN=«xoxb-{dig:12}-{dig:12}-{b62:24}»
MAIL_PASS=«{any:12}»
PWD=/srv
_=/usr/bin/env`,
  `\u001b[36mAPI_TOKEN\u001b[0m=\u001b[32m«{b62:32}»\u001b[0m
\u001b[1mdb.password\u001b[22m: \u001b[33m«{b62:14}»\u001b[39m
\u001b[90m10:22:01\u001b[0m \u001b[34mINFO\u001b[0m secret=\u001b[35m«{b62:24}»\u001b[0m user=ann`,
  `$ mysql -h db -uroot -p'«{any:11}»' -e 'select 1'
$ PGPASSWORD='«{any:11}»' pg_dump -h db app
$ mongosh "mongodb://admin:«{b62:12}»@m/admin"
$ redis-cli -a «{b62:20}» keys '*'
$ sqlcmd -S db -U sa -P «{any:11}»
$ curl -u "ann:«{any:11}»" https://x.io
$ curl -s https://x.io -H 'apikey: «{b62:32}»' -H 'Cookie: sid=«{b62:32}»'
$ wget --user=ann --password='«{any:11}»' https://x.io/f
$ sshpass -p«{b62:11}» ssh root@h
$ rsync --password-file=<(echo «{b62:11}») a b
$ ldapsearch -D cn=admin -w '«{any:11}»' -b dc=x
$ smbclient //h/s -U 'ann%«{b62:11}»'
$ openssl pkcs12 -in a.p12 -passin pass:«{b62:11}» -nodes
$ gpg --batch --passphrase '«{any:11}»' -d f.gpg
$ zip -P «{b62:11}» a.zip f
$ 7z x a.7z -p«{b62:11}»
$ helm registry login r.io -u ann -p «{b62:16}»
$ docker login -u ann -p «{b62:16}» r.io
$ vault kv put secret/app password=«{b62:16}» api_key=«{b62:32}»
$ aws configure set aws_secret_access_key «{b64:40}»
$ npm config set //r.io/:_authToken «{b62:36}»
$ git remote set-url origin https://ann:«{b62:24}»@git.x.io/r.git
$ htpasswd -nb ann «{b62:11}»
$ keytool -list -keystore k.jks -storepass «{b62:11}»
$ snmpwalk -v2c -c «{b62:11}» 10.0.0.1
$ ansible-vault decrypt --vault-password-file <(echo '«{b62:14}»')
$ terraform apply -var="db_password=«{b62:14}»"
$ heroku config:set SECRET_KEY=«{b62:40}»
$ sudo -S <<< '«{any:11}»' apt update
$ echo '«{any:11}»' | sudo -S ls
$ export GITHUB_TOKEN=«ghp_{b62:36}»
$ az login --service-principal -u {uuid} -p «{b62:3}8Q~{b62:34}» --tenant {uuid}
$ aws sts get-session-token --serial-number arn:aws:iam::123456789012:mfa/ann --token-code «{dig:6}»`,
  `$ aws ssm get-parameter --name /app/db --with-decryption
{
    "Parameter": {
        "Name": "/app/db/password",
        "Type": "SecureString",
        "Value": "«{any:14}»",
        "Version": 3
    }
}`,
  `$ aws secretsmanager get-secret-value --secret-id app
{
    "ARN": "arn:aws:secretsmanager:eu-west-1:123456789012:secret:app-AbCdEf",
    "SecretString": "{\\"username\\":\\"app\\",\\"password\\":\\"«{b62:16}»\\"}"
}`,
  `$ gh auth status --show-token
  ✓ Logged in to github.com account ann
  - Token: «gho_{b62:36}»
$ gh auth token
«gho_{b62:36}»`,
  `$ vault token create
Key                  Value
---                  -----
token                «hvs.{url:24}»
token_accessor       {b62:24}
token_duration       768h`,
  `Unseal Key 1: «{b64:43}=»
Unseal Key 2: «{b64:43}=»
Initial Root Token: «hvs.{b62:24}»`,
  `$ vault kv get secret/app
====== Data ======
Key         Value
---         -----
api_key     «{b62:32}»
password    «{any:12}»
username    app`,
  `$ pulumi config --show-secrets
KEY             VALUE
aws:region      eu-west-1
dbPassword      «{any:14}»
app:apiToken    «{b62:32}»`,
  `$ argocd admin initial-password -n argocd
«{url:16}»

 This password must be only used for first time login.`,
  `*************************************************************
Jenkins initial setup is required. An admin user has been created and a password generated.
Please use the following password to proceed to installation:

«{hex:32}»

This may also be found at: /var/jenkins_home/secrets/initialAdminPassword`,
  `[Note] [Entrypoint]: GENERATED ROOT PASSWORD: «{b62:32}»`,
  `2026-01-01T10:00:00Z 1 [Note] A temporary password is generated for root@localhost: «{any:12}»`,
  `Your new password for user elastic is «{b62:20}»
Enrollment token: «{b64:120}=»`,
  `Generated admin password: «{b62:16}»
User admin created with password '«{b62:12}»'
Default credentials are admin/«{b62:11}»
initial password for "root" set to «{any:12}»`,
  `K10 join: kubeadm join 10.0.0.1:6443 --token «{low:6}.{low:16}» --discovery-token-ca-cert-hash sha256:{hex:64}
docker swarm join --token «SWMTKN-1-{low:50}-{low:25}» 10.0.0.1:2377
K3S_TOKEN=«K10{hex:64}::server:{hex:32}»`,
  `Jupyter: http://localhost:8888/?token=«{hex:48}»
   or http://127.0.0.1:8888/lab?token=«{hex:48}»`,
];
