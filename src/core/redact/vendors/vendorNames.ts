/** Who hands out keys without a mark of their own. Words of the language are left out: they stand anywhere. */
export const vendorNames: ReadonlySet<string> = new Set(
  `abuseipdb accuweather adafruit adobe airbrake airtable airvisual aiven alchemy algolia alibaba aliyun
  amplitude anthropic apify apilayer appcues appsflyer artifactory asana assemblyai atlassian auth0 authy
  autodesk aviationstack axiom azure bannerbear baremetrics bigcommerce binance  bitfinex bitly
  bitmex bittrex braintree brevo brightdata browserstack bscscan bugsnag buildkite bybit calendly censys
  cerebras chargebee chartmogul checkly circleci clarifai clearbit  clickhouse clickup clockify
  cloudconvert cloudflare cloudinary cloudsmith codacy codeclimate codecov codemagic cohere coinapi coinbase
  coinmarketcap confluent contentful convertkit coveralls crowdin cryptocompare customerio databricks datadog
  deepai deepgram deepl deepseek deepinfra digicert digitalocean  dockerhub docusign doppler droneci
  dropbox duffel dwolla dynatrace ebay elasticsearch elevenlabs etherscan etsy eventbrite  fastly
  fauna figma finnhub firebase firecrawl flickr flutterwave freshbooks freshdesk freshservice fullstory 
  geoapify gitter gocardless godaddy grafana groq gumroad  helpscout heroku hetzner
  honeybadger honeycomb hotjar hubspot huggingface ibmcloud imagekit infura instagram intercom intrinio ipinfo
  ipstack iterable jenkins jfrog jira jotform jumpcloud  kickbox klaviyo kraken kucoin langfuse langsmith
  launchdarkly lemonsqueezy  linode lob locationiq logdna loggly logzio lokalise mailchimp mailerlite
  mailgun mailjet mailtrap mandrill mapbox mapquest marketo mattermost maxmind mediastack meraki messagebird
 minimax mistral mixpanel mollie moralis  netlify netsuite newrelic newsapi nexmo ngrok nvidia
  nylas nytimes okta onesignal onelogin openai openrouter openweather openweathermap opsgenie optimizely
  pagerduty pandadoc papertrail paypal paystack pinata pinecone pipedream pipedrive plaid planetscale plivo
  polygonscan posthog  postmark prefect pulumi pubnub pushbullet pusher quickbooks quicknode rabbitmq
 rapid7 rapidapi razorpay recurly redash replicate retool rollbar salesforce sanity saucelabs scaleway
  scraperapi scrapingbee sendbird sendgrid sendinblue  serpapi serper servicenow shodan shopify shutterstock
 smartsheet snowflake snyk sonar sonarcloud sonarqube sourcegraph sparkpost  spoonacular 
  squareup squarespace  statuspage storyblok strava  sumologic supabase surveymonkey tableau
  tailscale tavily telegram telnyx tencent textmagic tiingo todoist toggl tomtom travisci trello twilio twitch
  twitter typeform uploadcare uptimerobot vercel virustotal voyageai vultr wakatime weatherapi webflow wepay
  wolframalpha woocommerce workos wrike xai yandex yelp  zapier zendesk zenrows zerobounce zerotier
  zoho`
    .trim()
    .split(/\s+/),
);
