// SPDX-License-Identifier: Apache-2.0

extension Issuer {
    /// All known forms. A longer prefix of one issuer wins over a shorter one.
    package static let all: [Issuer] = code + clouds + models + messages + money + tools

    /// The beginnings of Discord's identifiers in Base64: three digits, the first of which isn't zero.
    private static let snowflakes: [String] = {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        return (100...999).map { number in
            let digits = [number / 100, number / 10 % 10, number % 10].map { 0x30 + $0 }
            let bits = digits[0] << 16 | digits[1] << 8 | digits[2]
            return String(decoding: [18, 12, 6, 0].map { letters[bits >> $0 & 63] }, as: UTF8.self)
        }
    }()

    private static let code: [Issuer] = [
        Issuer(
            "github-fine-grained", "GitHub", ["github_pat_"], .url, 82...82, proof: .variety,
            "https://github.com/settings/tokens"),
        Issuer(
            "github", "GitHub", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], .alphanumeric, 36...36, proof: .checksum,
            "https://github.com/settings/tokens"),
        Issuer(
            "github-refresh", "GitHub", ["ghr_"], .alphanumeric, 76...76, proof: .checksum,
            "https://github.com/settings/applications"),
        Issuer(
            "gitlab", "GitLab",
            [
                "glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glimt-", "gloas-", "glft-", "glagent-", "glsoat-",
                "glffct-",
                "glwt-", "glrtr-",
            ], .dotted, 20...300, "https://gitlab.com/-/user_settings/personal_access_tokens"),
        Issuer(
            "npm", "npm", ["npm_"], .alphanumeric, 36...36, proof: .checksum, "https://www.npmjs.com/settings/~/tokens"),
        Issuer(
            "pypi", "PyPI", ["pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZw"], .url, 50...1000, proof: .macaroon,
            "https://pypi.org/manage/account/token/"),
        Issuer("rubygems", "RubyGems", ["rubygems_"], .hexadecimal, 48...48, "https://rubygems.org/profile/api_keys"),
        Issuer("crates", "crates.io", ["cio"], .alphanumeric, 32...32, "https://crates.io/settings/tokens"),
        Issuer("clojars", "Clojars", ["CLOJARS_"], .lower, 60...60, "https://clojars.org/tokens"),
        Issuer("nuget", "NuGet", ["oy2"], .lower, 43...43, "https://www.nuget.org/account/apikeys"),
        Issuer(
            "dockerhub", "Docker Hub", ["dckr_pat_", "dckr_oat_"], .url, 27...52,
            "https://app.docker.com/settings/personal-access-tokens"),
        Issuer(
            "bitbucket", "Bitbucket", ["ATBB"], .alphanumeric, 32...32,
            "https://bitbucket.org/account/settings/app-passwords/"),
        Issuer(
            "atlassian", "Atlassian", ["ATATT3xFfGF0", "ATCTT3xFfGN0"], .base64, 60...400,
            "https://id.atlassian.com/manage-profile/security/api-tokens"),
        Issuer("artifactory", "JFrog", ["AKCp"], .alphanumeric, 60...80),
        Issuer("artifactory-reference", "JFrog", ["cmVmdGtu"], .alphanumeric, 56...56),
        Issuer("sourcegraph", "Sourcegraph", ["sgp_"], .url, 40...90),
        Issuer(
            "circleci", "CircleCI", ["CCIPAT_", "CCIPRJ_"], .url, 40...90,
            "https://app.circleci.com/settings/user/tokens"),
        Issuer(
            "buildkite", "Buildkite", ["bkua_"], .hexadecimal, 40...40, "https://buildkite.com/user/api-access-tokens"),
        Issuer("sonar", "SonarQube", ["squ_", "sqp_", "sqa_"], .hexadecimal, 40...40),
        Issuer("age", "age", ["AGE-SECRET-KEY-1"], .upper, 58...58, proof: .bech32),
    ]

    private static let clouds: [Issuer] = [
        Issuer(
            "aws-access-key", "AWS", ["AKIA", "ASIA"], .upper, 16...16,
            "https://console.aws.amazon.com/iam/home#/security_credentials"),
        Issuer(
            "aws-bedrock", "AWS", ["ABSKQmVkcm9ja0FQSUtleS"], .base64, 80...200,
            "https://console.aws.amazon.com/bedrock/"),
        Issuer(
            "google-api-key", "Google", ["AIza"], .url, 35...35, "https://console.cloud.google.com/apis/credentials"),
        Issuer("google-oauth", "Google", ["ya29."], .dotted, 30...2000, "https://myaccount.google.com/connections"),
        Issuer(
            "google-client-secret", "Google", ["GOCSPX-"], .url, 28...28,
            "https://console.cloud.google.com/apis/credentials"),
        Issuer("google-refresh", "Google", ["1//0"], .url, 40...200, "https://myaccount.google.com/connections"),
        Issuer(
            "digitalocean", "DigitalOcean", ["dop_v1_", "doo_v1_", "dor_v1_"], .hexadecimal, 64...64,
            "https://cloud.digitalocean.com/account/api/tokens"),
        Issuer("heroku", "Heroku", ["HRKU-"], .url, 36...70, "https://dashboard.heroku.com/account/applications"),
        Issuer("alibaba", "Alibaba Cloud", ["LTAI"], .alphanumeric, 20...20),
        Issuer("databricks", "Databricks", ["dapi"], .hexadecimal, 32...32),
        Issuer("vault", "HashiCorp Vault", ["hvs.", "hvb.", "hvr."], .url, 24...400),
        Issuer("terraform", "Terraform", [".atlasv1."], .url, 60...80, "https://app.terraform.io/app/settings/tokens"),
        Issuer("pulumi", "Pulumi", ["pul-"], .hexadecimal, 40...40, "https://app.pulumi.com/account/tokens"),
        Issuer(
            "doppler", "Doppler", ["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."], .dotted, 40...70,
            "https://dashboard.doppler.com/"),
        Issuer(
            "tailscale", "Tailscale", ["tskey-auth-", "tskey-api-", "tskey-client-", "tskey-scim-", "tskey-webhook-"],
            .url, 20...90, "https://login.tailscale.com/admin/settings/keys"),
        Issuer(
            "fly", "Fly.io", ["fo1_", "fm1r_", "fm2_", "fm1a_"], .base64, 40...2000,
            "https://fly.io/user/personal_access_tokens"),
        Issuer(
            "netlify", "Netlify", ["nfp_", "nfc_", "nfo_"], .alphanumeric, 36...60,
            "https://app.netlify.com/user/applications"),
        Issuer(
            "vercel", "Vercel", ["vcp_", "vci_", "vca_", "vcr_", "vck_"], .alphanumeric, 24...80,
            "https://vercel.com/account/settings/tokens"),
        Issuer(
            "supabase", "Supabase", ["sbp_", "sb_secret_"], .url, 30...60,
            "https://supabase.com/dashboard/account/tokens"),
        Issuer(
            "planetscale", "PlanetScale", ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], .dotted, 32...64,
            "https://app.planetscale.com/"),
        Issuer("neon", "Neon", ["napi_"], .alphanumeric, 40...80, "https://console.neon.tech/app/settings/api-keys"),
        Issuer("render", "Render", ["rnd_"], .alphanumeric, 28...40, "https://dashboard.render.com/u/settings"),
        Issuer("scalingo", "Scalingo", ["tk-us-"], .url, 48...48),
        Issuer("infisical", "Infisical", ["st."], .dotted, 60...200),
        Issuer(
            "onepassword", "1Password", ["ops_eyJ"], .base64, 200...2000, "https://my.1password.com/developer-tools/"),
    ]

    private static let models: [Issuer] = [
        Issuer("anthropic", "Anthropic", ["sk-ant-"], .url, 40...200, "https://console.anthropic.com/settings/keys"),
        Issuer("openrouter", "OpenRouter", ["sk-or-v1-"], .hexadecimal, 64...64, "https://openrouter.ai/settings/keys"),
        Issuer(
            "openai-project", "OpenAI", ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"], .url, 40...250,
            "https://platform.openai.com/api-keys"),
        Issuer("openai", "OpenAI and others", ["sk-"], .alphanumeric, 32...64, "https://platform.openai.com/api-keys"),
        Issuer(
            "huggingface", "Hugging Face", ["hf_", "api_org_"], .alphanumeric, 30...40,
            "https://huggingface.co/settings/tokens"),
        Issuer("replicate", "Replicate", ["r8_"], .alphanumeric, 37...40, "https://replicate.com/account/api-tokens"),
        Issuer("groq", "Groq", ["gsk_"], .alphanumeric, 40...60, "https://console.groq.com/keys"),
        Issuer("xai", "xAI", ["xai-"], .alphanumeric, 70...90, "https://console.x.ai/"),
        Issuer("perplexity", "Perplexity", ["pplx-"], .alphanumeric, 40...60, "https://www.perplexity.ai/settings/api"),
        Issuer(
            "langsmith", "LangSmith", ["lsv2_pt_", "lsv2_sk_"], .url, 40...60, "https://smith.langchain.com/settings"),
        Issuer("tavily", "Tavily", ["tvly-"], .url, 28...60, "https://app.tavily.com/"),
        Issuer("fireworks", "Fireworks", ["fw_"], .alphanumeric, 22...40),
    ]

    private static let messages: [Issuer] = [
        Issuer(
            "discord", "Discord", snowflakes, .dotted, 53...73,
            "https://discord.com/developers/applications"),
        Issuer(
            "slack", "Slack",
            ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxe.xoxb-", "xoxe.xoxp-", "xoxc-", "xoxd-"],
            .wide, 20...400, "https://api.slack.com/apps"),
        Issuer("slack-app", "Slack", ["xapp-"], .url, 40...200, "https://api.slack.com/apps"),
        Issuer(
            "slack-webhook", "Slack", ["hooks.slack.com/services/T", "hooks.slack.com/workflows/T"], .base64, 30...120,
            "https://api.slack.com/apps"),
        Issuer(
            "discord-webhook", "Discord", ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"], .base64,
            60...120, "https://discord.com/developers/applications"),
        Issuer("telegram", "Telegram", [":AA"], .url, 33...33, "https://t.me/BotFather"),
        Issuer("twilio", "Twilio", ["SK"], .hexadecimal, 32...32, "https://console.twilio.com/"),
        Issuer("sendgrid", "SendGrid", ["SG."], .dotted, 66...66, "https://app.sendgrid.com/settings/api_keys"),
        Issuer("mailgun", "Mailgun", ["key-"], .hexadecimal, 32...32, "https://app.mailgun.com/settings/api_security"),
        Issuer("brevo", "Brevo", ["xkeysib-", "xsmtpsib-"], .url, 70...90, "https://app.brevo.com/settings/keys/api"),
        Issuer("resend", "Resend", ["re_"], .url, 32...36, "https://resend.com/api-keys"),
        Issuer("facebook", "Facebook", ["EAA"], .alphanumeric, 80...300, "https://developers.facebook.com/apps/"),
    ]

    private static let money: [Issuer] = [
        Issuer(
            "stripe", "Stripe", ["sk_live_", "sk_test_", "rk_live_", "rk_test_"], .alphanumeric, 16...120,
            "https://dashboard.stripe.com/apikeys"),
        Issuer("stripe-webhook", "Stripe", ["whsec_"], .base64, 32...64, "https://dashboard.stripe.com/webhooks"),
        Issuer("square", "Square", ["sq0atp-", "sq0csp-"], .url, 22...43, "https://developer.squareup.com/apps"),
        Issuer("square-access", "Square", ["EAAA"], .url, 60...60, "https://developer.squareup.com/apps"),
        Issuer(
            "shopify", "Shopify", ["shpat_", "shpca_", "shppa_", "shpss_"], .hexadecimal, 32...32,
            "https://admin.shopify.com/"),
        Issuer("paypal-braintree", "Braintree", ["access_token$production$"], .alphanumeric, 16...60),
        Issuer("flutterwave", "Flutterwave", ["FLWSECK_TEST-", "FLWSECK-"], .url, 32...50),
        Issuer(
            "easypost", "EasyPost", ["EZAK", "EZTK"], .alphanumeric, 54...54,
            "https://www.easypost.com/account/api-keys"),
        Issuer("shippo", "Shippo", ["shippo_live_", "shippo_test_"], .hexadecimal, 40...40),
        Issuer("lob", "Lob", ["live_", "test_"], .hexadecimal, 35...35),
    ]

    private static let tools: [Issuer] = [
        Issuer("unkey", "Unkey", ["unkey_"], .alphanumeric, 20...40, "https://app.unkey.com/settings/root-keys"),
        Issuer("axiom", "Axiom", ["xaat-", "xapt-"], .url, 36...36, "https://app.axiom.co/settings/api-tokens"),
        Issuer("hubspot", "HubSpot", ["pat-na1-", "pat-na2-", "pat-eu1-"], .url, 36...36, "https://app.hubspot.com/"),
        Issuer(
            "launchdarkly", "LaunchDarkly", ["sdk-", "api-"], .url, 36...36, "https://app.launchdarkly.com/settings"),
        Issuer(
            "linear", "Linear", ["lin_api_", "lin_oauth_"], .alphanumeric, 40...64,
            "https://linear.app/settings/account/security"),
        Issuer(
            "notion", "Notion", ["ntn_", "secret_"], .alphanumeric, 43...46,
            "https://www.notion.so/profile/integrations"),
        Issuer(
            "dropbox", "Dropbox", ["sl.u.", "sl.B", "sl.A", "sl.C"], .url, 100...2000,
            "https://www.dropbox.com/developers/apps"),
        Issuer("grafana", "Grafana", ["glsa_", "glc_"], .base64, 40...400, "https://grafana.com/profile/api-keys"),
        Issuer(
            "new-relic", "New Relic", ["NRAK-", "NRAL-", "NRII-", "NRIQ-", "NRRA-"], .url, 24...42,
            "https://one.newrelic.com/admin-portal/api-keys"),
        Issuer(
            "sentry", "Sentry", ["sntrys_", "sntryu_", "sntrya_"], .base64, 60...400,
            "https://sentry.io/settings/account/api/auth-tokens/"),
        Issuer("postman", "Postman", ["PMAK-"], .url, 59...59, "https://go.postman.co/settings/me/api-keys"),
        Issuer("figma", "Figma", ["figd_", "figdr_"], .url, 36...60, "https://www.figma.com/settings"),
        Issuer("airtable", "Airtable", ["pat"], .dotted, 79...79, "https://airtable.com/create/tokens"),
        Issuer(
            "contentful", "Contentful", ["CFPAT-"], .url, 43...43,
            "https://app.contentful.com/account/profile/cma_tokens"),
        Issuer("dynatrace", "Dynatrace", ["dt0c01.", "dt0s16.", "dt0s01."], .dotted, 80...100),
        Issuer(
            "prefect", "Prefect", ["pnu_", "pnb_"], .alphanumeric, 36...36, "https://app.prefect.cloud/my/api-keys"),
        Issuer("typeform", "Typeform", ["tfp_"], .dotted, 40...60, "https://admin.typeform.com/user/tokens"),
        Issuer("readme", "ReadMe", ["rdme_"], .lower, 70...70),
        Issuer("mapbox", "Mapbox", ["sk.eyJ"], .dotted, 60...150, "https://account.mapbox.com/access-tokens/"),
        Issuer("adafruit", "Adafruit IO", ["aio_"], .alphanumeric, 28...28, "https://io.adafruit.com/api-keys"),
        Issuer("wakatime", "WakaTime", ["waka_"], .url, 36...36, "https://wakatime.com/settings/api-key"),
        Issuer("posthog", "PostHog", ["phx_"], .alphanumeric, 40...60, "https://us.posthog.com/settings/user-api-keys"),
        Issuer(
            "cloudflare", "Cloudflare", ["cfut_", "cfat_"], .url, 40...60,
            "https://dash.cloudflare.com/profile/api-tokens"),
        Issuer("duffel", "Duffel", ["duffel_live_", "duffel_test_"], .url, 43...43),
        Issuer("frameio", "Frame.io", ["fio-u-"], .url, 64...64),
        Issuer("json-web-token", "a JSON Web Token", ["eyJ"], .dotted, 60...8000, proof: .webToken),
    ]
}
