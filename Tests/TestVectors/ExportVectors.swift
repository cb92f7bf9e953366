// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// Writes an export as Documentation/Formats/Export.md says, with every field open to a fault.
struct ExportFileWriter {
    static let passphrase = "a long passphrase"

    var magic = Array("zamokexp".utf8)
    var version: UInt8 = 1
    /// Below the limits: vectors are opened by a home that allows it, unless they say otherwise.
    var parameters: [UInt8] = [4, 8, 1]
    var reserved = KeybagWriter.zeros(4)
    var salt = KeybagWriter.pattern(50, 16)
    var firstIndex: UInt64 = 0
    var marksLast = true
    var item = ItemEncoding()
    var itemClass = Array("genp".utf8)
    var secret = Array("s3cret".utf8)
    /// In place of the right length of the record, and of its attributes.
    var recordLength: UInt32?
    var attributesLength: UInt32?
    /// In place of the one record.
    var plaintext: [UInt8]?
    var tail: [UInt8] = []

    var record: [UInt8] {
        let encoded = item.bytes
        let body = itemClass + KeybagWriter.bytes(attributesLength ?? UInt32(encoded.count)) + encoded + secret
        return KeybagWriter.bytes(recordLength ?? UInt32(body.count)) + body
    }

    func file() throws -> [UInt8] {
        let header = magic + [version] + parameters + reserved + salt
        let key = try key()
        var rest = (plaintext ?? record)[...]
        var file = header
        var index = firstIndex
        repeat {
            let chunk = rest.prefix(65536)
            rest = rest.dropFirst(65536)
            let associated = header + KeybagWriter.bytes(index) + [rest.isEmpty && marksLast ? 1 : 0]
            file += try VectorCryptography.seal(Array(chunk), key, associated)
            index += 1
        } while !rest.isEmpty
        return file + tail
    }

    private func key() throws -> [UInt8] {
        guard
            let parameters = try? ScryptParameters(
                logRounds: parameters[0], blockSize: parameters[1], parallelism: parameters[2], allowingInsecure: true
            )
        else { return KeybagWriter.pattern(51, 32) }
        let stretched = try KeyDerivation.scrypt(
            try SecretBytes(copying: Array(Self.passphrase.utf8)), salt: salt, parameters: parameters)
        return try VectorCryptography.exposed(try KeyDerivation.derive(from: stretched, salt: [], label: .export))
    }
}

/// The vectors of the format Export. `expect` is "imports", with the numbers of added and refused items, or the
/// OSStatus and words of the message.
package enum ExportVectors {
    /// By name.
    package static func all() throws -> [String: VectorFile] {
        try good().merging(header()) { $1 }.merging(chunks()) { $1 }.merging(records()) { $1 }
            .merging(attributes()) { $1 }
    }

    private static func planned(
        _ layer: String, _ expect: String, _ change: (inout ExportFileWriter) throws -> Void = { _ in }
    ) throws -> VectorFile {
        var writer = ExportFileWriter()
        try change(&writer)
        var vector = VectorFile()
        vector.header = ["expect": expect, "layer": layer, "passphrase": ExportFileWriter.passphrase]
        vector.files = ["export": try writer.file()]
        return vector
    }

    private static func edited(
        _ layer: String, _ expect: String, _ change: (inout [UInt8]) -> Void
    ) throws -> VectorFile {
        var vector = try planned(layer, expect)
        change(&vector.files["export", default: []])
        return vector
    }

    private static func strict(_ vector: VectorFile) -> VectorFile {
        var vector = vector
        vector.header["limits"] = "strict"
        return vector
    }

    private static func good() throws -> [String: VectorFile] {
        [
            "good": try planned("none", "imports 1, refused 0"),
            "good-real-limits": strict(try planned("none", "imports 1, refused 0") { $0.parameters = [16, 8, 1] }),
            "good-empty": try planned("none", "imports 0, refused 0") { $0.plaintext = [] },
            "good-two-records": try planned("none", "imports 2, refused 0") { writer in
                var other = writer
                other.item.attributes[0] = ItemEncoding.text("acct", Array("berta".utf8))
                writer.plaintext = writer.record + other.record
            },
            "unknown-item-class": try planned("none", "imports 0, refused 1") { $0.itemClass = Array("idnt".utf8) },
            "unknown-accessibility": try planned("none", "imports 0, refused 1") {
                $0.item.attributes[4] = ItemEncoding.text("pdmn", Array("zz".utf8))
            },
            "of-another-access-group": try planned("none", "imports 0, refused 1") {
                $0.item.attributes[1] = ItemEncoding.text("agrp", Array("foreign".utf8))
            },
        ]
    }

    private static func header() throws -> [String: VectorFile] {
        let none = "-25257: not an export"
        let damaged = "-26275: damaged or cut off"
        var vectors = [
            "magic": try planned("header", none) { $0.magic[0] ^= 0x20 },
            "empty": try edited("header", none) { $0 = [] },
            "header-cut": try edited("header", none) { $0 = Array($0.prefix(31)) },
            "version-0": try planned("header", damaged) { $0.version = 0 },
            "version-2": try planned("header", "-25256: newer Zamok") { $0.version = 2 },
            "reserved-not-zero": try planned("header", damaged) { $0.reserved[3] = 1 },
        ]
        for (name, place, value) in [
            ("log-rounds-15", 0, 15), ("log-rounds-18", 0, 18), ("log-rounds-21", 0, 21), ("log-rounds-255", 0, 255),
            ("block-size-7", 1, 7), ("block-size-9", 1, 9), ("parallelism-0", 2, 0), ("parallelism-2", 2, 2),
            ("parallelism-5", 2, 5),
        ] as [(String, Int, UInt8)] {
            vectors[name] = strict(
                try planned("header", "-26275: scrypt parameters") {
                    $0.parameters = [16, 8, 1]
                    $0.parameters[place] = value
                })
        }
        return vectors
    }

    private static func chunks() throws -> [String: VectorFile] {
        let closed = "-25293: passphrase is wrong, or the export is damaged"
        var other = try planned("first chunk", closed)
        other.header["passphrase"] = "another passphrase"
        let long = { (writer: inout ExportFileWriter) in writer.secret = KeybagWriter.pattern(52, 65536) }
        var second = try planned("second chunk", "-26275: damaged or cut off", long)
        second.files["export"]?[32 + 65564 + 20] ^= 1
        return [
            "wrong-passphrase": other,
            "salt-changed": try edited("first chunk", closed) { $0[16] ^= 1 },
            "chunk-changed": try edited("first chunk", closed) { $0[50] ^= 1 },
            "chunk-tag-changed": try edited("first chunk", closed) { bytes in bytes[bytes.count - 1] ^= 1 },
            "chunk-missing": try edited("first chunk", closed) { $0 = Array($0.prefix(32)) },
            "chunk-cut": try edited("first chunk", closed) { $0.removeLast() },
            "chunk-cut-in-tag": try edited("first chunk", closed) { $0 = Array($0.prefix(32 + 27)) },
            "one-byte-more": try edited("first chunk", closed) { $0.append(0) },
            "last-chunk-not-marked": try planned("first chunk", closed) { $0.marksLast = false },
            "first-chunk-has-index-1": try planned("first chunk", closed) { $0.firstIndex = 1 },
            "second-chunk-changed": second,
        ]
    }

    private static let damaged = "-26275: damaged or cut off"

    private static func records() throws -> [String: VectorFile] {
        let layer = "record"
        return [
            "record-longer-than-the-rest": try planned(layer, damaged) { $0.recordLength = 4000 },
            "record-shorter-than-its-attributes": try planned(layer, damaged) { $0.recordLength = 60 },
            "record-of-7-bytes": try planned(layer, damaged) { $0.plaintext = [0, 0, 0, 7] + KeybagWriter.zeros(7) },
            "record-of-0-bytes": try planned(layer, damaged) { $0.plaintext = [0, 0, 0, 0] },
            "record-above-18-MiB": try planned(layer, damaged) { $0.recordLength = (18 << 20) + 1 },
            "record-of-4-GiB": try planned(layer, damaged) { $0.recordLength = .max },
            "length-cut": try planned(layer, damaged) { $0.plaintext = [0, 0, 1] },
            "second-record-cut": try planned(layer, damaged) { $0.plaintext = $0.record + $0.record.dropLast() },
            "attributes-longer-than-the-record": try planned(layer, damaged) { $0.attributesLength = 4000 },
            "attributes-of-4-GiB": try planned(layer, damaged) { $0.attributesLength = .max },
            "secret-without-flag": try planned(layer, damaged) { $0.item.flags = 0 },
        ]
    }

    private static func attributes() throws -> [String: VectorFile] {
        let layer = "attributes"
        return [
            "attributes-version-2": try planned(layer, damaged) { $0.item.version = 2 },
            "flag-unknown": try planned(layer, damaged) { $0.item.flags = 3 },
            "count-too-high": try planned(layer, damaged) { $0.item.count = 8 },
            "count-too-low": try planned(layer, damaged) { $0.item.count = 6 },
            "names-not-in-order": try planned(layer, damaged) { $0.item.attributes.swapAt(0, 1) },
            "name-twice": try planned(layer, damaged) { $0.item.attributes.insert($0.item.attributes[0], at: 0) },
            "text-not-UTF-8": try planned(layer, damaged) {
                $0.item.attributes[0] = ItemEncoding.text("acct", [0xC3, 0x28])
            },
            "type-5": try planned(layer, damaged) { $0.item.attributes[6].type = 5 },
            "129-attributes": try planned(layer, damaged) { writer in
                writer.item.attributes = (0..<129).map { number in
                    ItemEncoding.text("x\(100 + number)", [65])
                }
            },
        ]
    }
}
