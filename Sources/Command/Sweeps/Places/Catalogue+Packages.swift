// SPDX-License-Identifier: Apache-2.0

extension Catalogue {
    /// Registries of packages and build tools.
    static let packages: [Place] = javascript + python + registries + builds

    private static let npmTokens = "https://www.npmjs.com/settings/~/tokens"

    private static let javascript: [Place] = [
        // https://docs.npmjs.com/cli/configuring-npm/npmrc
        Place(
            "npm", program: "npm", files: [".npmrc"], variables: [("NPM_CONFIG_USERCONFIG", "")], names: [".npmrc"],
            rotation: npmTokens, move: .variable(template: "${$NAME}"), format: .ini,
            [
                Pick("*", "//*:_authToken", name: "authToken", account: "$2"),
                Pick("*", "//*:_auth", name: "auth", as: .is(.basic), account: "$2"),
                Pick("*", "//*:_password", name: "password", as: .is(.base64), account: "$2"),
                Pick("*", "_authToken", name: "authToken"),
                Pick("*", "_auth", name: "auth", as: .is(.basic)),
                Pick("*", "_password", name: "password", as: .is(.base64)),
                Pick("*", "*proxy", name: "proxy", as: .url),
                Pick("*", "*registry", name: "registry", as: .url),
            ]),
        // https://classic.yarnpkg.com/lang/en/docs/yarnrc/
        Place(
            "yarn-classic", program: "Yarn 1", files: [".yarnrc"], names: [".yarnrc"], rotation: npmTokens,
            move: .variable(template: "${$NAME}"), format: .words,
            [
                Pick("*", "*:_authToken\"", name: "authToken"), Pick("*", "*:_authToken", name: "authToken"),
                Pick("*", "*:_password", name: "password", as: .is(.base64)),
                Pick("*", "*proxy", name: "proxy", as: .url),
            ]),
        // https://yarnpkg.com/configuration/yarnrc
        Place(
            "yarn", program: "Yarn", files: [".yarnrc.yml"], names: [".yarnrc.yml"], rotation: npmTokens,
            move: .variable(template: "${$NAME}"), format: .yaml,
            [
                Pick("**", "npmAuthToken", name: "npmAuthToken", account: "$1"),
                Pick("**", "npmAuthIdent", name: "npmAuthIdent", as: .afterColon),
                Pick("**", "npmAuthIdent", name: "npmAuthIdent", as: .is(.basic)),
                Pick("**", "*proxy", name: "proxy", as: .url),
                Pick("**", "*registryServer", name: "registry", as: .url),
            ]),
    ]

    private static let python: [Place] = [
        // https://packaging.python.org/specifications/pypirc/
        Place(
            "pypi", program: "twine and others by .pypirc", files: [".pypirc"], names: [".pypirc"],
            rotation: "https://pypi.org/manage/account/token/", move: .environment(name: "TWINE_PASSWORD"),
            format: .ini,
            [
                Pick("*", "password", name: "password", account: "$1"),
                Pick("*", "repository", name: "repository", as: .url),
            ]),
        // https://pip.pypa.io/en/stable/topics/configuration/
        Place(
            "pip", program: "pip", files: [".pip/pip.conf", ".config/pip/pip.conf"],
            variables: [("PIP_CONFIG_FILE", "")], names: ["pip.conf", "pip.ini"],
            move: .environment(name: "PIP_INDEX_URL"), format: .ini, [Pick("*", "*", name: "url", as: .url)]),
        // https://python-poetry.org/docs/repositories/#configuring-credentials
        Place(
            "poetry", program: "Poetry", files: [".config/pypoetry/auth.toml"],
            move: .clearOnly(reason: "Poetry reads it in clear, or asks the desktop's keyring (zamok setup desktop)"),
            format: .toml,
            [
                Pick("http-basic", "*", "password", name: "password", account: "$1"),
                Pick("pypi-token", "*", name: "token", account: "$1"),
            ]),
        // https://docs.astral.sh/uv/concepts/authentication/
        Place(
            "uv", program: "uv", files: [".local/share/uv/credentials/credentials.toml", ".config/uv/uv.toml"],
            names: ["uv.toml"], move: .clearOnly(reason: "uv stores it itself; uv auth logout removes it"),
            format: .toml,
            [
                Pick("**", "password", name: "password"), Pick("**", "token", name: "token"),
                Pick("**", name: "url", as: .url),
            ]),
        // https://docs.conda.io/projects/conda/en/stable/user-guide/configuration/use-condarc.html
        Place(
            "conda", program: "conda", files: [".condarc", ".mambarc"], names: [".condarc"],
            move: .variable(template: "${$NAME}"), format: .yaml, [Pick("**", name: "url", as: .url)]),
    ]

    private static let registries: [Place] = [
        // https://doc.rust-lang.org/cargo/reference/config.html#credentials
        Place(
            "cargo", program: "Cargo", files: [".cargo/credentials.toml", ".cargo/credentials"],
            variables: [("CARGO_HOME", "credentials.toml")], names: [".cargo/credentials.toml", ".cargo/credentials"],
            rotation: "https://crates.io/settings/tokens", move: .helper(program: "cargo"), format: .toml,
            [
                Pick("registry", "token", name: "token", service: "cargo", account: "crates-io"),
                Pick("registries", "*", "token", name: "token", service: "cargo", account: "$1"),
                Pick("**", "secret-key", name: "secretKey"),
            ]),
        // https://guides.rubygems.org/command-reference/#gem-signin
        Place(
            "gem", program: "RubyGems", files: [".gem/credentials", ".local/share/gem/credentials"],
            names: [".gem/credentials"], rotation: "https://rubygems.org/profile/api_keys",
            move: .environment(name: "GEM_HOST_API_KEY"), format: .yaml,
            [Pick("*", name: "apiKey", as: .header, account: "$1")]),
        // https://bundler.io/man/bundle-config.1.html, "CREDENTIALS FOR GEM SOURCES"
        Place(
            "bundle", program: "Bundler", files: [".bundle/config"], names: [".bundle/config"],
            move: .environment(name: "$KEY"), fields: bundleCredentials,
            [
                Pick("*", name: "credentials", as: .afterColon, service: "bundle"),
                Pick("*", name: "credentials", account: "$1"),
            ]),
        // https://getcomposer.org/doc/articles/authentication-for-private-packages.md
        Place(
            "composer", program: "Composer", files: [".config/composer/auth.json", ".composer/auth.json"],
            variables: [("COMPOSER_HOME", "auth.json")], names: ["auth.json"],
            move: .environment(name: "COMPOSER_AUTH"), format: .json,
            [
                Pick("http-basic", "*", "password", name: "password", account: "$1"),
                Pick("github-oauth", "*", name: "token", account: "$1"),
                Pick("gitlab-token", "*", name: "token", account: "$1"),
                Pick("gitlab-token", "*", "token", name: "token", account: "$1"),
                Pick("gitlab-oauth", "*", name: "token", account: "$1"),
                Pick("bearer", "*", name: "bearer", account: "$1"),
                Pick("gitlab-oauth", "*", "token", name: "token", account: "$1"),
                Pick("forgejo-token", "*", "token", name: "token", account: "$1"),
                Pick("bitbucket-oauth", "*", "consumer-secret", name: "secret", account: "$1"),
                Pick("custom-headers", "*", "*", name: "header", as: .header, account: "$1"),
            ]),
        // https://learn.microsoft.com/nuget/reference/nuget-config-file
        Place(
            "nuget", program: "NuGet", files: [".nuget/NuGet/NuGet.Config", ".config/NuGet/NuGet.Config"],
            names: ["nuget.config"], move: .variable(template: "%$NAME%"), fields: XMLText.named,
            [
                Pick("**", "packageSourceCredentials", "*", "ClearTextPassword", name: "password", account: "$2"),
                Pick("**", "packageSourceCredentials", "*", "Password", name: "password", account: "$2"),
                Pick("**", "apikeys", "*", name: "apiKey", account: "$2"),
                Pick("**", "http_proxy.password", name: "proxy"),
            ]),
        // https://dart.dev/tools/pub/cmd/pub-token
        Place(
            "pub", program: "Dart pub",
            files: [
                ".config/dart/pub-credentials.json", ".config/dart/pub-tokens.json", ".pub-cache/credentials.json",
            ],
            move: .clearOnly(reason: "pub stores it itself; dart pub token add --env-var keeps it in a variable"),
            format: .json,
            [
                Pick("accessToken", name: "accessToken"), Pick("refreshToken", name: "refreshToken"),
                Pick("hosted", "*", "token", name: "token"),
            ]),
        // https://hexdocs.pm/hex/Mix.Tasks.Hex.Config.html; https://github.com/clojars/clojars-web/wiki/Deploy-Tokens
        Place(
            "lein", program: "Leiningen", files: [".lein/profiles.clj", ".lein/credentials.clj"],
            names: ["profiles.clj"],
            move: .variable(template: ":env/$NAME"), fields: ClojureText.fields, [Pick("password", name: "password")]),
        // https://helm.sh/docs/helm/helm_repo_add/
        Place(
            "helm", program: "Helm", files: [".config/helm/repositories.yaml"],
            move: .clearOnly(reason: "Helm reads it in clear; an OCI registry takes docker's credential helper"),
            format: .yaml,
            [Pick("repositories", "*", "password", name: "password"), Pick("**", "url", name: "url", as: .url)]),
    ]

    private static let builds: [Place] = [
        // https://maven.apache.org/settings.html#servers
        Place(
            "maven", program: "Maven", files: [".m2/settings.xml"], names: ["settings.xml"],
            move: .variable(template: "${env.$NAME}"), format: .xml,
            [
                Pick("settings", "servers", "server", "password", name: "password"),
                Pick("settings", "servers", "server", "passphrase", name: "passphrase"),
                Pick("settings", "proxies", "proxy", "password", name: "proxy"),
                Pick("settings", "**", "httpHeaders", "property", "value", name: "header", as: .header),
                Pick("settings", "profiles", "**", name: "property", onlySecretNames: true),
            ]),
        // https://docs.gradle.org/current/userguide/build_environment.html
        Place(
            "gradle", program: "Gradle", files: [".gradle/gradle.properties"],
            variables: [("GRADLE_USER_HOME", "gradle.properties")], names: ["gradle.properties"],
            move: .environment(name: "ORG_GRADLE_PROJECT_$key"), format: .properties,
            [Pick("*", name: "property", onlySecretNames: true, account: "$1"), Pick("*", name: "url", as: .url)]),
        // https://www.scala-sbt.org/1.x/docs/Publishing.html#Credentials
        Place(
            "sbt", program: "sbt", files: [".sbt/.credentials", ".ivy2/.credentials", ".sbt/sonatype_credentials"],
            names: [".credentials"],
            move: .clearOnly(reason: "sbt reads the file in clear; Credentials(...) in a build takes variables"),
            format: .properties, [Pick("password", name: "password")]),
        // https://www.jenkins.io/doc/, https://docs.sonarsource.com/: properties of scanners and releases
        Place(
            "r", program: "R", files: [".Renviron"], names: [".Renviron"], move: .reference, format: .environment,
            [Pick("*", name: "variable", onlySecretNames: true, account: "$1"), Pick("*", name: "url", as: .url)]),
    ]

    /// Bundler's keys of credentials are names of hosts, with `__` for dots.
    private static func bundleCredentials(_ bytes: [UInt8]) -> [Field] {
        YAMLText.fields(bytes).filter { field in
            guard field.keys.count == 1, let key = field.keys.first?.uppercased(), key.hasPrefix("BUNDLE_"),
                key.dropFirst(7).contains("__")
            else { return false }
            return !["BUILD__", "MIRROR__", "LOCAL__", "GEM__", "PLUGINS__", "WITH__", "WITHOUT__", "PATH__", "SSL_"]
                .contains {
                    key.dropFirst(7).hasPrefix($0)
                }
        }
    }
}
