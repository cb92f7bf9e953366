// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import Foundation
import Keychains
import Readers
import SecretMemory
import Statuses

/// The options for files that contain items: a certificate, a key, identities.
struct KeyFileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Add the certificate in this file, PEM or DER; of PEM each that is in it.", valueName: "path"),
        completion: .file())
    var certificate: String?

    @Option(help: ArgumentHelp("Add the key in this file, PEM or DER.", valueName: "path"), completion: .file())
    var key: String?

    @Option(
        help: ArgumentHelp("Add the identities (certificate and key) in this PKCS#12 file.", valueName: "path"),
        completion: .file())
    var p12: String?

    /// Whether none is given.
    var isEmpty: Bool { [certificate, key, p12].allSatisfy { $0 == nil } }

    func validate() throws {
        guard [certificate, key, p12].count(where: { $0 != nil }) < 2 else {
            throw ValidationError("--certificate, --key and --p12 exclude each other; add them one after the other")
        }
    }

    /// The items in the file, with `fields` in each. `passphrase` is called if the file is encrypted.
    func records(
        _ fields: (ItemClass) throws -> ItemRecord, passphrase: () throws -> String
    ) throws -> [ItemRecord] {
        if let certificate {
            return try Self.pieces(try Self.read(certificate), ending: Self.endOfCertificate).map {
                ItemRecord(try Self.certificate($0, of: certificate), with: try fields(.certificate))
            }
        }
        if let key {
            let file = try SSHPassphrase.removed(from: try Self.read(key), passphrase)
            let count = Self.pieces(file, ending: Self.wordOfKey).count / 2
            guard count < 2 else {
                throw CommandFailure.status(
                    .parameter,
                    "there are \(count) keys in \(key.printable); --key adds one, so put each into a file of its own")
            }
            return [ItemRecord(try Self.key(file, of: key, passphrase), with: try fields(.key))]
        }
        guard let p12 else { return [] }
        let identities = try Self.identities(try Self.read(p12), passphrase)
        guard !identities.isEmpty else {
            throw CommandFailure.status(
                .itemNotFound, "there is no identity in \(p12.printable): a private key with its certificate")
        }
        return try identities.map { ItemRecord($0, with: try fields(.identity)) }
    }

    private static let endOfCertificate = Data("-----END CERTIFICATE-----".utf8)
    /// Part of the first and last line of each key, encrypted or not, in every format.
    private static let wordOfKey = Data("PRIVATE KEY-----".utf8)

    /// The parts of a PEM file, each up to one end marker. Text after the last marker is omitted. A file with at most
    /// one marker is returned whole.
    private static func pieces(_ file: Data, ending: Data) -> [Data] {
        var pieces: [Data] = []
        var rest = file[...]
        while let end = rest.place(of: ending) {
            pieces.append(Data(rest[..<end.upperBound]))
            rest = rest[end.upperBound...]
        }
        return pieces.count > 1 ? pieces : [file]
    }

    /// Parses the key in the file at `path`. `passphrase` is called only if it is needed. Errors: wrong usage if the
    /// file holds something else that can be added.
    static func key(_ file: Data, of path: String, _ passphrase: () throws -> String) throws -> KeyItem {
        do { return try KeyItem(file) } catch {
            if error.code == .passphraseRequired { return try KeyItem(file, passphrase: try passphrase()) }
            guard error.code == .damaged, let other = other(file) else { throw error }
            throw CommandFailure.status(
                .parameter,
                "\(path.printable) is \(other.what) and no key; add it with: zamok keychain add --\(other.option) \(path.printable.shellWord)"
            )
        }
    }

    /// What a file without a key holds instead; nil: nothing that can be added.
    private static func other(_ file: Data) -> (what: String, option: String)? {
        if (try? CertificateItem(file)) != nil { return ("a certificate", "certificate") }
        return isPKCS12(file) ? ("a PKCS#12 file", "p12") : nil
    }

    private static func isPKCS12(_ file: Data) -> Bool {
        do {
            _ = try IdentityItem.identities(pkcs12: file, passphrase: "")
            return true
        } catch { return error.code == .pkcs12VerifyFailure }
    }

    private static func isKey(_ file: Data) -> Bool {
        do {
            _ = try KeyItem(file)
            return true
        } catch { return error.code == .passphraseRequired }
    }

    /// Parses a certificate of the file at `path`. Errors: wrong usage if the file holds a key.
    private static func certificate(_ piece: Data, of path: String) throws -> CertificateItem {
        do { return try CertificateItem(piece) } catch {
            guard error.code == .damaged, isKey(piece) else { throw error }
            throw CommandFailure.status(
                .parameter,
                "\(path.printable) is a key and no certificate; add it with: zamok keychain add --key \(path.printable.shellWord)"
            )
        }
    }

    /// Parses the identities. A file that no passphrase can open is reported before the prompt.
    private static func identities(_ file: Data, _ passphrase: () throws -> String) throws -> [IdentityItem] {
        do { return try IdentityItem.identities(pkcs12: file, passphrase: "") } catch let error
            where error.code == .pkcs12VerifyFailure
        {
            return try IdentityItem.identities(pkcs12: file, passphrase: try passphrase())
        }
    }

    static func read(_ path: String) throws -> Data {
        let file = try NamedFile.open(path)
        defer { try? file.close() }
        do { return try file.read(upToCount: (16 << 20) + 1) ?? Data() } catch { throw NamedFile.unreadable(path) }
    }
}

/// The source of the passphrase of an export, or of a key file.
struct PassphraseOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("A file with the passphrase, by the same rules as --passcode-file.", valueName: "path"),
        completion: .file()
    )
    var passphraseFile: String?

    /// The passphrase. The prompt for a new one is repeated.
    func read(isNew: Bool, of what: String = "export") throws -> SecretBytes {
        let first = try passphraseFile.map(Passcodes.read) ?? ask("to \(isNew ? "seal" : "open") the \(what)")
        guard isNew else { return first }
        guard try Passcodes.characters(in: first) >= 8 else {
            throw CommandFailure.usage("the passphrase has at least 8 characters; nothing was written")
        }
        guard passphraseFile == nil else { return first }
        guard try first.isEqual(to: ask("once more")) else {
            throw CommandFailure.usage("the two passphrases differ; nothing was written")
        }
        return first
    }

    /// The passphrase of a key file, as text.
    func text() throws -> String {
        let secret = Secret(
            try passphraseFile.map { try Passcodes.read($0) } ?? ask("to open the file of keys"))
        guard let text = try String(exposing: secret) else {
            throw CommandFailure.usage("the passphrase is not text in UTF-8")
        }
        return text
    }

    /// A new passphrase of at least 8 characters, as text.
    func newText(of what: String) throws -> String {
        let secret = Secret(try read(isNew: true, of: what))
        guard let text = try String(exposing: secret), text.count >= 8 else {
            throw CommandFailure.usage("the passphrase has at least 8 characters, in UTF-8; nothing was written")
        }
        return text
    }

    private func ask(_ reason: String) throws -> SecretBytes {
        try Passcodes.ask(
            ItemPrompter(passcodeFile: nil), purpose: .exportPassphrase, option: "--passphrase-file", reason: reason)
    }
}
