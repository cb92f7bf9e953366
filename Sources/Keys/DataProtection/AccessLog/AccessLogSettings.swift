// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// The file `stores/log`: settings and keys of the access log (Documentation/Formats/AccessLog.md).
struct AccessLogSettings: Sendable, Equatable {
    static let fileName = "log"
    static let size = 285
    private static let magic = Array("zamokacl".utf8)
    static let sizes = UInt64(65_536)...UInt64(268_435_456)
    static let mostDays: UInt32 = 3_650
    private static let keyClass = KeyClass(.complete)

    var isOn: Bool
    /// Whether an access that can't be recorded is refused.
    var isRequired: Bool
    var log: UniqueIdentifier
    var home: UniqueIdentifier
    var sizeLimit: UInt64 = 16 << 20
    /// How many days lines are kept; 0: no limit.
    var days: UInt32 = 90
    /// Grows with each change. The home remembers it.
    var generation: UInt32 = 0
    var firstSegment: UInt64
    var firstLine: UInt64
    var publicKey: [UInt8]
    var wrapped: WrappedKey
    var sealed: [UInt8]

    /// The private key, and the beginning of the chain.
    struct Secrets: ~Copyable {
        let privateKey: SecretBytes
        let segment: SecretBytes
    }

    /// New settings, and the chain at its beginning.
    struct Fresh: ~Copyable {
        var settings: AccessLogSettings
        let chain: AccessChain
    }

    private static func context(
        _ log: UniqueIdentifier, _ home: UniqueIdentifier, _ publicKey: [UInt8], _ segment: UInt64, _ line: UInt64
    ) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(log.bytes + home.bytes + publicKey)
        writer.integer(segment)
        writer.integer(line)
        return writer.bytes
    }

    /// Makes new keys. Errors: `.locked`.
    static func make(
        _ keybag: Keybag, firstSegment: UInt64, firstLine: UInt64
    ) throws -> Fresh {
        let pair = try KeyAgreement.generate()
        let segment = try SecretBytes.random(count: 32)
        let key = try SecretBytes.random(count: 32)
        let (log, home) = (UniqueIdentifier.random(), keybag.home)
        let sealed = try Seal.seal(
            try pair.privateKey.joined(with: segment), under: key,
            authenticating: context(log, home, pair.publicKey, firstSegment, firstLine))
        let settings = AccessLogSettings(
            isOn: true, isRequired: false, log: log, home: home, firstSegment: firstSegment, firstLine: firstLine,
            publicKey: pair.publicKey, wrapped: try keybag.wrap(key, for: keyClass), sealed: sealed)
        return Fresh(settings: settings, chain: try AccessChain(segment: segment))
    }

    /// Opens the secrets. Errors: `.locked`, `.keyDestroyed`, `.damaged`.
    func secrets(_ keybag: Keybag) throws -> Secrets {
        let key = try keybag.unwrap(wrapped)
        let both = try Seal.open(
            sealed, under: key, authenticating: Self.context(log, home, publicKey, firstSegment, firstLine))
        guard let privateKey = try both.part(0..<32), let segment = try both.part(32..<64) else {
            throw SealingError.malformed
        }
        return Secrets(privateKey: privateKey, segment: segment)
    }

    /// The same settings under the current class key.
    func rewrapped(_ keybag: Keybag) throws -> AccessLogSettings {
        var settings = self
        settings.wrapped = try keybag.wrap(try keybag.unwrap(wrapped), for: Self.keyClass)
        return settings
    }

    func encoded(_ key: Secret) throws -> [UInt8] {
        var writer = ByteWriter(capacity: Self.size)
        writer.append(Self.magic + [1, (isOn ? 1 : 0) | (isRequired ? 2 : 0)] + [UInt8](repeating: 0, count: 6))
        writer.append(log.bytes + home.bytes)
        writer.integer(sizeLimit)
        writer.integer(days)
        writer.integer(generation)
        writer.integer(firstSegment)
        writer.integer(firstLine)
        writer.append(publicKey + [wrapped.keyClass.code])
        writer.integer(wrapped.classKeyID.value)
        writer.append(wrapped.bytes + sealed)
        let code = try key.withSecretBytes { try KeyDerivation.authenticationCode(for: writer.bytes, under: $0) }
        return writer.bytes + code
    }

    /// Errors: `.newerFormat`, and `SealingError` for anything that is not whole.
    init(_ bytes: [UInt8], _ key: Secret) throws {
        guard bytes.starts(with: Self.magic), bytes.count > 8 else { throw SealingError.malformed }
        guard bytes[8] == 1 else {
            throw DataProtectionError(
                .newerFormat, "the access log was written by a newer version of Zamok; nothing was changed")
        }
        guard bytes.count == Self.size else { throw SealingError.malformed }
        var whole = ByteReader(bytes)
        let (head, code) = (try whole.read(Self.size - 32), try whole.read(32))
        guard try key.withSecretBytes({ try KeyDerivation.isValid(code, for: head, under: $0) }) else {
            throw SealingError.cannotOpen
        }
        var reader = ByteReader(Array(head.dropFirst(9)))
        let flags: UInt8 = try reader.integer()
        guard flags & ~3 == 0, try reader.read(6).allSatisfy({ $0 == 0 }) else { throw SealingError.malformed }
        (isOn, isRequired) = (flags & 1 != 0, flags & 2 != 0)
        guard let log = UniqueIdentifier(bytes: try reader.read(16)),
            let home = UniqueIdentifier(bytes: try reader.read(16))
        else { throw SealingError.malformed }
        (self.log, self.home) = (log, home)
        (sizeLimit, days) = (try reader.integer(), try reader.integer())
        generation = try reader.integer()
        guard Self.sizes.contains(sizeLimit), days <= Self.mostDays, generation < 1 << 31 else {
            throw SealingError.malformed
        }
        (firstSegment, firstLine) = (try reader.integer(), try reader.integer())
        publicKey = try reader.read(32)
        guard let keyClass = KeyClass(code: try reader.integer()), keyClass == Self.keyClass else {
            throw SealingError.malformed
        }
        let id = ClassKeyID(try reader.integer())
        wrapped = WrappedKey(keyClass: keyClass, classKeyID: id, bytes: try reader.read(40))
        sealed = try reader.read(92)
        try reader.end()
    }

    private init(
        isOn: Bool, isRequired: Bool, log: UniqueIdentifier, home: UniqueIdentifier, firstSegment: UInt64,
        firstLine: UInt64, publicKey: [UInt8], wrapped: WrappedKey, sealed: [UInt8]
    ) {
        (self.isOn, self.isRequired, self.log, self.home) = (isOn, isRequired, log, home)
        (self.firstSegment, self.firstLine) = (firstSegment, firstLine)
        (self.publicKey, self.wrapped, self.sealed) = (publicKey, wrapped, sealed)
    }

    /// The flags that the home remembers.
    var rememberedFlags: UInt32 { generation << 1 | (isOn && isRequired ? AccessLog.requiredFlag : 0) }
    /// The largest number of lines in a segment.
    var linesInSegment: UInt64 { min(4096, max(16, sizeLimit / 8 / UInt64(AccessSegment.piece))) }
    /// The age at which a segment is followed by a new one; nil: no limit.
    var secondsOfSegment: UInt64? { days == 0 ? nil : UInt64(days) * 86_400 / 8 }
}
