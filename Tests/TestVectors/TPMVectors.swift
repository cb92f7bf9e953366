// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// The vectors of the files in Documentation/Formats/TPMObjects.md: the device secret with a number, versions 1 and 2,
/// and the record of freshness. They are written from the document. The header has the secret, since only a TPM gives
/// it.
///
/// `expect`: "opens", "none" (freshness: no such record), or the error's code.
package enum TPMVectors {
    package static func all() throws -> [String: [String: VectorFile]] {
        ["DeviceSecretRecord": try records(), "Freshness": try freshness()]
    }

    // MARK: Device secret

    /// A device secret with a number, as the page lays it out.
    struct Record {
        var magic = Array("zamokdsc".utf8)
        var version: UInt8 = 2
        var form: UInt8 = 1
        var state: UInt8 = 2
        var count: UInt8?
        var number: UInt32 = 7
        var formers: [UInt32] = [6, 4]
        var way = "swtpm:/nowhere/chip"
        var registers: UInt32 = 1 << 7
        var publicArea: [UInt8] =
            [0, 0x08, 0, 0x0B, 0, 0, 0x04, 0x12, 0, 32] + KeybagWriter.pattern(72, 32) + [0, 0x10]
        var privateArea = KeybagWriter.pattern(73, 120)
        var counter: [UInt8] = KeybagWriter.bytes(UInt32(0x0181_2345)) + KeybagWriter.pattern(74, 32)
        var code: [UInt8]?
        var trailing: [UInt8] = []

        static let secret = KeybagWriter.pattern(70, 32)
        static let recovery = KeybagWriter.pattern(65, 20)

        static func former(_ number: UInt32) -> [UInt8] {
            KeybagWriter.pattern(UInt8(truncatingIfNeeded: 80 + number), 32)
        }

        func bytes() throws -> [UInt8] {
            var bytes = magic + [version, form, state, count ?? UInt8(formers.count)] + KeybagWriter.bytes(number)
            if state != 0 { bytes += try TPMVectors.seal(Self.secret, Self.recovery, .recoverySeal) }
            for former in formers {
                let context = KeybagWriter.bytes(former)
                let key = try TPMVectors.expand(Self.secret, .formerDeviceSecret, context)
                bytes += context + (try TPMVectors.wrap(Self.former(former), key))
            }
            if form == 1 {
                let way = Array(way.utf8)
                bytes += KeybagWriter.bytes(UInt16(way.count)) + way
                bytes += [0, 0x0B] + KeybagWriter.pattern(60, 32) + [0, 0x0B] + KeybagWriter.pattern(61, 32)
                bytes += KeybagWriter.bytes(registers)
                for part in [publicArea, privateArea] { bytes += KeybagWriter.bytes(UInt32(part.count)) + part }
            }
            bytes += counter + trailing
            let code = try code ?? TPMVectors.code(bytes, try TPMVectors.expand(Self.secret, .deviceSecretCode, []))
            return bytes + (form == 0 ? Self.secret : []) + code
        }
    }

    private static func record(_ expect: String, _ change: (inout Record) -> Void = { _ in }) throws -> VectorFile {
        var record = Record()
        change(&record)
        var vector = VectorFile()
        vector.header = ["expect": expect, "secret": VectorFile.text(Record.secret)]
        if expect == "opens" {
            vector.header["number"] = String(record.number)
            vector.header["formers"] = record.formers.map { "\($0):\(VectorFile.text(Record.former($0)))" }
                .joined(separator: " ")
            vector.header["counter"] = VectorFile.text(record.counter)
            if record.form == 1 { vector.header["way"] = record.way }
            if record.state != 0 { vector.header["recovery"] = VectorFile.text(Record.recovery) }
        }
        vector.files = ["device-secret": try record.bytes()]
        return vector
    }

    private static func records() throws -> [String: VectorFile] {
        func cut(_ count: Int) throws -> VectorFile {
            var vector = try record("damaged")
            vector.files["device-secret"]?.removeLast(count)
            return vector
        }
        return [
            "good": try record("opens"),
            "good-without-counter": try record("opens") { ($0.version, $0.counter) = (1, []) },
            "good-without-formers": try record("opens") { $0.formers = [] },
            "good-8-formers": try record("opens") { $0.formers = [6, 5, 4, 3, 2, 1, 0, 9] },
            "good-in-the-file": try record("opens") { ($0.version, $0.form, $0.counter) = (1, 0, []) },
            "good-without-recovery-code": try record("opens") {
                ($0.form, $0.version, $0.state, $0.counter) = (0, 1, 0, [])
            },
            "good-device": try record("opens") { $0.way = "device:/dev/tpmrm0" },
            "version-0": try record("damaged") { $0.version = 0 },
            "version-3": try record("newerFormat") { $0.version = 3 },
            "version-1-with-counter": try record("damaged") { $0.version = 1 },
            "version-2-without-counter": try record("damaged") { $0.counter = [] },
            "version-2-in-the-file": try record("damaged") { $0.form = 0 },
            "form-2": try record("damaged") { $0.form = 2 },
            "state-3": try record("damaged") { $0.state = 3 },
            "9-formers": try record("damaged") { $0.formers = Array(0..<9) },
            "fewer-formers-than-it-says": try record("damaged") { $0.count = 3 },
            "way-that-is-none": try record("damaged") { $0.way = "tpm0" },
            "way-not-absolute": try record("damaged") { $0.way = "swtpm:chip" },
            "way-too-long": try record("damaged") { $0.way = "swtpm:/" + String(repeating: "a", count: 250) },
            "register-24": try record("damaged") { $0.registers = 1 << 24 },
            "public-area-513": try record("damaged") { $0.publicArea = KeybagWriter.pattern(1, 513) },
            "private-area-513": try record("damaged") { $0.privateArea = KeybagWriter.pattern(1, 513) },
            "trailing-byte": try record("damaged") { $0.trailing = [0] },
            "code-changed": try record("damaged") { $0.code = KeybagWriter.pattern(1, 32) },
            "cut-short": try cut(1),
            "cut-in-the-middle": try cut(200),
            "magic-and-version-alone": try cut(try Record().bytes().count - 9),
        ]
    }

    // MARK: Freshness

    /// A record of freshness, as the page lays it out.
    struct Freshness {
        var magic = Array("zamokfsh".utf8)
        var version: UInt8 = 1
        var mark = KeybagWriter.pattern(90, 32)
        var number: UInt64 = 42
        var time: Int64 = 1_795_000_000
        var count: UInt32?
        var entries: [(owner: [UInt8], name: String, number: UInt64, digest: [UInt8])] = [
            (KeybagWriter.zeros(16), "keybag", 9, KeybagWriter.zeros(16)),
            (KeybagWriter.zeros(16), "keychain.db", 1234, KeybagWriter.pattern(91, 16)),
            (KeybagWriter.pattern(92, 16), "preferences.db", 7, KeybagWriter.pattern(93, 16)),
        ]
        var trailing: [UInt8] = []
        var code: [UInt8]?

        static let mark = KeybagWriter.pattern(90, 32)

        func bytes() throws -> [UInt8] {
            var bytes = magic + [version] + KeybagWriter.zeros(7) + mark + KeybagWriter.bytes(number)
            bytes += KeybagWriter.bytes(time) + KeybagWriter.bytes(count ?? UInt32(entries.count))
            for entry in entries {
                let name = Array(entry.name.utf8)
                bytes += entry.owner + name + KeybagWriter.zeros(16 - name.count)
                bytes += KeybagWriter.bytes(entry.number) + entry.digest
            }
            bytes += trailing
            let key = try TPMVectors.expand(Record.secret, .freshness, Self.mark)
            return bytes + (try code ?? TPMVectors.code(bytes, key))
        }
    }

    private static func freshness(
        _ expect: String, _ change: (inout Freshness) -> Void = { _ in }
    ) throws -> VectorFile {
        var record = Freshness()
        change(&record)
        var vector = VectorFile()
        vector.header = [
            "expect": expect, "secret": VectorFile.text(Record.secret), "mark": VectorFile.text(Freshness.mark),
        ]
        if expect == "opens" {
            vector.header["number"] = String(record.number)
            vector.header["time"] = String(record.time)
            vector.header["entries"] = record.entries.map {
                "\(VectorFile.text($0.owner)):\($0.name):\($0.number):\(VectorFile.text($0.digest))"
            }.joined(separator: " ")
        }
        vector.files = ["freshness": try record.bytes()]
        return vector
    }

    private static func freshness() throws -> [String: VectorFile] {
        func cut(_ count: Int) throws -> VectorFile {
            var vector = try freshness("none")
            vector.files["freshness"]?.removeLast(count)
            return vector
        }
        return [
            "good": try freshness("opens"),
            "good-without-entries": try freshness("opens") { $0.entries = [] },
            "good-name-of-16-bytes": try freshness("opens") { $0.entries[1].name = "sixteen-bytes.db" },
            "magic": try freshness("none") { $0.magic[0] ^= 0x20 },
            "version-2": try freshness("newerFormat") { $0.version = 2 },
            "of-another-counter": try freshness("none") { $0.mark[0] ^= 1 },
            "code-changed": try freshness("none") { $0.code = KeybagWriter.pattern(1, 32) },
            "one-entry-more-than-it-says": try freshness("none") { $0.count = 2 },
            "one-entry-less-than-it-says": try freshness("none") { $0.count = 4 },
            "4097-entries-said": try freshness("none") { $0.count = 4097 },
            "trailing-byte": try freshness("none") { $0.trailing = [0] },
            "cut-short": try cut(1),
            "code-alone": try cut(try Freshness().bytes().count - 32),
        ]
    }

    // MARK: Cryptography on bytes

    private static func expand(_ key: [UInt8], _ label: KeyLabel, _ context: [UInt8]) throws -> [UInt8] {
        let made = try KeyDerivation.expand(from: try SecretBytes(copying: key), label: label, context: context)
        return try made.exposingBytes(0..<made.count) ?? []
    }

    private static func derive(_ material: [UInt8], _ label: KeyLabel, _ context: [UInt8] = []) throws -> [UInt8] {
        let made = try KeyDerivation.derive(
            from: try SecretBytes(copying: material), salt: [], label: label, context: context)
        return try made.exposingBytes(0..<made.count) ?? []
    }

    private static func code(_ message: [UInt8], _ key: [UInt8]) throws -> [UInt8] {
        try KeyDerivation.authenticationCode(for: message, under: try SecretBytes(copying: key))
    }

    private static func wrap(_ secret: [UInt8], _ key: [UInt8]) throws -> [UInt8] {
        try KeyWrap.wrap(try SecretBytes(copying: secret), under: try SecretBytes(copying: key))
    }

    /// Public key of the code, ephemeral public key, wrapped secret.
    private static func seal(_ secret: [UInt8], _ recovery: [UInt8], _ label: KeyLabel) throws -> [UInt8] {
        let publicKey = try KeyAgreement.publicKey(of: try SecretBytes(copying: try derive(recovery, .recoveryKey)))
        let ephemeral = try SecretBytes(copying: KeybagWriter.pattern(66, 32))
        let ephemeralKey = try KeyAgreement.publicKey(of: ephemeral)
        let shared = try KeyAgreement.sharedSecret(of: ephemeral, with: publicKey)
        let bytes = try shared.exposingBytes(0..<shared.count) ?? []
        let key = try derive(bytes, label, ephemeralKey + publicKey)
        return publicKey + ephemeralKey + (try wrap(secret, key))
    }
}
