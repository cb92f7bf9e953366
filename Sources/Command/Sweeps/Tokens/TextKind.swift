// SPDX-License-Identifier: Apache-2.0

/// What kind of text a file is, by its name: it decides whether a value without quotes counts.
package enum TextKind: Sendable, Equatable {
    /// Names and values: INI, YAML, properties, `.env`.
    case config
    case json
    /// A programming language: a value is a string in quotes.
    case source
    /// Scripts of a shell.
    case script
    /// A history of a shell or of a client of a database.
    case commands
    case log
    /// Notes for people, and files of an unknown kind.
    case prose
    /// Only private keys and tokens: where names and values mean something else.
    case keys

    /// By the file's name and the folders above it.
    package static func of(_ path: String) -> TextKind {
        guard let name = path.split(separator: "/").last?.lowercased() else { return .prose }
        if isExample(name) || isLocale(path) || lockFiles.contains(name) { return .keys }
        var endings = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().map(String.init)
        // A copy of a file is of the same kind.
        while endings.count > 1, let last = endings.last, copies.contains(last) || last.allSatisfy(\.isNumber) {
            endings.removeLast()
        }
        let ending = endings.last ?? ""
        if name.contains(".min.")
            || onlyKeys.contains(ending)
        {
            return .keys
        }
        if name.hasSuffix("_history") || name == ".zhistory" || name == ".histfile" { return .commands }
        if name.hasPrefix("dockerfile") || name.hasPrefix("containerfile") || name.hasPrefix("makefile")
            || name == "justfile" || name == "vagrantfile"
        {
            return .script
        }
        if name.hasPrefix(".env") || name.hasSuffix(".env") || name.hasPrefix("jenkinsfile") { return .config }
        // Resources of Android: texts of the screen, and settings among them.
        if name == "strings.xml" { return .source }
        // Settings of Mozilla's programs: calls with a name and its value.
        if name == "prefs.js" || name == "user.js" { return .config }
        return kinds[ending] ?? (ending.isEmpty || name.hasPrefix(".") ? .config : .prose)
    }

    /// `.env.example`, `config.sample.yml`, `settings.dist`: values in it are examples.
    static func isExample(_ name: String) -> Bool {
        guard exampleList.isIn(name) else { return false }
        return name.split { !$0.isLetter }.contains { examples.contains(String($0)) }
    }

    private static let examples = ["example", "sample", "template", "tmpl", "dist", "tpl"]
    private static let exampleList = WordList(examples)
    /// What is in each path of a file with texts of a screen.
    private static let localeList = WordList([
        "locale", "i18n", "l10n", "lang", "translation", "lproj", "messages_", "strings.",
    ])

    private static func isLocale(_ path: String) -> Bool {
        guard localeList.isIn(path) else { return false }
        let parts = path.split(separator: "/").map { $0.lowercased() }
        if parts.dropLast().contains(where: {
            ["locales", "locale", "i18n", "l10n", "lang", "langs", "translations", "lproj"].contains($0)
                || $0.hasSuffix(".lproj")
        }) {
            return true
        }
        return parts.last.map {
            $0.hasPrefix("messages_") || $0.hasPrefix("translation") || $0.hasPrefix("strings.") && $0 != "strings.xml"
        }
            ?? false
    }

    private static let copies: Set<String> = [
        "local", "bak", "old", "orig", "save", "backup", "back", "copy", "dpkg-old", "dpkg-dist", "rpmsave", "rpmnew",
        "d", "ext",
        "tmp", "swp", "disabled", "off", "prod", "production", "dev", "staging",
    ]

    private static let onlyKeys: Set<String> = [
        "map", "svg", "po", "pot", "xliff", "xlf", "arb", "strings", "lock", "sum", "snap", "css", "scss", "less",
        "graphql", "gql", "proto", "pem", "crt", "pub", "asc", "csr", "sig",
    ]

    private static let lockFiles: Set<String> = [
        "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "cargo.lock", "poetry.lock",
        "uv.lock", "go.sum", "gemfile.lock",
        "composer.lock", "pipfile.lock", "package.resolved", "podfile.lock", "flake.lock", "mix.lock", "pubspec.lock",
        ".terraform.lock.hcl", "known_hosts",
        "authorized_keys",
    ]

    private static let kinds: [String: TextKind] = {
        var kinds: [String: TextKind] = [:]
        for name
            in "swift c h cc cpp cxx hpp m mm java kt kts scala groovy js mjs cjs jsx ts tsx mts py rb go rs php cs fs vb lua pl pm r jl ex exs erl hs ml dart sol vue svelte html htm xhtml jsp erb ejs ipynb sql zig nim clj cljs el v asm pas gradle coffee rake gemspec tcl lisp lsp scm rkt cr nims d f f90 f95 cob cbl cpy abap dfm ino bas cls frm vbs fsx fsi csx cshtml razor twig hx pyw gd awk sas groovy kts"
            .split(separator: " ")
        {
            kinds[String(name)] = .source
        }
        for name
            in "env ini cfg conf cnf config properties yml yaml toml xml tf tfvars hcl plist rc service socket inf reg desktop credentials netrc list nmconnection ovpn cf cred secret nix jmx mobileconfig kdl neon ron edn nomad container things items cmake users"
            .split(separator: " ")
        {
            kinds[String(name)] = .config
        }
        for name in "json json5 jsonc tfstate webmanifest har".split(separator: " ") { kinds[String(name)] = .json }
        for name
            in "sh bash zsh fish ksh ps1 psm1 bat cmd profile bashrc zshrc bash_profile zprofile zshenv command ahk au3"
            .split(separator: " ")
        { kinds[String(name)] = .script }
        for name in "log out err trace".split(separator: " ") { kinds[String(name)] = .log }
        return kinds
    }()

    /// Whether a value without quotes counts.
    var allowsBareValues: Bool { self != .source && self != .json && self != .keys }
    /// Whether commands of a shell occur: in crontabs, units, pipelines and notes, too.
    var hasCommands: Bool { self == .commands || self == .script || self == .config || self == .prose }
    /// Whether names with values are looked at at all.
    var hasAssignments: Bool { self != .keys }
}
