// SPDX-License-Identifier: Apache-2.0

extension Catalogue {
    /// Agents and editors, the servers of their Model Context Protocol, and language models.
    static let agents: [Place] = protocols + models

    private static let servers: [Pick] = [
        Pick("**", "env", "*", name: "env", onlySecretNames: true, account: "$2"),
        Pick("**", "env", "*", name: "env", as: .url, account: "$2"),
        Pick("**", "headers", "authorization", name: "header", as: .header),
        Pick("**", "http_headers", "*", name: "header", as: .header, onlySecretNames: true, account: "$2"),
        Pick("**", "http_headers", "authorization", name: "header", as: .header),
        Pick("**", "headers", "*", name: "header", as: .header, onlySecretNames: true, account: "$2"),
        Pick("**", "requestInit", "headers", "*", name: "header", as: .header, account: "$2"),
        Pick("**", "args", "*", name: "argument", as: .argument),
        Pick("**", "url", name: "url", as: .url), Pick("**", "apiKey", name: "apiKey"),
        Pick("**", "api_key", name: "apiKey"),
        Pick("**", "bearer_token", name: "token"), Pick("primaryApiKey", name: "apiKey"),
    ]

    private static let protocols: [Place] = [
        // https://modelcontextprotocol.io/docs/develop/connect-local-servers
        Place(
            "claude-desktop", program: "Claude Desktop", files: [".config/Claude/claude_desktop_config.json"],
            names: ["claude_desktop_config.json"], move: .reference, format: .json, servers),
        // https://code.claude.com/docs/en/mcp
        Place(
            "claude-code", program: "Claude Code",
            files: [".claude.json", ".claude/settings.json", ".claude/settings.local.json"],
            names: [".mcp.json", ".claude.json", ".claude/settings.json", ".claude/settings.local.json"],
            move: .variable(template: "${$NAME}"), format: .json, servers),
        Place(
            "claude-credentials", program: "Claude Code", files: [".claude/.credentials.json"],
            rotation: "https://claude.ai/settings/claude-code",
            move: .clearOnly(reason: "Claude Code stores it itself; /logout removes it"),
            format: .json,
            [Pick("*", "accessToken", name: "accessToken"), Pick("*", "refreshToken", name: "refreshToken")]),
        // https://docs.cursor.com/context/mcp
        Place(
            "cursor", program: "Cursor and Windsurf", files: [".cursor/mcp.json", ".codeium/windsurf/mcp_config.json"],
            names: [".cursor/mcp.json", "mcp_config.json"], move: .variable(template: "${env:$NAME}"), format: .json,
            servers),
        // https://code.visualstudio.com/docs/copilot/chat/mcp-servers
        Place(
            "vscode", program: "Visual Studio Code",
            files: [".config/Code/User/mcp.json", ".config/Code/User/settings.json"],
            names: [".vscode/mcp.json", ".vscode/settings.json", ".vscode/launch.json"],
            move: .variable(template: "${env:$NAME}"),
            format: .json, servers + [Pick("*", name: "setting", onlySecretNames: true, account: "$1")]),
        // https://zed.dev/docs/ai/mcp
        Place(
            "zed", program: "Zed", files: [".config/zed/settings.json"], names: [".zed/settings.json"],
            move: .reference, format: .json, servers),
        // https://developers.openai.com/codex/mcp
        Place(
            "codex", program: "Codex", files: [".codex/config.toml"], variables: [("CODEX_HOME", "config.toml")],
            names: [".codex/config.toml"], move: .reference, format: .toml, servers),
        Place(
            "codex-auth", program: "Codex", files: [".codex/auth.json"],
            rotation: "https://platform.openai.com/api-keys",
            move: .environment(name: "OPENAI_API_KEY"), format: .json,
            [
                Pick("OPENAI_API_KEY", name: "apiKey"), Pick("tokens", "access_token", name: "accessToken"),
                Pick("tokens", "refresh_token", name: "refreshToken"), Pick("tokens", "id_token", name: "idToken"),
            ]),
        // https://github.com/google-gemini/gemini-cli
        Place(
            "gemini", program: "Gemini CLI",
            files: [".gemini/settings.json", ".gemini/oauth_creds.json", ".gemini/mcp-oauth-tokens.json"],
            names: [".gemini/settings.json"], move: .variable(template: "$$NAME"), format: .json,
            servers + [
                Pick("**", "access_token", name: "accessToken"), Pick("**", "refresh_token", name: "refreshToken"),
                Pick("**", "accessToken", name: "accessToken"), Pick("**", "refreshToken", name: "refreshToken"),
            ]),
    ]

    private static let models: [Place] = [
        // https://docs.continue.dev/reference
        Place(
            "continue", program: "Continue", files: [".continue/config.json"], move: .reference, format: .json, servers),
        Place(
            "continue-yaml", program: "Continue", files: [".continue/config.yaml"],
            move: .variable(template: "${{ secrets.$NAME }}"),
            format: .yaml, servers),
        // https://aider.chat/docs/config/aider_conf.html
        Place(
            "aider", program: "Aider", files: [".aider.conf.yml"], names: [".aider.conf.yml"],
            move: .environment(name: "$KEY"),
            format: .yaml,
            [Pick("*-api-key", name: "apiKey", account: "$1"), Pick("api-key", "*", name: "apiKey", as: .afterEquals)]),
        // https://opencode.ai/docs/config/
        Place(
            "opencode", program: "OpenCode",
            files: [".local/share/opencode/auth.json", ".config/opencode/opencode.json"],
            names: ["opencode.json"], move: .variable(template: "{env:$NAME}"), format: .json,
            servers + [
                Pick("*", "key", name: "key", account: "$1"), Pick("*", "access", name: "access"),
                Pick("*", "refresh", name: "refresh"),
            ]),
        // https://llm.datasette.io/en/stable/setup.html
        Place(
            "llm", program: "llm", files: [".config/io.datasette.llm/keys.json"], names: ["io.datasette.llm/keys.json"],
            move: .clearOnly(
                reason: "llm takes keys from variables as well, such as OPENAI_API_KEY; llm keys are clear text"),
            fields: { JSONText.fields($0).filter { $0.keys.first?.hasPrefix("/") == false } },
            [Pick("*", name: "key", account: "$1")]),
        Place(
            "shell-gpt", program: "ShellGPT and Mods", files: [".config/shell_gpt/.sgptrc"],
            move: .environment(name: "OPENAI_API_KEY"),
            format: .environment, [Pick("*", name: "key", onlySecretNames: true)]),
        Place(
            "mods", program: "Mods", files: [".config/mods/mods.yml"], move: .environment(name: "OPENAI_API_KEY"),
            format: .yaml,
            [Pick("**", "api-key", name: "apiKey")]),
    ]

    /// Variables, histories, logs, keys: what any program may leave.
    static let files: [Place] = [
        Place(
            "env", program: "programs by .env", files: [".env", ".config/environment.d/*.conf", ".envrc"],
            names: [".env", ".env.*", "*.env", ".envrc", ".flaskenv", "env.sh"], move: .reference, format: .environment,
            [Pick("*", name: "variable", onlySecretNames: true, account: "$1"), Pick("*", name: "url", as: .url)]),
        Place(
            "history", program: "histories",
            files: [
                ".bash_history", ".zsh_history", ".zhistory", ".histfile", ".local/share/fish/fish_history",
                ".ash_history", ".ksh_history",
                ".sh_history", ".psql_history", ".mysql_history", ".mariadb_history", ".python_history",
                ".node_repl_history",
                ".rediscli_history", ".mongodb/mongosh/mongosh_repl_history", ".dbshell", ".sqlite_history",
                ".irb_history", ".php_history",
                ".local/share/powershell/PSReadLine/ConsoleHost_history.txt", ".config/fish/fish_history", ".lesshst",
                ".viminfo",
            ], variables: [("HISTFILE", "")],
            names: [".*_history", "*_history", ".zhistory", ".histfile", "ConsoleHost_history.txt", ".dbshell"],
            move: .mask, text: .commands),
        Place("log", program: "logs", files: [], names: ["*.log", "*.log.*"], move: .mask, text: .log),
        // https://man.openbsd.org/ssh-keygen
        Place("ssh", program: "OpenSSH", files: [".ssh/*"], names: [".ssh/*"], move: .agent, text: .keys),
        // https://age-encryption.org/; https://getsops.io/docs/
        Place(
            "age", program: "age and SOPS", files: [".config/age/*", ".age/*", ".config/sops/age/keys.txt"],
            variables: [("SOPS_AGE_KEY_FILE", "")],
            move: .clearOnly(reason: "zamok credential age keeps an identity in the keychain"), text: .keys),
        // https://github.com/gpg/gnupg/blob/master/agent/keyformat.txt
        Place(
            "gnupg", program: "GnuPG", files: [".gnupg/private-keys-v1.d/*.key"], names: ["private-keys-v1.d/*.key"],
            move: .clearOnly(reason: "gpg --change-passphrase KEY sets a passphrase"), fields: GnuPGText.fields,
            [Pick("key", name: "privateKey")]),
    ]
}
