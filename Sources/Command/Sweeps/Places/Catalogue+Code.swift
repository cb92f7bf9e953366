// SPDX-License-Identifier: Apache-2.0

extension Catalogue {
    /// Hosts of code and services round them, and machines that are reached by a name and a password.
    static let code: [Place] = git + hosts + services

    private static let githubTokens = "https://github.com/settings/tokens"

    private static let git: [Place] = [
        // https://git-scm.com/docs/git-credential-store
        Place(
            "git", program: "git", files: [".git-credentials", ".config/git/credentials"],
            variables: [("XDG_CONFIG_HOME", "git/credentials")], names: [".git-credentials"],
            move: .helper(program: "git"), fields: LineText.whole, [Pick("line", name: "credentials", as: .url)]),
        // https://git-scm.com/docs/git-config
        Place(
            "git-config", program: "git", files: [".gitconfig", ".config/git/config"],
            variables: [("GIT_CONFIG_GLOBAL", "")],
            names: [".gitconfig", ".git/config", ".gitmodules", ".hgrc"],
            move: .clearOnly(
                reason: "remove the password from the address: git asks its credential helper then (zamok setup git)"),
            format: .git,
            [
                Pick("*", "extraheader", name: "extraheader", as: .header, service: "$1"),
                Pick("sendemail*", "smtppass", name: "smtppass", service: "$1"), Pick("github", "token", name: "token"),
                Pick("imap", "pass", name: "pass"), Pick("auth", "*.password", name: "password"),
                Pick("*", "*url", name: "url", as: .url), Pick("*", "*proxy", name: "proxy", as: .url),
                Pick("paths", "*", name: "url", as: .url), Pick("credential*", "password", name: "password"),
                Pick("*", "insteadof", name: "url", as: .url), Pick("gitlab*", "token", name: "token"),
            ]),
        // https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html
        Place(
            "netrc", program: "curl, wget, git, ftp and Heroku by .netrc", files: [".netrc", ".authinfo"],
            variables: [("NETRC", "")], names: [".netrc", "_netrc", ".authinfo"],
            move: .filled(start: "curl --netrc-file <(zamok inject -i $FILE)"), fields: NetrcText.fields,
            [
                Pick("*", "*", "pass*", name: "password", service: "$1", account: "$2"),
                Pick("*", "*", "account", name: "account", service: "$1", account: "$2"),
            ]),
        // https://svnbook.red-bean.com/en/1.7/svn.advanced.confarea.html
        Place(
            "svn", program: "Subversion", files: [".subversion/auth/svn.simple/*"],
            move: .clearOnly(
                reason: "Subversion's plain cache; store-plaintext-passwords = no in its servers file ends it"),
            fields: SubversionText.fields, [Pick("password", name: "password"), Pick("passphrase", name: "passphrase")]),
    ]

    private static let hosts: [Place] = [
        // https://cli.github.com/manual/gh_auth_login
        Place(
            "gh", program: "GitHub CLI", files: [".config/gh/hosts.yml"], variables: [("GH_CONFIG_DIR", "hosts.yml")],
            names: ["gh/hosts.yml"], rotation: githubTokens, move: .environment(name: "GH_TOKEN"), format: .yaml,
            [
                Pick("*", "oauth_token", name: "token", account: "$1"),
                Pick("*", "users", "*", "oauth_token", name: "token", account: "$1/$2"),
            ]),
        // https://docs.gitlab.com/cli/
        Place(
            "glab", program: "GitLab CLI", files: [".config/glab-cli/config.yml"], names: ["glab-cli/config.yml"],
            rotation: "https://gitlab.com/-/user_settings/personal_access_tokens",
            move: .environment(name: "GITLAB_TOKEN"), format: .yaml,
            [
                Pick("hosts", "*", "token", name: "token", account: "$1"),
                Pick("hosts", "*", "oauth2_refresh_token", name: "refreshToken", account: "$1"),
                Pick("token", name: "token"),
            ]),
        // https://hub.github.com/hub.1.html
        Place(
            "hub", program: "hub", files: [".config/hub"], variables: [("HUB_CONFIG", "")], rotation: githubTokens,
            move: .environment(name: "GITHUB_TOKEN"), format: .yaml,
            [Pick("*", "*", "oauth_token", name: "token", account: "$1")]),
        // https://gitea.com/gitea/tea
        Place(
            "tea", program: "Gitea's tea", files: [".config/tea/config.yml"],
            move: .environment(name: "GITEA_SERVER_TOKEN"), format: .yaml, [Pick("logins", "*", "token", name: "token")]
        ),
        // https://docs.github.com/copilot
        Place(
            "copilot", program: "GitHub Copilot",
            files: [".config/github-copilot/hosts.json", ".config/github-copilot/apps.json"],
            rotation: "https://github.com/settings/applications",
            move: .clearOnly(reason: "the editor stores it itself; signing out there removes it"), format: .json,
            [Pick("*", "oauth_token", name: "token", account: "$1")]),
        // https://github.com/travis-ci/travis.rb; https://circleci.com/docs/local-cli/
        Place(
            "ci", program: "CircleCI and Travis CI", files: [".circleci/cli.yml", ".travis/config.yml"],
            move: .environment(name: "CIRCLECI_CLI_TOKEN"), format: .yaml,
            [Pick("token", name: "token"), Pick("endpoints", "*", "access_token", name: "token", account: "$1")]),
        // https://docs.sentry.io/cli/configuration/
        Place(
            "sentry", program: "Sentry CLI", files: [".sentryclirc"], names: [".sentryclirc"],
            rotation: "https://sentry.io/settings/account/api/auth-tokens/",
            move: .environment(name: "SENTRY_AUTH_TOKEN"), format: .ini,
            [Pick("auth", "token", name: "token"), Pick("auth", "api_key", name: "apiKey")]),
    ]

    private static func signOut(_ program: String) -> Move {
        .clearOnly(reason: "\(program) stores it itself and reads it in clear; signing out there removes it")
    }

    private static let services: [Place] = [
        Place(
            "netlify", program: "Netlify", files: [".config/netlify/config.json", ".netlify/config.json"],
            rotation: "https://app.netlify.com/user/applications", move: .environment(name: "NETLIFY_AUTH_TOKEN"),
            format: .json,
            [Pick("users", "*", "auth", "token", name: "token")]),
        Place(
            "vercel", program: "Vercel", files: [".local/share/com.vercel.cli/auth.json"],
            rotation: "https://vercel.com/account/settings/tokens", move: signOut("Vercel's command"), format: .json,
            [Pick("token", name: "token"), Pick("refreshToken", name: "refreshToken")]),
        Place(
            "fly", program: "Fly.io", files: [".fly/config.yml"],
            rotation: "https://fly.io/user/personal_access_tokens",
            move: .environment(name: "FLY_ACCESS_TOKEN"), format: .yaml, [Pick("access_token", name: "token")]),
        Place(
            "wrangler", program: "Cloudflare Wrangler",
            files: [".config/.wrangler/config/default.toml", ".wrangler/config/default.toml"],
            rotation: "https://dash.cloudflare.com/profile/api-tokens", move: signOut("Wrangler"), format: .toml,
            [
                Pick("oauth_token", name: "token"), Pick("refresh_token", name: "refreshToken"),
                Pick("api_token", name: "token"),
            ]),
        Place(
            "cloudflared", program: "cloudflared", files: [".cloudflared/*.json"], move: signOut("cloudflared"),
            format: .json, [Pick("TunnelSecret", name: "tunnelSecret")]),
        Place(
            "firebase", program: "Firebase CLI and Snyk",
            files: [".config/configstore/firebase-tools.json", ".config/configstore/snyk.json"],
            move: signOut("The command"),
            format: .json,
            [
                Pick("tokens", "refresh_token", name: "refreshToken"),
                Pick("tokens", "access_token", name: "accessToken"),
                Pick("**", "refresh_token", name: "refreshToken"), Pick("api", name: "token"),
            ]),
        Place(
            "ngrok", program: "ngrok", files: [".config/ngrok/ngrok.yml", ".ngrok2/ngrok.yml"], names: ["ngrok.yml"],
            rotation: "https://dashboard.ngrok.com/get-started/your-authtoken",
            move: .environment(name: "NGROK_AUTHTOKEN"),
            format: .yaml,
            [
                Pick("**", "authtoken", name: "authtoken"), Pick("**", "api_key", name: "apiKey"),
                Pick("tunnels", "**", "auth", name: "auth", as: .afterColon),
                Pick("tunnels", "**", "basic_auth", "*", name: "auth", as: .afterColon),
            ]),
        Place(
            "stripe", program: "Stripe CLI", files: [".config/stripe/config.toml"],
            rotation: "https://dashboard.stripe.com/apikeys", move: .environment(name: "STRIPE_API_KEY"), format: .toml,
            [Pick("**", "test_mode_api_key", name: "apiKey"), Pick("**", "live_mode_api_key", name: "apiKey")]),
        Place(
            "doppler", program: "Doppler", files: [".doppler/.doppler.yaml"],
            rotation: "https://dashboard.doppler.com/",
            move: .environment(name: "DOPPLER_TOKEN"), format: .yaml, [Pick("scoped", "*", "token", name: "token")]),
        Place(
            "supabase", program: "Supabase", files: [".supabase/access-token"],
            rotation: "https://supabase.com/dashboard/account/tokens",
            move: .environment(name: "SUPABASE_ACCESS_TOKEN"),
            fields: LineText.whole, [Pick("line", name: "token")]),
        Place(
            "railway", program: "Railway", files: [".railway/config.json"], move: .environment(name: "RAILWAY_TOKEN"),
            format: .json, [Pick("user", "token", name: "token"), Pick("**", "*token", name: "token")]),
        Place(
            "exercism", program: "Exercism", files: [".config/exercism/user.json"], move: signOut("Exercism"),
            format: .json,
            [Pick("token", name: "token")]),
        // https://guides.rubyonrails.org/security.html#custom-credentials
        Place(
            "rails", program: "Ruby on Rails", files: [],
            names: ["config/master.key", "config/credentials/*.key"], move: .environment(name: "RAILS_MASTER_KEY"),
            fields: LineText.whole, [Pick("line", name: "masterKey")]),
        Place(
            "expo", program: "Expo", files: [".expo/state.json"], rotation: "https://expo.dev/settings/access-tokens",
            move: .environment(name: "EXPO_TOKEN"), format: .json, [Pick("auth", "sessionSecret", name: "session")]),
        Place(
            "kaggle", program: "Kaggle", files: [".kaggle/kaggle.json", ".config/kaggle/kaggle.json"],
            names: ["kaggle.json"],
            rotation: "https://www.kaggle.com/settings", move: .environment(name: "KAGGLE_KEY"), format: .json,
            [Pick("key", name: "key")]),
        Place(
            "huggingface", program: "Hugging Face", files: [".cache/huggingface/token", ".huggingface/token"],
            rotation: "https://huggingface.co/settings/tokens", move: .environment(name: "HF_TOKEN"),
            fields: LineText.whole,
            [Pick("line", name: "token")]),
        Place(
            "huggingface-tokens", program: "Hugging Face", files: [".cache/huggingface/stored_tokens"],
            rotation: "https://huggingface.co/settings/tokens", move: .environment(name: "HF_TOKEN"), format: .ini,
            [Pick("*", "hf_token", name: "token", account: "$1")]),
    ]
}
