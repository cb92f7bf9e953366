// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import DataProtection
import Foundation
import Keychains
import Readers
import SecretMemory
import Statuses

/// `zamok keys`
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Generate, import, export and list private keys, and say which ones ssh is offered.",
        discussion: """
            A private key has a name, and its public half is an item of its own, which can be read while locked. zamok agent offers ssh \
            and git those that were made with --ssh, or named to zamok keys offer.

            EXAMPLES:
              zamok keys generate laptop --ssh
              zamok keys export laptop --public --ssh >> authorized_keys
              zamok keys list
            """,
        subcommands: [
            KeysGenerate.self, KeysImport.self, KeysExport.self, KeysList.self, KeysOffer.self,
            KeysCertificateRequest.self, KeysCertificate.self, KeysRemove.self,
        ]
    )

    /// The number of public keys that sshd tries before it ends a connection (MaxAuthTries, 6). The last try
    /// is reserved.
    private static let mostTried = 5

    /// Warns if ssh would give up before it has tried all offered keys.
    static func warnOfMany(_ pairs: KeyPairs) throws {
        let count = try pairs.all().count(where: \.isOffered)
        guard count > mostTried else { return }
        try Channel.error.line(
            "zamok: ssh is offered \(count) keys, and most servers end a connection after 6 tries; name a host's key in ~/.ssh/config (IdentityFile KEY.pub and IdentitiesOnly yes), or: zamok keys offer NAME --stop"
        )
    }
}

/// The options that name a private key.
struct KeyOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions

    @Argument(help: "Its name or fingerprint.", completion: Completions.keyPairs)
    var name: String

    /// The key, among those of the keychain.
    func open() throws -> (KeyPairs, KeyPair) {
        let pairs = KeyPairs(try ChosenHome.keychain(global.reading))
        return (pairs, try pairs.named(name))
    }
}

/// The options of a new key.
struct NewKeyOptions: ParsableArguments {
    @Flag(help: "Offer it to ssh: zamok agent.")
    var ssh = false

    @Flag(help: "Ask for the passcode each time the key is used, though the home is unlocked.")
    var requirePasscode = false

    @Option(help: "When the private key can be used; if it is left out: when-unlocked.")
    var accessible: AccessibilityWord?

    /// Stores the key and prints it.
    func add(_ item: KeyItem, name: String, to pairs: KeyPairs, json: Bool) throws {
        guard !ssh || item.keyType != .x25519 else {
            throw CommandFailure.status(
                .parameter, "SSH has no X25519 keys for logging in; leave --ssh out, or take --type ed25519")
        }
        var wish = KeyPairs.Wish()
        (wish.name, wish.isOffered) = (name, ssh)
        (wish.asksForPasscode, wish.accessibility) = (requirePasscode, accessible?.accessibility)
        let pair = try pairs.add(item, wish)
        Done.note("the key is stored")
        try Printer(json: json).rows([pair], KeyPairPrinter.json, KeyPairPrinter.row)
        if ssh { try KeysCommand.warnOfMany(pairs) }
    }
}

/// A key type on the command line.
enum KeyTypeWord: String, ExpressibleByArgument, CaseIterable {
    case ed25519, x25519, p256, p384, p521, rsa

    func generate(bits: Int?) throws -> KeyItem {
        guard self == .rsa || bits == nil else {
            throw CommandFailure.usage("--bits is for rsa; the size of \(rawValue) is in its name")
        }
        switch self {
        case .ed25519: return try KeyItem(generating: .ed25519, sizeInBits: 256)
        case .x25519: return try KeyItem(generating: .x25519, sizeInBits: 256)
        case .p256: return try KeyItem(generating: .ellipticCurve, sizeInBits: 256)
        case .p384: return try KeyItem(generating: .ellipticCurve, sizeInBits: 384)
        case .p521: return try KeyItem(generating: .ellipticCurve, sizeInBits: 521)
        case .rsa:
            let bits = bits ?? 3072
            guard (2048...8192).contains(bits), bits.isMultiple(of: 8) else {
                throw CommandFailure.usage("RSA keys have 2048 to 8192 bits, in steps of 8")
            }
            return try KeyItem(generating: .rsa, sizeInBits: bits)
        }
    }
}

/// `zamok keys generate`
struct KeysGenerate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Make a new private key.",
        discussion: """
            The key is made in the keychain and never lies anywhere else. Ed25519 and the curves of NIST sign; X25519 is for key exchange alone. With --in-tpm the machine's \
            TPM 2.0 makes it (P-256), and it never leaves that: a copy of the home is of no use elsewhere, and the key can't be exported. It is lost with the TPM.

            EXAMPLES:
              zamok keys generate laptop --ssh
              zamok keys generate badge --in-tpm --ssh
              zamok keys generate server --type rsa --bits 4096
              zamok keys generate release --ssh --require-passcode
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "What it is called.")
    var name: String

    @Option(help: "The type; if it is left out: ed25519, on a TPM p256.")
    var type: KeyTypeWord?

    @Flag(help: "Make it in the TPM 2.0, which it never leaves.")
    var inTPM = false

    @Option(help: "The size of an RSA key; if it is left out: 3072.")
    var bits: Int?

    @OptionGroup var options: NewKeyOptions

    @Flag(help: "Print what was made as a JSON object.")
    var json = false

    func run() throws {
        try CommandFailure.refuseEmpty(name, of: "key")
        guard !inTPM || bits == nil && [nil, .p256].contains(type) else {
            throw CommandFailure.usage("a TPM makes keys of type p256 alone; leave --type and --bits out")
        }
        try ClearedScope.runWidely {
            let made = inTPM ? nil : try (type ?? .ed25519).generate(bits: bits)
            let home = try ChosenHome.openUnlocked(global.choice)
            let pairs = KeyPairs(Keychain(home: home))
            let item = try made ?? KeyItem(inTPMOf: home)
            try options.add(item, name: name, to: pairs, json: json)
        }
    }
}

/// `zamok keys import`
struct KeysImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the private key in a file.",
        discussion: """
            PEM or DER: PKCS#8, SEC 1, PKCS#1; JWK; and OpenSSH's format. The passphrase of PKCS#8 and of OpenSSH's format is asked for, or read from \
            --passphrase-file; ssh-keygen, which has to be installed, removes OpenSSH's from a copy in memory. The file stays: remove it when ssh works with the agent.

            EXAMPLES:
              zamok keys import ~/.ssh/id_ed25519 --ssh
              zamok keys import server.key --name server --passphrase-file passphrase
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var passphrase: PassphraseOption

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Option(help: "What the key is called; if it is left out: the comment of an OpenSSH key, or the file's name.")
    var name: String?

    @OptionGroup var options: NewKeyOptions

    @Flag(help: "Print what was added as a JSON object.")
    var json = false

    func run() throws {
        try CommandFailure.refuseEmpty(name, of: "key")
        try ClearedScope.runWidely {
            let (item, comment) = try read()
            let name = name ?? comment.flatMap { $0.isEmpty ? nil : $0 } ?? URL(fileURLWithPath: file).lastPathComponent
            let pairs = KeyPairs(try ChosenHome.keychain(global.choice))
            try options.add(item, name: name, to: pairs, json: json)
        }
    }

    /// The only private key in the file, and its comment.
    private func read() throws -> (KeyItem, comment: String?) {
        let data = try SSHPassphrase.removed(from: try KeyFileOptions.read(file)) { try passphrase.text() }
        let item = try KeyFileOptions.key(data, of: file) { try passphrase.text() }
        guard item.keyClass == .private else {
            throw CommandFailure.status(
                .parameter,
                "\(file.printable) holds a public key; add one with: zamok keychain add --key \(file.printable.shellWord)"
            )
        }
        let count = KeyItem.countOfPrivateKeys(data)
        guard count <= 1 else {
            throw CommandFailure.status(
                .parameter, "\(file.printable) holds \(count) private keys; import each from a file of its own")
        }
        return (item, KeyItem.comment(data))
    }
}

/// `zamok keys export`
struct KeysExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print a key: its public half, or all of it in clear.",
        discussion: """
            With --public SubjectPublicKeyInfo in PEM, with --ssh too a line for authorized_keys, allowed_signers and git's user.signingkey; while locked, too. Without --public \
            the private key in clear: PKCS#8, with --ssh OpenSSH's format. With --encrypted PKCS#8 under a passphrase, as openssl 3 reads it, which is asked for twice or read from \
            --passphrase-file. With --jwk JSON (RFC 7517). A key that asks for the passcode asks.

            EXAMPLES:
              zamok keys export laptop --public --ssh | ssh server 'cat >> .ssh/authorized_keys'
              zamok keys export laptop --public > laptop.pem
              (umask 077; zamok keys export laptop --ssh > id_laptop)
              zamok keys export server --encrypted > server.key
              zamok keys export server --public --jwk
            """)

    @OptionGroup var key: KeyOptions

    @Flag(help: "The public half alone.")
    var `public` = false

    @Flag(help: "As SSH writes it.")
    var ssh = false

    @Flag(help: "As JSON: JWK.")
    var jwk = false

    @Flag(help: "The private key under a passphrase: PKCS#8.")
    var encrypted = false

    @OptionGroup var passphrase: PassphraseOption

    func validate() throws {
        guard [ssh, jwk, encrypted].count(where: \.self) < 2 else {
            throw ValidationError("--ssh, --jwk and --encrypted exclude each other")
        }
        guard !encrypted || !`public` else { throw ValidationError("--encrypted is for the private key") }
        guard encrypted || passphrase.passphraseFile == nil else {
            throw ValidationError("--passphrase-file goes with --encrypted")
        }
    }

    func run() throws {
        let (pairs, pair) = try key.open()
        // The printed text leaves no other copy in memory.
        try ClearedScope.runWidely {
            guard let text = try text(of: pair, pairs) else {
                throw CommandFailure.status(.parameter, "SSH has no keys of type \(pair.type); leave --ssh out")
            }
            try Channel.output.write(try Secret(copying: Array(text.utf8)))
        }
    }

    /// `nil`: the key type has no such form.
    private func text(of pair: KeyPair, _ pairs: KeyPairs) throws -> String? {
        guard !`public` else { return try jwk ? pairs.publicJWK(of: pair) : pairs.publicText(of: pair, forSSH: ssh) }
        let item = try AccessOperation.$current.withValue(.export) { try pairs.open(pair) }
        if ssh { return try item.openSSHPEM(comment: pair.name) }
        if jwk { return try item.jwk() }
        return try encrypted ? item.encryptedPEM(passphrase: try passphrase.newText(of: "key")) : item.pem()
    }
}

/// `zamok keys list`
struct KeysList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List private keys.",
        discussion: """
            A line for each: name, type, whether ssh is offered it, what is asked for at each use, fingerprint. Works while locked, after the first unlock.

            EXAMPLES:
              zamok keys list
              zamok keys list --json
            """)

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func run() throws {
        let pairs = KeyPairs(try ChosenHome.keychain(global.reading))
        let all = try pairs.all()
        try ChosenHome.explain(isEmpty: all.isEmpty)
        try Printer(json: json).rows(
            all, head: KeyPairPrinter.head, KeyPairPrinter.json, KeyPairPrinter.row)
    }
}

/// `zamok keys offer`
struct KeysOffer: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offer",
        abstract: "Have zamok agent offer a key to ssh, or no longer.",
        discussion: """
            Takes effect at once in agents that run. What an agent was told to forget (ssh-add -d, -D) it offers again when it is started anew.

            EXAMPLES:
              zamok keys offer laptop
              zamok keys offer laptop --stop
            """)

    @OptionGroup var key: KeyOptions

    @Flag(help: "Offer it no longer.")
    var stop = false

    func run() throws {
        let (pairs, pair) = try key.open()
        try pairs.offer(pair, !stop)
        if !stop { try KeysCommand.warnOfMany(pairs) }
    }
}

/// `zamok keys certificate-request`
struct KeysCertificateRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate-request",
        abstract: "Print a request for a certificate of a key.",
        discussion: """
            PKCS#10 in PEM, signed by the key, for an authority. The certificate that comes back makes an identity with the key: add it with zamok keychain add --certificate.

            EXAMPLES:
              zamok keys generate www --type p256
              zamok keys certificate-request www --subject /O=Zamok/CN=www.example.com --host www.example.com > www.csr
            """)

    @OptionGroup var key: KeyOptions

    @Option(help: "Who it is for, as openssl writes it: /O=Zamok/CN=example.com.")
    var subject: String

    @Option(help: "A host's name or address for the subject's alternative name; may be given more than once.")
    var host: [String] = []

    func run() throws {
        let (pairs, pair) = try key.open()
        let request = try AccessOperation.$current.withValue(.sign) {
            try pairs.certificateRequest(pair, subject: subject, hosts: host)
        }
        try Channel.output.write(Array(request.utf8))
    }
}

/// `zamok keys certificate`
struct KeysCertificate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate",
        abstract: "Print a certificate that a key gives itself.",
        discussion: """
            X.509 in PEM, for a server or client whose other side is told to trust this one certificate; it signs no others. With --add it is added to the keychain, too, where it \
            makes an identity with the key.

            EXAMPLES:
              zamok keys generate www --type p256
              zamok keys certificate www --subject /CN=localhost --host localhost --host 127.0.0.1 --add > www.pem
            """)

    @OptionGroup var key: KeyOptions

    @Option(help: "Who it is for, as openssl writes it: /O=Zamok/CN=example.com.")
    var subject: String

    @Option(help: "A host's name or address for the subject's alternative name; may be given more than once.")
    var host: [String] = []

    @Option(help: "For how many days it holds.")
    var days = 365

    @Flag(help: "Add it to the keychain.")
    var add = false

    func validate() throws {
        guard (1...36_500).contains(days) else { throw ValidationError("--days: 1 to 36500") }
    }

    func run() throws {
        let (pairs, pair) = try key.open()
        let certificate = try AccessOperation.$current.withValue(.sign) {
            try pairs.certificate(pair, subject: subject, hosts: host, days: days)
        }
        let pem = try certificate.pem() ?? ""
        if add {
            try pairs.keychain.add(certificate)
            Done.note("the certificate is stored", lost: "its PEM")
        }
        try Channel.output.write(Array(pem.utf8))
    }
}

/// `zamok keys remove`
struct KeysRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a private key and its public half.",
        discussion: """
            Neither the database nor its log holds the key afterwards: there is no way back. Certificates of the key stay.

            EXAMPLES:
              zamok keys remove laptop
              zamok keys remove laptop --yes
            """)

    @OptionGroup var key: KeyOptions

    @Flag(help: "Don't ask.")
    var yes = false

    func run() throws {
        let (pairs, pair) = try key.open()
        try Question.confirm(
            "Type remove to destroy the key \(pair.name.printable): ", by: ["remove"], isGiven: yes, or: "not removed")
        try pairs.remove(pair)
    }
}

/// Key pairs in the output for users and scripts.
enum KeyPairPrinter {
    static let head = ["NAME", "TYPE", "SSH", "ASKS FOR", "FINGERPRINT"]

    static func row(_ pair: KeyPair) -> [String] {
        let type = pair.type == "rsa" ? "rsa \(pair.privateItem.sizeInBits)" : pair.type
        let place = pair.isInTPM ? ", in TPM" : ""
        return [
            pair.name.printable, type + place, pair.isOffered ? "offered" : "-", pair.asks.isEmpty ? "-" : pair.asks,
            pair.fingerprint ?? "-",
        ]
    }

    static func json(_ pair: KeyPair) -> JSON {
        .known([
            ("name", .text(pair.name)), ("type", .text(pair.type)), ("bits", .count(pair.privateItem.sizeInBits)),
            ("in-tpm", .bool(pair.isInTPM)), ("ssh", .bool(pair.isOffered)),
            ("asks-for", pair.asks.isEmpty ? nil : .text(pair.asks)),
            ("fingerprint", pair.fingerprint.map { .text($0) }),
            ("public-key", pair.publicLine.map { .text($0) }),
        ])
    }
}
