// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Dispatch
import Sealing
import SecretMemory

/// The two keys derived from a file key (ProtectedFile.md, "Keys"). Wiped on deinit.
final class FileKeys: Sendable {
    let content: SecretBytes
    let header: SecretBytes

    init(from fileKey: borrowing SecretBytes, _ fileID: [UInt8], _ protection: ProtectionClass) throws {
        let both = try KeyDerivation.expand(
            from: fileKey, label: .fileKeys, context: fileID + [protection.rawValue], count: 64
        )
        guard let content = try both.part(0..<32), let header = try both.part(32..<64) else {
            throw SealingError.malformed
        }
        self.content = content
        self.header = header
    }

    /// Generates a file key, and seals it for the header. The caller calls `Keybag.rememberFile`. Errors: `.locked` and
    /// all others of the keybag.
    static func draw(
        for protection: ProtectionClass, _ fileID: [UInt8], in keybag: Keybag
    ) throws -> (SealedFileKey, FileKeys) {
        let key = try SecretBytes.random(count: 32)
        return (
            try keybag.seal(fileKey: key, for: protection, fileID), try FileKeys(from: key, fileID, protection)
        )
    }

    /// The keys of an existing file. Errors: `.locked`, `.keyDestroyed`, `.damaged`.
    static func fetch(_ header: FileHeader, from keybag: Keybag) throws -> FileKeys {
        let keys = try FileKeys(from: try keybag.open(header), header.fileID, header.protection)
        keybag.noteFile(under: ClassKeyID(header.key.classKeyID))
        return keys
    }

    /// Wraps the same file key under the class's present key; nil if it is already.
    static func rewrapped(_ header: FileHeader, in keybag: Keybag) throws -> SealedFileKey? {
        guard keybag.isRetired(ClassKeyID(header.key.classKeyID)) else { return nil }
        let key = try keybag.seal(fileKey: try keybag.open(header), for: header.protection, header.fileID)
        try keybag.rememberFile(under: ClassKeyID(key.classKeyID))
        return key
    }

    /// A header slot with its authentication code.
    func slot(_ header: FileHeader) throws -> [UInt8] {
        let bytes = header.encoded
        return bytes + (try KeyDerivation.authenticationCode(for: bytes, under: self.header))
    }

    func isAuthentic(_ slot: [UInt8]) throws -> Bool {
        try KeyDerivation.isValid(FileHeader.code(of: slot), for: FileHeader.covered(slot), under: header)
    }

    /// Distinguishes this key from others, for tests that record seals.
    func fingerprint() throws -> [UInt8] {
        try KeyDerivation.authenticationCode(for: Array("fingerprint".utf8), under: header)
    }
}

extension Keybag {
    fileprivate func seal(
        fileKey: borrowing SecretBytes, for protection: ProtectionClass, _ fileID: [UInt8]
    ) throws -> SealedFileKey {
        if protection == .completeUnlessOpen {
            return SealedFileKey(agreed: try sealForCompleteUnlessOpen(fileKey, fileIdentifier: fileID))
        }
        let wrapped = try wrap(fileKey, for: KeyClass(protection))
        return SealedFileKey(
            form: .wrapped, classKeyID: wrapped.classKeyID.value,
            ephemeralPublicKey: [UInt8](repeating: 0, count: 32), wrapped: wrapped.bytes
        )
    }

    fileprivate func open(_ header: FileHeader) throws -> SecretBytes {
        let id = ClassKeyID(header.key.classKeyID)
        switch header.key.form {
        case .agreed:
            return try openCompleteUnlessOpen(header.key.agreed(header.protection), fileIdentifier: header.fileID)
        case .wrapped:
            return try unwrap(
                WrappedKey(keyClass: KeyClass(header.protection), classKeyID: id, bytes: header.key.wrapped)
            )
        }
    }
}

extension SealedFileKey {
    /// See Keybag.md, "completeUnlessOpen".
    fileprivate init(agreed key: CompleteUnlessOpenKey) {
        self.init(
            form: .agreed, classKeyID: key.classKeyID.value, ephemeralPublicKey: key.ephemeralKey, wrapped: key.wrapped
        )
    }

    fileprivate func agreed(_ protection: ProtectionClass) throws -> CompleteUnlessOpenKey {
        var writer = ByteWriter()
        writer.append([KeyClass(protection).code])
        writer.integer(classKeyID)
        writer.append(ephemeralPublicKey)
        writer.append(wrapped)
        guard let key = CompleteUnlessOpenKey(bytes: writer.bytes) else { throw SealingError.malformed }
        return key
    }
}

/// A round of work on chunks, divided into one unit for each thread: the chunks of one node, 3.2 MiB.
struct FileUnits {
    /// The chunks of this round.
    let all: Range<Int>
    private let units: [Range<Int>]

    /// The next round of chunks `from`..<`to` for this number of threads. Units end at node boundaries, so the first
    /// may be short.
    init(from: Int, to: Int, threads: Int) {
        var units: [Range<Int>] = []
        var begin = from
        while begin < to, units.count < max(1, threads) {
            let end = min(to, (begin / FileFormat.fanout + 1) * FileFormat.fanout)
            units.append(begin..<end)
            begin = end
        }
        self.units = units
        all = from..<begin
    }

    /// Runs `body` for all units concurrently; the results are in order.
    func map<R: Sendable>(_ body: @escaping @Sendable (Range<Int>) throws -> R) -> [Result<R, any Error>] {
        let units = units
        if units.count == 1 { return [Result { try body(units[0]) }] }
        let results = Locked<[Int: Result<R, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: units.count) { number in
            let result = Result { try body(units[number]) }
            results.withLock { $0[number] = result }
        }
        return results.withLock { results in units.indices.compactMap { results[$0] } }
    }
}
