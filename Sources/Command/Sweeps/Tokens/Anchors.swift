// SPDX-License-Identifier: Apache-2.0

/// What a text is searched for in one pass: short pieces at which a secret may begin, or its name. Three bytes at each
/// second place say whether a piece may begin there or one byte before; then the first four bytes decide. Every piece
/// has at least ``Anchors/width`` bytes.
struct Anchors: Sendable {
    /// What a piece is part of.
    enum Kind: Sendable, Equatable {
        /// A word in the name of a secret.
        case name
        /// A token of this issuer, by its number in `Issuer.all`.
        case token(Int)
        case privateKey
        /// The same in Base64.
        case encodedKey
        /// `://`, at the second byte.
        case url
        /// A header `Authorization`.
        case header
        /// `IDENTIFIED BY`, `PASSWORD '...'` of SQL.
        case sql
        /// A command with a password in its arguments.
        case command
        case puttyKey
        /// `user:password@tcp(host)` of Go's driver for MySQL, at the `@`.
        case dataSource
        /// A function one of whose arguments is a password; the number of the argument.
        case call(Int)
        /// A word that means an account, beside which a password may be.
        case login
        /// A line of a configuration, by its number in `TextScan.directives`.
        case directive(Int)
        /// `p: "..."` beside a user.
        case short
        /// A header with a cookie.
        case cookie
        /// `otpauth://`.
        case oneTime
        /// `"...".toCharArray()`, at the full stop.
        case characters
        /// A statement of SQL with columns and values.
        case table
        /// An option that often has a password.
        case option
        /// What a script types for a user.
        case typed
        /// A function that takes a user and a password.
        case arguments
        /// The beginning of a block of OpenVPN.
        case tunnel
        /// What no name is directly beside.
        case other(TextScan.Other)
    }

    /// The first bytes of a piece that the tables know.
    static let width = 4

    /// For all files; and for histories and scripts, with commands.
    static let shared = Anchors(withCommands: false)
    static let commands = Anchors(withCommands: true)

    /// For three bytes (``triple(_:)``): whether they are the second to fourth of a piece (1), the first to third (2).
    private(set) var triples = [UInt8](repeating: 0, count: 1 << 15)
    /// The first of ``entries`` with a hash of the window; 0: none.
    private(set) var heads = [UInt16](repeating: 0, count: 1 << 13)
    /// Those of one hash after each other; the first of all is none.
    private(set) var entries = [Entry(window: 0, cases: 0, rest: 0..<0, ignoresCase: false, kind: .name)]
    /// What is behind the first four bytes of the pieces.
    private(set) var rests: [UInt8] = []

    /// A piece.
    struct Entry: Sendable {
        /// Its first four bytes.
        let window: UInt32
        /// The bits of the window that tell capitals, of letters that may be capitals.
        let cases: UInt32
        /// The other bytes, in ``Anchors/rests``.
        let rest: Range<Int>
        let ignoresCase: Bool
        let kind: Kind
        var isLast = false
    }

    /// The index of the first three of four bytes. Letters of both cases have one.
    static func triple(_ window: UInt32) -> Int { Int(((window & 0xFF_FFFF | 0x20_2020) &* 0x9E37_79B1) >> 17) }

    static func hash(_ window: UInt32) -> Int {
        // Letters of both cases have one hash.
        Int(((window | 0x2020_2020) &* 0x9E37_79B1) >> 19)
    }

    private init(withCommands: Bool) {
        for text in Self.names { add(text, ignoresCase: true, .name) }
        // In Latin-1.
        add(Array("schl".utf8) + [0xFC] + Array("ssel".utf8), ignoresCase: true, .name)
        for (number, issuer) in Issuer.all.enumerated() {
            for prefix in issuer.prefixes { addPrefix(Array(prefix.utf8), issuer.alphabet, .token(number)) }
        }
        for scheme in Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8) {
            add([scheme] + Array("://".utf8), ignoresCase: true, .url)
        }
        add("-----BEGIN ", ignoresCase: false, .privateKey)
        add("LS0tLS1CRUdJTi", ignoresCase: false, .encodedKey)
        add("authorization", ignoresCase: true, .header)
        add("identified", ignoresCase: true, .sql)
        add("PuTTY-User-Key-File", ignoresCase: false, .puttyKey)
        add("@tcp(", ignoresCase: false, .dataSource)
        for (name, argument) in Self.calls { add(name, ignoresCase: false, .call(argument)) }
        for (number, directive) in TextScan.directives.enumerated() {
            add(directive.0, ignoresCase: false, .directive(number))
        }
        for word in Self.logins { add(word, ignoresCase: true, .login) }
        for word in ["{p: ", " p: ", ",p: ", "{p:\"", ",p:\"", " p:\"", "{p:'", ",p:'", "\"p\":", "'p':"] {
            add(word, ignoresCase: false, .short)
        }
        add("cookie", ignoresCase: true, .cookie)
        add("otpauth://", ignoresCase: true, .oneTime)
        add(".toCharArray(", ignoresCase: false, .characters)
        for word in [
            "connect", "login(", "logon(", "authenticate(", "signin(", "sign_in(", "omniauth ", "addlinkedsrvlogin",
            "rcon(", "database(",
        ] {
            add(word, ignoresCase: true, .arguments)
        }
        add("insert into", ignoresCase: true, .table)
        add("copy ", ignoresCase: true, .table)
        add("<auth-user-pass>", ignoresCase: false, .tunnel)
        for (text, isExact, other) in TextScan.others { add(text, ignoresCase: !isExact, .other(other)) }
        for first in UInt8(0xC3)...0xED { add(Array(" / ".utf8) + [first], ignoresCase: false, .other(.pair)) }
        for command in Self.frequent { add(command, ignoresCase: false, .command) }
        if withCommands {
            for word in ["key ", "authentication ", "code: \"", "code: '"] { add(word, ignoresCase: true, .name) }
            for word in [" -p ", " -P ", "+login "] { add(word, ignoresCase: false, .option) }
            for word in ["send \"", "send '", "{Tab}", "SendRaw ", "SendText ", "SendInput "] {
                add(word, ignoresCase: false, .typed)
            }
            for command in Self.commandNames { add(command, ignoresCase: false, .command) }
        }
        buildLists()
    }

    /// The pieces in the order in which they were added, until the lists are built.
    private var added: [Entry] = []

    /// Words of which at least one is in each name that ``SecretName`` judges.
    private static let names = [
        "pass", "secret", "token", "_pwd", "-pwd", "pwd=", "pwd:", "pwd ", "pwd\"", "pwd'", "pwd,", "pwd_", "pwd.",
        "bpwd", "rpwd", "tpwd", "_psk", "psk=", "psk:",
        "psk ", "psk\"", "cred", "kennwort", "contrase", "clave", "senha", "hasło", "haslo", "heslo", "parol", "пароль",
        "密码", "密碼",
        "パスワ", "비밀번", "암호", "lösen", "losen", "adgangs", "kodeord", "salasana", "sifre", "şifre", "jelsz", "wachtw",
        "geheim", "segredo",
        "api_key", "api-key", "apikey", "api key", "access_key", "accesskey", "access-key", "private_key", "privatekey",
        "private-key", "auth_key", "authkey",
        "auth-key", "accountkey", "account_key", "account-key", "signing_key", "signingkey", "signing-key",
        "encryption_key", "encryptionkey", "encryption-key",
        "encrypt_key", "master_key", "masterkey", "master-key", "shared_key", "sharedkey", "storage_key", "storagekey",
        "session_key", "cookie_key", "jwt_key",
        "hmac_key", "hmackey", "deploy_key", "webhook_key", "nonce_key", "service_key", "servicekey", "app_key",
        "appkey", "logged_in_key", "auth_salt",
        "logged_in_salt", "nonce_salt", "_auth", "mdp=", "mdp:", "mdp ", "_mdp", "crypt_key", "sign_key", "role_key",
        "admin_key", "write_key", "license_key",
        "licensekey", "consumer_key", "consumerkey", "host_key", "subscription-key", "subscription_key",
        "subscriptionkey", "client_key", "openai_key", "stripe_key",
        "sendgrid_key", "mailgun_key", "google_key", "maps_key", "anthropic_key", "bot_key", "kms_key", "aes_key",
        "aeskey", "cipher_key", "preshared",
        "key'", "pw ", "_pw=", "_pw:", "_pw ", "pw =", "pw=", "pw\"", "pw'", "_key", "-key", "key\"", "key=", "key:",
        "key =",
        "pepper", "masterauth", "-pw ", "pw:", "rootpw", "userpw", "_pat", "jeton", "ingest_key", "integration_key",
        "project_key", "server_key", "serverkey", "device_key",
        "Парол", "ПАРОЛ", "clé ", "cle api", "cle wifi", "chiave", "schlüssel", "schluessel", "ключ", "klucz",
        "sleutel",
        "hasła", "community", "keystring", "key-string", "keymaterial", "totp", "hash_salt",
        "pin:", "pin =", "pin=", "puk:", "alarm_code", "pincode", "private:", "md5 ",
        "auth\":", "auth\\\":", "auth = (", "appkey", "nwkkey", "skey", "_oauth", "_authorization", "account.key",
        "access.key", "wifi", "wlan", "wi-fi", "keybase", "auth=(", ".auth(", ".login(", "basicauth", "κωδικ", "sandi",
        "bearer", "токен", "секрет", "令牌",
        "トークン", "datadog", "connectionstring", "_sas", "wep_key", "_pin", "secret_key",
        "pin\"", "pin'", "pin ", "auth: ", "auth =", "auth=", "authentication", "passkey", "userpwd", "シークレ", "暗証",
        "パスコード", "密钥", "密鑰", "口令", "토큰", "시크릿", "핀번호", "пин", "пін", "лозинка", "lozink", "geslo",
        "slaptaž", "tunnussana", "συνθηματ", "المرور", "السر", "סיסמ", "पासवर्ड", "รหัสผ่าน", "khẩu", "pasahitza",
        "lykilor", "chave", "nøgle", "nyckel", "avain", "clear-text", "pinkod", "pincod", "pin-kod", "pin-cod",
        "кодовое слово", "вайфай", "psk[", "key[", "key  ", "auth[", "pin?",
    ]

    /// Functions with a password among their arguments: which one it is.
    private static let calls: [(String, Int)] = [
        ("PlainAuth(", 2), ("NetworkCredential(", 1), ("ConvertTo-SecureString ", 0), ("mysqli_connect(", 2),
        ("PDO(", 2),
        ("DBI->connect(", 2), ("getConnection(", 2), ("PRAGMA key", 0), ("UsernamePasswordCredentials(", 1),
        ("PasswordAuthentication(", 1), ("setPassword(", 0), ("withPassword(", 0), ("BasicAWSCredentials(", 1),
        ("withCredentials(", 1), ("Credentials.basic(", 1), ("setCredentials(", 1),
        ("httpBasic(", 1), ("BasicAuth(", 1), ("Input Password", 0),
        ("StaticCredentialsProvider(", 1), ("NewStaticCredentials(", 1), ("SetBasicAuth(", 1), ("basic_auth(", 1),
        ("Credentials(", 3), ("username_pw_set(", 1), (":auth(", 0), ("->auth(", 0),
    ]

    /// Words that mean an account.
    private static let logins = [
        "login", "zugang", "creds", "credential", "admin", "root ", "root/", "user", "benutzer", "konto", "account",
        "usuario", "identifiant", "utente", "gebruiker", "логин", "anmeld", "acces", "kunde",
    ]

    /// Commands that occur in files of all kinds.
    private static let frequent = [
        "sshpass", "curl -", "mysql -", "sqlplus ", ":thin:", "redis-cli ", "docker login", "htpasswd -",
    ]

    private static let commandNames = [
        "curl ", "mysql", "mariadb", "sshpass", "redis-cli", "ldap", "smbclient", "zip -P", "zip --password", "7z ",
        "7za ", "docker login", "podman login",
        "http ", "https ", "httpie", "htpasswd", "chpasswd", "openssl ", "mongo", "psql ", "unzip -P", "unrar ",
        "rar a", "AUTH ", "auth ", "aws configure",
        "az login", "az ", "net user", "vault login", "xfreerdp", "rdesktop", "mosquitto_", "wget ", "snmp", "keytool",
        "gpg ", "cryptsetup", "nmcli", "wpa_passphrase",
        "ansible", "svn ", "lftp", "ncftp", "ipmitool", "cadaver", "expect", "npm config", "npm set", "pip config",
        "poetry config", "composer config",
        "git remote", "git config", "git clone", "bw ", "op ", "sqlcmd", "sqlplus", "bcp ", "impacket", "evil-winrm",
        "crackmapexec", "influx", "cqlsh", "clickhouse-client",
        "rabbitmqctl", "rabbitmqadmin", "kinit", "mount ", "passwd", "usermod", "useradd", "pass insert", "security ",
        "helm ", "skopeo ", "twine ", "gem ", "mc alias",
        "mc config", "rclone ", "restic ", "borg ", "duplicity", "mail", "swaks ", "msmtp", "createuser", "CREATE ",
        "ALTER ", "requirepass", "masterauth", "sudo -S", "net use", "schtasks", "psexec", "PsExec", "gh secret",
        "rclone obscure",
        "rpcclient", "wmic ", "cmdkey", "runas ", "winexe", "wandb ", "huggingface-cli", "altool",
    ]

    private mutating func add(_ text: String, ignoresCase: Bool, _ kind: Kind) {
        let bytes = Array(text.utf8)
        guard bytes.count < Self.width else { return add(bytes, ignoresCase: ignoresCase, kind) }
        // Three bytes: with any of the characters that may follow.
        let isOpen = bytes.last.map { " =:".utf8.contains($0) } ?? false
        let following = isOpen ? Array(UInt8(0x20)..<0x7F) : Array(" =:\"'_-.,;)]>".utf8)
        for next in following where !(ignoresCase && Byte.isUpper(next)) {
            add(bytes + [next], ignoresCase: ignoresCase, kind)
        }
    }

    private mutating func add(_ bytes: [UInt8], ignoresCase: Bool, _ kind: Kind) {
        let folded = ignoresCase ? bytes.map(Byte.lower) : bytes
        var (window, cases) = (UInt32(0), UInt32(0))
        for (index, byte) in folded.prefix(Self.width).enumerated() {
            window |= UInt32(byte) << (8 * UInt32(index))
            if ignoresCase, Byte.isLower(byte) { cases |= 0x20 << (8 * UInt32(index)) }
        }
        let start = rests.count
        rests += folded.dropFirst(Self.width)
        added.append(
            Entry(window: window, cases: cases, rest: start..<rests.count, ignoresCase: ignoresCase, kind: kind))
        triples[Self.triple(window >> 8)] |= 1
        triples[Self.triple(window)] |= 2
    }

    /// A short prefix with each character that may follow it.
    private mutating func addPrefix(_ prefix: [UInt8], _ alphabet: Issuer.Alphabet, _ kind: Kind) {
        guard prefix.count < Self.width else { return add(prefix, ignoresCase: false, kind) }
        for byte in UInt8(0x21)..<0x7F where alphabet.contains(byte) { addPrefix(prefix + [byte], alphabet, kind) }
    }

    private mutating func buildLists() {
        for (hash, bucket) in Dictionary(grouping: added, by: { Self.hash($0.window) }) {
            heads[hash] = UInt16(entries.count)
            // The longest first: a prefix of another is tried after it.
            entries += bucket.sorted { $0.rest.count > $1.rest.count }
            entries[entries.count - 1].isLast = true
        }
        added = []
    }
}
