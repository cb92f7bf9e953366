// SPDX-License-Identifier: Apache-2.0

import Readers
import SecretMemory

/// Passwords in the arguments of commands.
extension TextScan {
    private typealias Word = (range: Range<Int>, form: ClearSecret.Form)

    /// Options whose next word, or whose rest, is the password; by command.
    private static let options: [String: Set<String>] = [
        "sshpass": ["-p"], "redis-cli": ["-a", "--pass"], "zip": ["-P"], "unzip": ["-P"], "docker": ["-p"],
        "podman": ["-p"], "mongo": ["-p"], "mongosh": ["-p"],
        "mongodump": ["-p"], "mongorestore": ["-p"], "rdesktop": ["-p"], "mosquitto_pub": ["-P"],
        "mosquitto_sub": ["-P"], "ipmitool": ["-P"], "sqlcmd": ["-P"],
        "bcp": ["-P"], "cqlsh": ["-p"], "evil-winrm": ["-p"], "crackmapexec": ["-p"], "ldapsearch": ["-w"],
        "ldapmodify": ["-w"], "ldapadd": ["-w"], "ldapwhoami": ["-w"],
        "ldapdelete": ["-w"], "ldappasswd": ["-w", "-s"], "keytool": ["-storepass", "-keypass"],
        "openssl": ["-k", "-K"], "az": ["-p"], "twine": ["-p"], "skopeo": ["-p"],
        "snmpwalk": ["-A", "-X"], "snmpget": ["-A", "-X"], "influx": ["-p"], "wget": ["--password", "--http-password"],
        "7z": [], "7za": [], "mysql": [], "mysqldump": [], "mysqladmin": [],
        "mariadb": [], "mariadb-dump": [],
        "schtasks": ["/rp", "/RP"], "psexec": ["-p"], "PsExec.exe": ["-p"], "psexec.exe": ["-p"],
        "gh": ["--body", "-b"],
        "cryptsetup": [], "rpcclient": [], "wmic": [],
    ]
    /// Options with the password attached, as mysql's `-pPASSWORD`.
    private static let attached: [String: String] = [
        "mysql": "-p", "mysqldump": "-p", "mysqladmin": "-p", "mysqlimport": "-p", "mariadb": "-p",
        "mariadb-dump": "-p", "7z": "-p", "7za": "-p", "sshpass": "-p", "rar": "-p", "unrar": "-p",
        "xfreerdp": "/p:", "cmdkey": "/pass:", "wmic": "/password:", "mongo": "-p", "mongosh": "-p",
    ]

    /// Looks at a command of a shell. Returns where the search goes on.
    mutating func command(_ at: Int) -> Int {
        if bytes[at] == 0x3A {
            thin(at)
            return at + 6
        }
        let line = line(at)
        if at > line.lowerBound, Byte.isWord(bytes[at - 1]) || bytes[at - 1] == 0x2D || bytes[at - 1] == 0x2E {
            return at + 1
        }
        var stop = at
        while stop < line.upperBound, stop - at < 1000, bytes[stop] != 0x7C,
            !(bytes[stop] == 0x3B && Byte.isSpace(bytes[min(stop + 1, line.upperBound - 1)]))
        { stop += 1 }
        let words = WordText.words(bytes, at..<stop)
        guard let first = words.first else { return at + 1 }
        let program = bytes.text(first.range)
        for (index, word) in words.enumerated().dropFirst() {
            let text = bytes.text(word.range.prefix(16))
            let next = index + 1 < words.count ? words[index + 1] : nil
            if Self.options[program]?.contains(bytes.text(word.range)) == true, let next {
                accept(next.range, next.form, program)
            } else if let option = Self.attached[program], text.hasPrefix(option), word.range.count > option.utf8.count,
                !text.hasPrefix("--")
            {
                accept(unquoted(word.range.lowerBound + option.utf8.count..<word.range.upperBound), word.form, program)
            } else {
                pair(program, word, text, next)
            }
        }
        positional(program, words, line, at)
        return at + 1
    }

    private func unquoted(_ range: Range<Int>) -> Range<Int> { QuotedText.range(bytes, range) ?? range }

    /// `-u user:password` of curl and its like, `user%password` of Samba, `pass:password` of openssl.
    private mutating func pair(_ program: String, _ word: Word, _ text: String, _ next: Word?) {
        if ["curl", "http", "https", "xh", "ncftp", "aria2c"].contains(program) {
            if ["-u", "--user", "-U", "--proxy-user", "-a", "--auth"].contains(bytes.text(word.range)), let next {
                half(next.range, 0x3A, program)
            } else if text.hasPrefix("-u") || text.hasPrefix("-U"), word.range.count > 3 {
                half(unquoted(word.range.lowerBound + 2..<word.range.upperBound), 0x3A, program)
            } else if text.hasPrefix("--user=") {
                half(unquoted(word.range.lowerBound + 7..<word.range.upperBound), 0x3A, program)
            }
        } else if program.hasPrefix("smb") || program == "rpcclient" || program == "net" {
            if bytes.text(word.range) == "-U", let next { half(next.range, 0x25, program) }
        } else if program == "openssl", text.hasPrefix("pass:") {
            accept(word.range.lowerBound + 5..<word.range.upperBound, word.form, program)
        } else if program == "lftp", bytes.text(word.range) == "-u", let next {
            half(next.range, 0x2C, program)
        }
    }

    /// Programs whose `-p` is something else.
    private static let otherwise: Set<String> = [
        "mkdir", "ssh", "scp", "sftp", "docker", "podman", "cp", "tar", "nc", "psql", "pg_dump", "patch", "make",
        "cargo",
        "npx", "git", "ps", "lsof", "install", "read", "export", "declare", "nmap", "python", "python3", "pytest",
        "kill",
        "protoc", "rsync", "tmux", "unzip", "journalctl", "systemctl", "grep", "sort", "test", "pip", "go", "dotnet",
    ]

    /// `program -u user -p password`, `+login user password`.
    mutating func option(_ at: Int) -> Int {
        let line = line(at)
        let words = WordText.words(bytes, at..<line.upperBound)
        let number = bytes[at] == 0x2B ? 2 : 1
        guard words.count > number else { return at + 1 }
        let value = words[number]
        let before = WordText.words(bytes, line.lowerBound..<at)
        let programs = before.map { bytes.text($0.range.suffix(24)) }
        guard
            number == 2
                || !programs.contains(where: {
                    Self.otherwise.contains($0.split(separator: "/").last.map(String.init) ?? "")
                }),
            SecretValue.isAlone(Array(bytes[value.range]), number == 2 ? .loose : .strict)
        else { return at + 1 }
        add(
            .assignment, "command/argument", "an argument of a command", value.range, value.form,
            service: programs.first ?? "", account: "")
        return value.range.upperBound
    }

    /// `user/password@service`.
    private mutating func oracle(_ range: Range<Int>) {
        guard let slash = bytes.first(0x2F, in: range), slash > range.lowerBound else { return }
        let host = bytes[slash..<range.upperBound].lastIndex(of: 0x40) ?? range.upperBound
        guard slash + 1 < host, !bytes[slash + 1..<host].contains(0x2F) else { return }
        accept(slash + 1..<host, .plain, "sqlplus")
    }

    /// `jdbc:oracle:thin:user/password@host`.
    private mutating func thin(_ at: Int) {
        var high = at + 6
        while high < end, high - at < 200, bytes[high] > 0x20, bytes[high] != 0x22, bytes[high] != 0x27 { high += 1 }
        if let host = bytes.first(0x40, in: at + 6..<high) { oracle(at + 6..<host) }
    }

    private mutating func half(_ range: Range<Int>, _ separator: UInt8, _ program: String) {
        guard let colon = bytes.first(separator, in: range), colon + 1 < range.upperBound else { return }
        accept(colon + 1..<range.upperBound, .plain, program)
    }

    private mutating func positional(_ program: String, _ words: [Word], _ line: Range<Int>, _ at: Int) {
        let texts = words.prefix(8).map { bytes.text($0.range) }
        switch program {
        case "sqlplus", "sqlplus64", "exp", "imp", "expdp", "impdp":
            if let word = words.dropFirst().first(where: {
                bytes[$0.range].contains(0x2F) && bytes[$0.range].first != 0x2D
            }) {
                oracle(word.range)
            }
        case "wandb", "huggingface-cli", "npm", "heroku", "flyctl", "vercel", "snyk", "sentry-cli", "circleci":
            // login TOKEN
            if texts.count >= 3, texts[1] == "login",
                let word = words.dropFirst(2).first(where: { bytes[$0.range].first != 0x2D }),
                word.range.count >= 20
            {
                accept(word.range, word.form, program)
            }
        case "rclone": if texts.count == 3, texts[1] == "obscure" { accept(words[2].range, words[2].form, program) }
        case "AUTH", "auth", "requirepass", "masterauth":
            if (2...3).contains(words.count), kind == .commands || program == "requirepass" || program == "masterauth",
                let last = words.last
            {
                accept(last.range, last.form, "redis-cli")
            }
        case "htpasswd":
            if texts.dropFirst().contains(where: { $0.hasPrefix("-") && $0.contains("b") }), let last = words.last,
                words.count >= 4
            {
                accept(last.range, last.form, program)
            }
        case "net":
            if texts.count >= 4, texts[1].lowercased() == "user", !texts[3].hasPrefix("/") {
                accept(words[3].range, words[3].form, program)
            } else if texts.count >= 4, texts[1].lowercased() == "use",
                let word = words.dropFirst(2).last(where: {
                    let text = bytes.text($0.range)
                    return !text.hasPrefix("/") && !text.hasPrefix("\\\\") && !text.hasSuffix(":")
                })
            {
                accept(word.range, word.form, program)
            }
        case "wpa_passphrase": if words.count == 3 { accept(words[2].range, words[2].form, program) }
        case "rabbitmqctl":
            if texts.count >= 4, ["add_user", "change_password", "authenticate_user"].contains(texts[1]) {
                accept(words[3].range, words[3].form, program)
            }
        case "mc":
            if texts.count >= 6, ["alias", "config"].contains(texts[1]), let last = words.last {
                accept(last.range, last.form, program)
            }
        case "nmcli":
            if let index = texts.firstIndex(of: "password"), index + 1 < words.count {
                accept(words[index + 1].range, words[index + 1].form, program)
            }
        case "poetry", "composer":
            if texts.count >= 5, texts[1] == "config", texts[2].contains("http-basic"), let last = words.last {
                accept(last.range, last.form, program)
            }
        default: piped(program, texts, line, at)
        }
    }

    /// What another program writes into its standard input.
    private mutating func piped(_ program: String, _ texts: [String], _ line: Range<Int>, _ at: Int) {
        switch program {
        case "chpasswd":
            // echo "user:password" | chpasswd
            if let quote = bytes[line.lowerBound..<at].lastIndex(where: { $0 == 0x22 || $0 == 0x27 }),
                let open = bytes[line.lowerBound..<quote].lastIndex(of: bytes[quote])
            {
                half(open + 1..<quote, 0x3A, program)
            }
        case "sudo":
            // echo password | sudo -S
            let before = WordText.words(bytes, line.lowerBound..<at)
            if texts.count > 1, texts[1] == "-S", before.count == 3, bytes.text(before[0].range) == "echo" {
                accept(before[1].range, before[1].form, program)
            }
        default: break
        }
    }

    private mutating func accept(_ range: Range<Int>, _ form: ClearSecret.Form, _ program: String) {
        let value = form.decoded(bytes[range])
        guard value.count >= 4, value.first != 0x2D, SecretValue.isOne(value, .password, isQuoted: true, .commands)
        else { return }
        add(.assignment, "command/argument", "an argument of a command", range, form, service: program, account: "")
    }

    /// A call whose argument of that number is a password in quotes.
    mutating func call(_ at: Int, _ argument: Int) -> Int {
        let line = line(at)
        guard let open = bytes[at..<line.upperBound].firstIndex(where: { $0 == 0x28 || $0 == 0x22 || $0 == 0x27 })
        else {
            return at + 1
        }
        var next = bytes[open] == 0x28 ? open + 1 : open
        for number in 0...argument {
            next = skipBlanks(next)
            guard next < line.upperBound else { return at + 1 }
            if let written = quoted(next) {
                if number == argument {
                    accept(written.range, written.form, "call")
                    return written.range.upperBound
                }
                next = written.range.upperBound + 1
            }
            guard let comma = bytes[min(next, line.upperBound)..<line.upperBound].firstIndex(of: 0x2C) else {
                return at + 1
            }
            next = comma + 1
        }
        return at + 1
    }

    /// `user:password@tcp(host:port)`.
    mutating func dataSource(_ at: Int) -> Int {
        var start = at
        while start > 0, at - start < 200, bytes[start - 1] > 0x20,
            ![0x22, 0x27, 0x60, 0x3D].contains(bytes[start - 1])
        {
            start -= 1
        }
        half(start..<at, 0x3A, "mysql")
        return at + 1
    }
}
