/** The other half of the eighth set: logs, changes, sources, chats, text within text, unknown vendors. */
export const pastedTalk: readonly string[] = [
  `2026-03-01 12:00:01,331 DEBUG [app.auth] login attempt user=ann password=«{any:11}» ip=10.0.0.9
2026-03-01 12:00:02,100 DEBUG [http] > POST /login {"username":"ann","password":"«{b62:11}»"}
2026-03-01 12:00:02,101 DEBUG [http] > authorization: Bearer «eyJhbGciOiJIUzI1NiJ9.eyJ{url:60}.{url:43}»
2026-03-01 12:00:03,000 ERROR [db] could not connect: FATAL: password authentication failed for user "app" (dsn=postgres://app:«{b62:12}»@db/app)
2026-03-01 12:00:04,000 INFO [mail] smtp login ann@x.io / «{b62:12}»
2026-03-01 12:00:05,000 WARN [cfg] deprecated option api_secret='«{b62:32}»'
2026-03-01 12:00:06,000 TRACE config={host=db, pass=«{b62:11}», port=1}
2026-03-01 12:00:07,000 INFO webhook secret is «{b62:32}»`,
  `Traceback (most recent call last):
  File "/srv/app.py", line 12, in connect
    conn = psycopg2.connect(host="db", user="app", password="«{any:12}»")
psycopg2.OperationalError: connection to server failed
requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://api.acme.io/v1?api_key=«{hex:32}»`,
  `java.sql.SQLException: Access denied
    at x.y.Z(Foo.java:12)
 with properties {user=app, password=«{b62:12}», ssl=true}`,
  `openai.AuthenticationError: Error code: 401 - {'error': {'message': 'Incorrect API key provided: «sk-proj-{b62:40}». You can find your API key at https://platform.openai.com.'}}`,
  `Error: Request failed with status code 401
    config: {
      headers: {
        Accept: 'application/json',
        Authorization: 'Bearer «{b62:40}»',
        'X-Api-Key': '«{b62:32}»'
      },
      auth: { username: 'ann', password: '«{any:11}»' },
      url: 'https://x.io'
    }`,
  `panic: bad config: {Host:db User:app Password:«{b62:12}» Token:«{b62:32}» Debug:true}`,
  `thread 'main' panicked at src/main.rs:3: Config { host: "db", password: "«{any:12}»", api_key: Some("«{b62:32}»") }`,
  `diff --git a/.env b/.env
--- a/.env
+++ b/.env
@@ -1,3 +1,3 @@
 NODE_ENV=production
-JWT_SECRET=«{b62:32}»
+JWT_SECRET=«{hex:64}»
 STRIPE_KEY=«sk_live_{b62:24}»`,
  `diff --git a/config.py b/config.py
-    PASSWORD = "«{any:12}»"
+    PASSWORD = os.environ["PASSWORD"]
-API = Api("«{b62:40}»")
     REDIS = "redis://:«{b62:16}»@r:6379"`,
  `<<<<<<< HEAD
  secret: '«{b62:24}»',
=======
  secret: '«{b62:28}»',
>>>>>>> main`,
  `const client = new Twilio('AC{hex:32}', '«{hex:32}»');
const s3 = new AWS.S3({ accessKeyId: '«AKIA{b32:16}»', secretAccessKey: '«{b64:40}»' });
firebase.initializeApp({ apiKey: "«AIza{url:35}»", authDomain: "x.firebaseapp.com" });
const stripe = require('stripe')('«sk_test_{b62:24}»');
const pusher = new Pusher({ appId: '123456', key: '{hex:20}', secret: '«{hex:20}»', cluster: 'eu' });
const token = jwt.sign({ id }, '«{b62:20}»', { expiresIn: '1h' });
const h = crypto.createHmac('sha256', '«{b62:24}»').update(body);
app.use(session({ secret: '«{any:16}»', resave: false }));
const c = new pg.Client({ user: 'app', password: '«{any:12}»', host: 'db' });
mongoose.connect('mongodb://app:«{b62:12}»@m:27017/app');
const transporter = nodemailer.createTransport({ auth: { user: 'a@x.io', pass: '«{low:16}»' } });
await page.type('#password', '«{any:11}»');
fetch(url, { headers: { 'api-key': '«{hex:32}»' } });
axios.defaults.headers.common['Authorization'] = 'Bearer ' + '«{b62:40}»';
const ENCRYPTION_KEY = Buffer.from('«{hex:64}»', 'hex');
algoliasearch('{UP:10}', '«{hex:32}»');`,
  `import boto3
s3 = boto3.client("s3", aws_access_key_id="«AKIA{b32:16}»", aws_secret_access_key="«{b64:40}»")
openai.api_key = "«sk-{b62:48}»"
app.secret_key = b'«{hex:32}»'
app.config.update(SECRET_KEY="«{b62:24}»", MAIL_PASSWORD='«{any:12}»')
conn = pymysql.connect(host='h', user='root', passwd='«{any:11}»', db='x')
redis.Redis(host='r', password='«{b62:16}»')
ssh.connect(host, username='root', password='«{any:11}»')
requests.get(u, headers={"Authorization": "Token «{hex:40}»"})
requests.post(u, auth=("ann", "«{any:11}»"))
server.login("a@x.io", "«{abc:4} {abc:4} {abc:4} {abc:4}»")
fernet = Fernet(b"«{url:43}=»")
consumer_secret = '«{b62:50}»'
engine = create_engine("mysql+pymysql://root:«{b62:12}»@h/db")
bot = telebot.TeleBot("«{dig:10}:AA{url:33}»")
client.run('«MT{b62:24}.{b62:6}.{url:38}»')
SECRET_KEY = 'django-insecure-«{any:50}»'
r = praw.Reddit(client_id="{url:14}", client_secret="«{url:27}»", password="«{any:11}»")
getpass_default = "«{any:11}»"`,
  `db, err := sql.Open("mysql", "root:«{b62:12}»@tcp(db:3306)/app")
os.Setenv("API_SECRET", "«{b62:32}»")
cfg := Config{Password: "«{any:12}»", Token: "«{b62:32}»"}
var hmacSecret = []byte("«{b62:24}»")
req.Header.Set("X-Auth-Token", "«{b62:32}»")
req.SetBasicAuth("ann", "«{any:11}»")
rdb := redis.NewClient(&redis.Options{Addr: "r:6379", Password: "«{b62:16}»"})`,
  `String url = "jdbc:mysql://h/db?user=root&password=«{b62:12}»";
DriverManager.getConnection(url, "root", "«{any:11}»");
new UsernamePasswordCredentials("ann", "«{any:11}»");
.withCredentials(new AWSStaticCredentialsProvider(new BasicAWSCredentials("«AKIA{b32:16}»", "«{b64:40}»")))
private final String apiKey = "«{b62:32}»";
spring.datasource.password=«{any:12}»
jwt.secret=«{b62:40}»
keyStore.load(in, "«{b62:11}»".toCharArray());
char[] password = "«{b62:11}»".toCharArray();
Jwts.builder().signWith(SignatureAlgorithm.HS512, "«{b62:32}»")`,
  `services.AddSingleton(new BlobServiceClient(new Uri("https://x"), new StorageSharedKeyCredential("acme", "«{b64:86}==»")));
var creds = new NetworkCredential("ann", "«{any:11}»");
options.ClientSecret = "«{b62:40}»";
client.DefaultRequestHeaders.Add("Ocp-Apim-Subscription-Key", "«{hex:32}»");
var key = Encoding.UTF8.GetBytes("«{b62:32}»");
"Jwt": { "Key": "«{b62:32}»", "Issuer": "x" }`,
  `$db = new mysqli("h", "root", "«{any:11}»", "app");
define('DB_PASSWORD', '«{any:12}»');
define('AUTH_KEY', '«{any:50}»');
define('NONCE_SALT', '«{any:50}»');
$mail->Password = '«{any:11}»';
'secret' => env('APP_SECRET', '«{b62:24}»'),
$config['encryption_key'] = '«{hex:32}»';
curl_setopt($ch, CURLOPT_USERPWD, "ann:«{any:11}»");`,
  `config.secret_key_base = '«{hex:128}»'
Stripe.api_key = '«sk_live_{b62:24}»'
http.basic_auth 'ann', '«{any:11}»'
Aws.config.update(credentials: Aws::Credentials.new('«AKIA{b32:16}»', '«{b64:40}»'))
production:
  password: <%= ENV['X'] || '«{any:11}»' %>`,
  `let apiKey = "«{b62:32}»"
KeychainHelper.save("«{b62:20}»", for: "password")
URLQueryItem(name: "appid", value: "«{hex:32}»")
request.setValue("Bearer «{b62:40}»", forHTTPHeaderField: "Authorization")`,
  `buildConfigField "String", "API_KEY", "\\"«{b62:32}»\\""
storePassword "«{b62:11}»"
keyPassword '«{b62:11}»'
<meta-data android:name="com.google.android.geo.API_KEY" android:value="«AIza{url:35}»"/>
<string name="google_maps_key">«AIza{url:35}»</string>`,
  `#define WIFI_SSID "home"
#define WIFI_PASS "«{any:11}»"
const char* mqtt_pass = "«{b62:11}»";
WiFi.begin("home", "«{any:11}»");
Blynk.begin("«{url:32}», ssid, pass);`,
  `INSERT INTO users (email, password) VALUES ('a@x.io', '«{any:11}»');
CREATE USER app WITH ENCRYPTED PASSWORD '«{any:11}»';
GRANT ALL ON *.* TO 'app'@'%' IDENTIFIED BY '«{any:11}»';
ALTER LOGIN sa WITH PASSWORD = N'«{any:11}»';
CREATE USER MAPPING FOR x SERVER s OPTIONS (user 'a', password '«{b62:11}»');
SELECT dblink_connect('host=h user=a password=«{b62:11}»');
SELECT pgp_sym_encrypt(x, '«{b62:20}»');
SET PASSWORD FOR 'root'@'localhost' = PASSWORD('«{any:11}»');
COPY t FROM 's3://b' CREDENTIALS 'aws_access_key_id=«AKIA{b32:16}»;aws_secret_access_key=«{b64:40}»';
EXEC sp_addlogin 'ann', '«{any:11}»';`,
  `hey, the staging db password is «{any:11}» - pls don't commit it`,
  `user: can you log in? username is ann and the password's «{any:11}»`,
  `My API key: «{b62:32}»
Use it to call the weather endpoint.`,
  `You can ssh with root / «{any:11}» on 10.0.0.4`,
  `Login details:
  URL: https://admin.acme.io
  User: ann@acme.io
  Pass: «{any:11}»`,
  `creds are ann:«{any:11}»`,
  `admin panel → admin@acme.io / «{any:12}»`,
  `I rotated it, new one is «{b62:32}» (old token «{b62:32}» is revoked)`,
  `the wifi at the office: AcmeGuest, password «{b62:10}»`,
  `pin for the safe is «{dig:6}»`,
  `Your OTP is «{dig:6}». It is valid for 10 minutes.`,
  `G-«{dig:6}» is your Google verification code.`,
  `Use «{dig:6}» as your login code`,
  `the vault passphrase: «correct horse battery staple»`,
  `password hint no, the real password is "«blue whale sings at 4»"`,
  `我的数据库密码是 «{any:11}» ，用户名 root`,
  `账号：admin 密码：«{b62:10}»`,
  `API 密钥：«{b62:32}»`,
  `管理员口令为«{b62:10}»`,
  `令牌 «{b62:40}» 已过期`,
  `パスワードは「«{b62:10}»」です。`,
  `APIキーは «{b62:32}» です`,
  `Das Passwort für den Server lautet «{any:11}».`,
  `Zugangsdaten: Benutzer ann, Passwort «{b62:10}»`,
  `Der API-Schlüssel ist «{b62:32}»`,
  `Le mot de passe du serveur est «{any:11}»`,
  `identifiants : ann / «{any:11}»`,
  `La clé d'API est «{b62:32}»`,
  `La contraseña del servidor es «{any:11}»`,
  `usuario: ann, clave: «{b62:10}»`,
  `A senha do banco é «{any:11}»`,
  `Пароль от сервера: «{any:11}»`,
  `логин ann пароль «{b62:10}»`,
  `비밀번호: «{b62:10}»`,
  `La password del database è «{any:11}»`,
  `hasło do bazy: «{any:11}»`,
  `export TOKEN=\\
«{b62:40}»`,
  `curl https://x.io \\
  -H "Authorization: Bearer \\
«{b62:40}»"`,
  `AWS_SECRET_ACCESS_KEY: >-
  «{b64:40}»`,
  `password: |-
  «{any:12}»
user: ann`,
  `secrets:
  jwt:
    - «{b62:32}»
  passwords:
    - «{any:11}»
    - «{any:11}»`,
  `{"passwords":["«{any:11}»","«{any:11}»"],"tokens":["«{b62:32}»"]}`,
  `{"password": «{dig:8}», "pin": «{dig:4}», "user": 12}`,
  `{"credentials":{"user":"ann","value":"«{any:12}»"}}`,
  `{\\"password\\":\\"«{b62:11}»\\",\\"n\\":1}`,
  `{\\\\\\"api_key\\\\\\":\\\\\\"«{b62:32}»\\\\\\"}`,
  `&lt;password&gt;«{b62:11}»&lt;/password&gt;`,
  `{&quot;token&quot;:&quot;«{b62:32}»&quot;}`,
  `password%3D«{b62:14}»%26user%3Dann`,
  `%22api_key%22%3A%22«{b62:32}»%22`,
  `echo «{64:ann:{b62:14}}» | base64 -d`,
  `Y = "«{64:password={b62:16}}»"`,
  `| Service | User | Password |
|---------|------|----------|
| db | app | «{any:11}» |
| redis | - | «{b62:16}» |`,
  `name,username,password,url
GitHub,ann,«{any:11}»,https://github.com
AWS,ann@x.io,«{b62:14}»,https://aws.amazon.com`,
  `Name: GitHub
Username: ann
Password: «{any:11}»
URL: https://github.com`,
  `<Login><Username>ann</Username><Password>«{any:11}»</Password></Login>`,
  `<wsse:Password Type="x#PasswordText">«{any:11}»</wsse:Password>`,
  `<add name="Db" connectionString="Data Source=s;Initial Catalog=d;User ID=u;Password=«{any:11}»" providerName="System.Data.SqlClient"/>`,
  `<machineKey validationKey="«{HEX:128}»" decryptionKey="«{HEX:64}»" validation="SHA1"/>`,
  `<identity impersonate="true" userName="CORP\\svc" password="«{any:11}»" />`,
  `<Resource name="jdbc/x" username="app" password="«{any:11}»" driverClassName="x"/>`,
  `<user username="tomcat" password="«{any:11}»" roles="manager-gui"/>`,
  `<AutoLogon><Password><Value>«{any:11}»</Value><PlainText>true</PlainText></Password></AutoLogon>`,
  `<sshUserPrivateKey><passphrase>«{b62:11}»</passphrase></sshUserPrivateKey>`,
  `<entry key="jdbc.password">«{any:11}»</entry>`,
  `NORTHWIND_KEY=«nw_live_{b62:32}»`,
  `acme login --key «ak_{b62:28}»`,
  `initialised with «zyx-pat-{b62:40}»`,
  `"orbitKey": "«orb_{hex:48}»"`,
  `Found credential «bzk_prod_{b62:36}» in build log`,
  `X-Kestrel-Auth: «{b62:48}»`,
  `https://api.kestrel.dev/v2/«{b62:40}»/send`,
  `kestrel.init("«{b62:32}»")`,
  `new Kestrel({ projectId: "a1", key: "«{b62:32}»" })`,
  `kestrel: { clientId: "{hex:24}", clientSecret: "«{url:40}»" }`,
  `KestrelAuth «{b62:43}»`,
  `Authorization: Kestrel «{b62:43}»`,
  `Authorization: Digest username="ann", realm="x", nonce="{hex:32}", uri="/", response="«{hex:32}»"`,
  `Authorization: Hawk id="dh37", ts="1353832234", nonce="j4h3g2", mac="«{b64:43}=»"`,
  `Authorization: AWS4-HMAC-SHA256 Credential=«AKIA{b32:16}»/20260101/eu-west-1/s3/aws4_request, SignedHeaders=host, Signature=«{hex:64}»`,
  `Authorization: OAuth oauth_consumer_key="{b62:25}", oauth_token="«{dig:9}-{b62:40}»", oauth_signature="«{url:40}»"`,
  `Proxy-Authorization: Basic «{64:ann:{b62:12}}»`,
  `x-goog-api-key: «{url:39}»
x-functions-key: «{b64:54}==»
x-amz-security-token: «{b64:200}»
X-Vault-Token: «hvs.{b62:24}»
DD-API-KEY: «{hex:32}»
PRIVATE-TOKEN: «glpat-{url:20}»
X-Auth-Key: «{hex:37}»
api-token: «{b62:32}»
X-CSRF-Token: «{b64:43}=»
X-Figma-Token: «{b62:40}»`,
  `Stored hash: $2b$12$«{b62:53}»`,
  `root:«$6\${b62:8}\${b62:86}»:19000:0:99999:7:::`,
  `Administrator:500:aad3b435b51404eeaad3b435b51404ee:«{hex:32}»:::`,
  `ssh ann@h
ann@h's password: «{any:11}»
Permission denied, please try again.`,
  `spawn ssh root@h
expect "assword:"
send "«{any:11}»\\n"`,
  `auto-login-user=ann
auth-user-pass inline:
<auth-user-pass>
ann
«{any:11}»
</auth-user-pass>`,
  `lftp -u ann,«{b62:11}» sftp://h
ftp> user ann «{b62:11}»
PASS «{b62:11}»
USER ann
AUTH PLAIN «{64:  ann {b62:12}}»`,
  `username admin secret 5 «$1\${b62:4}\${b62:22}»
snmp-server community «{b62:11}» RO
crypto isakmp key «{b62:14}» address 0.0.0.0
enable password «{b62:11}»`,
  `spark.hadoop.fs.s3a.secret.key=«{b64:40}»
spark.hadoop.fs.azure.account.key.acme.dfs.core.windows.net=«{b64:86}==»
kafka: sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="k" password="«{b62:64}»";
ssl.keystore.password=«{b62:12}»`,
  `admin_password: !vault |
  $ANSIBLE_VAULT;1.1;AES256
api_password: «{any:12}»`,
  `rclone.conf:
[s3]
type = s3
access_key_id = «AKIA{b32:16}»
secret_access_key = «{b64:40}»
[box]
type = box
token = {"access_token":"«{b62:32}»","token_type":"bearer","refresh_token":"«{b62:64}»"}
[crypt]
password = «{url:30}»`,
  `{"mcpServers":{"gh":{"command":"npx","args":["-y","mcp"],"env":{"GITHUB_PERSONAL_ACCESS_TOKEN":"«ghp_{b62:36}»","BRAVE_API_KEY":"«BSA{url:28}»"}},"x":{"url":"https://mcp.x.io/sse?key=«{b62:32}»","headers":{"Authorization":"Bearer «{b62:40}»"}}}}`,
  `export HISTIGNORE=x; token='«{b62:40}»'; curl -H "Authorization: Bearer $token" x
read -s -p "Password: " pw; pw=«{b62:11}»`,
  `ngrok config add-authtoken «{b62:27}_{b62:21}»
flyctl auth login -t «{b62:40}»
sentry-cli --auth-token «{hex:64}» releases
doctl auth init -t «dop_v1_{hex:64}»
railway login --token «{uuid}»
wrangler secret put X <<< "«{b62:40}»"
supabase link -p «{b62:16}»
pscale password create x y
snyk auth «{uuid}»
codecov -t «{uuid}»
twine upload -u __token__ -p «pypi-AgEI{url:100}» dist/*
npm publish --otp=«{dig:6}»
cargo login «cio{b62:32}»
gem push --key «{b62:20}»
nuget push a.nupkg -k «oy2{low:43}» -s x
firebase deploy --token "«1//0{url:60}»"
surge --token «{hex:32}»
netlify deploy --auth «{b62:43}»
vercel --token=«{b62:24}»
influx config create -t «{b64:86}==» -n x
mc alias set m https://m «{UP:20}» «{b62:40}»
restic -r s3:x --password-command 'echo «{b62:12}»'
borg init --encryption=repokey # BORG_PASSPHRASE='«{any:12}»'`,
];
