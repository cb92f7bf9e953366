// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory
import TPMs

/// A numbered device secret with what is needed to move it: former secrets, a recovery key,
/// a TPM (`Documentation/Formats/TPMObjects.md`).
struct DeviceSecretRecord: Sendable {
    static let mostFormers = 8
    static let sizeLimit = 4096
    static let magic = Array("zamokdsc".utf8)
    /// 2 only if the home has a counter in the TPM: a program that doesn't know of it would let it fall behind.
    private static let versions: ClosedRange<UInt8> = 1...2
    private static let codeSize = 32

    enum Form: Sendable {
        /// The file contains the secret.
        case plain(Secret)
        /// A TPM has the secret.
        case tpm(TPMAddress, SealedToTPM)
    }

    /// Incremented with each new secret.
    let number: UInt32
    let form: Form
    /// Detects an earlier state of the home; only if a TPM has the secret.
    let counter: TPMCounter?
    let recovery: RecoverySeal?
    /// The most recent first.
    let formers: [FormerSecret]
    /// The part of the file that the HMAC covers: everything but a plaintext secret and the HMAC. Nothing in
    /// it is secret.
    let bytes: [UInt8]
    /// HMAC under a key derived from the secret.
    private let code: [UInt8]

    var isInTPM: Bool { if case .tpm = form { true } else { false } }

    /// Nil: the bytes have the plaintext form, or no known form.
    init?(_ file: borrowing SecretBytes, _ place: String) throws {
        guard let start = try file.exposingBytes(0..<min(10, file.count)), start.starts(with: Self.magic) else {
            return nil
        }
        do {
            guard file.count <= Self.sizeLimit, start.count == 10, start[8] != 0 else { throw SealingError.malformed }
            guard Self.versions.contains(start[8]) else {
                throw DataProtectionError(
                    .newerFormat,
                    "the device secret \(place) was written by a newer version of Zamok; nothing was changed")
            }
            let end = file.count - Self.codeSize
            let isPlain = start[9] == 0
            let readable = isPlain ? end - SealedToTPM.secretSize : end
            guard readable > 10, let bytes = try file.exposingBytes(0..<readable),
                let code = try file.exposingBytes(end..<file.count)
            else { throw SealingError.malformed }
            var plain: Secret?
            if isPlain, let secret = try file.part(readable..<end) { plain = Secret(secret) }
            try self.init(bytes, code, plain)
        } catch is SealingError {
            throw Self.damaged(place)
        }
    }

    private init(_ bytes: [UInt8], _ code: [UInt8], _ plain: Secret?) throws {
        var reader = ByteReader(bytes)
        _ = try reader.read(8)
        let version: UInt8 = try reader.integer()
        guard try reader.integer(UInt8.self) <= 1 else { throw SealingError.malformed }
        let state: UInt8 = try reader.integer()
        let count: UInt8 = try reader.integer()
        number = try reader.integer()
        guard count <= Self.mostFormers else { throw SealingError.malformed }
        recovery = state == 0 ? nil : try RecoverySeal(&reader, state)
        formers = try (0..<count).map { _ in try FormerSecret(&reader) }
        if let plain {
            form = .plain(plain)
        } else {
            let part = try TPMPart(&reader)
            form = .tpm(part.way, part.sealed)
        }
        guard version == 1 || plain == nil else { throw SealingError.malformed }
        counter = version == 1 ? nil : try TPMCounter(&reader)
        try reader.end()
        self.bytes = bytes
        self.code = code
    }

    /// A copy of `secret`, if the whole file verifies under it.
    func verified(_ secret: borrowing SecretBytes, _ place: String) throws -> SecretBytes {
        guard try !secret.isZero(), let copy = try secret.part(0..<secret.count),
            try KeyDerivation.isValid(code, for: bytes, under: try Self.codeKey(secret))
        else { throw Self.damaged(place) }
        return copy
    }

    private static func damaged(_ place: String) -> DataProtectionError {
        DataProtectionError(.damaged, "the device secret \(place) is damaged; put it back from a backup")
    }

    private static func codeKey(_ secret: borrowing SecretBytes) throws -> SecretBytes {
        try KeyDerivation.expand(from: secret, label: .deviceSecretCode)
    }

    /// Where a new secret is to be stored.
    enum Target: Sendable {
        case plain
        case tpm(TPMAddress, SealedToTPM)
    }

    /// Encodes a whole file.
    static func encode(
        _ secret: borrowing SecretBytes, number: UInt32, in target: Target, counter: TPMCounter? = nil,
        recovery: RecoverySeal?, formers: [FormerSecret]
    ) throws -> SecretBytes {
        var writer = ByteWriter()
        var isPlain = true
        if case .tpm = target { isPlain = false }
        let version: UInt8 = counter == nil ? 1 : 2
        writer.append(magic + [version, isPlain ? 0 : 1, recovery?.state.rawValue ?? 0, UInt8(formers.count)])
        writer.integer(number)
        if let recovery { writer.append(recovery.encoded) }
        for former in formers { writer.append(former.encoded) }
        if case .tpm(let way, let sealed) = target { writer.append(TPMPart(way: way, sealed: sealed).encoded) }
        if let counter { writer.append(counter.encoded) }
        let code = try KeyDerivation.authenticationCode(for: writer.bytes, under: try codeKey(secret))
        let begin = try SecretBytes(copying: writer.bytes)
        let end = try SecretBytes(copying: code)
        return isPlain ? try begin.joined(with: secret).joined(with: end) : try begin.joined(with: end)
    }
}

/// A former device secret, wrapped under the current one: keybags that did not follow yet need it.
struct FormerSecret: Equatable, Sendable {
    let number: UInt32
    private let wrapped: [UInt8]

    init(_ secret: borrowing SecretBytes, number: UInt32, under present: borrowing SecretBytes) throws {
        self.number = number
        wrapped = try KeyWrap.wrap(secret, under: try Self.wrappingKey(number, present))
    }

    init(_ reader: inout ByteReader) throws {
        number = try reader.integer()
        wrapped = try reader.read(SealedToTPM.secretSize + KeyWrap.overhead)
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.integer(number)
        writer.append(wrapped)
        return writer.bytes
    }

    func secret(under present: borrowing SecretBytes) throws -> SecretBytes {
        try KeyWrap.unwrap(wrapped, under: try Self.wrappingKey(number, present))
    }

    private static func wrappingKey(_ number: UInt32, _ present: borrowing SecretBytes) throws -> SecretBytes {
        var context = ByteWriter()
        context.integer(number)
        return try KeyDerivation.expand(from: present, label: .formerDeviceSecret, context: context.bytes)
    }
}

/// What a file stores of a value that only a TPM releases: the TPM's address, and what was sealed to it.
struct TPMPart: Equatable, Sendable {
    let way: TPMAddress
    let sealed: SealedToTPM

    init(way: TPMAddress, sealed: SealedToTPM) {
        self.way = way
        self.sealed = sealed
    }

    init(_ reader: inout ByteReader) throws {
        let way = try TPMAddress(reader.text(Int(reader.integer(UInt16.self))))
        let identity = TPMIdentity(parent: try reader.read(TPMName.size), tpm: try reader.read(TPMName.size))
        let measurements = SealedToTPM.Measurements(bits: try reader.integer())
        let publicArea = try reader.prefixed(limit: SealedToTPM.longestPart)
        let privateArea = try reader.prefixed(limit: SealedToTPM.longestPart)
        guard let way, let measurements else { throw SealingError.malformed }
        self.way = way
        sealed = SealedToTPM(
            identity: identity, measurements: measurements, publicArea: publicArea, privateArea: privateArea)
    }

    var encoded: [UInt8] {
        let text = Array(way.description.utf8)
        var writer = ByteWriter()
        writer.integer(UInt16(truncatingIfNeeded: text.count))
        writer.append(text + sealed.identity.parent + sealed.identity.tpm)
        writer.integer(sealed.measurements.mask)
        writer.prefixed(sealed.publicArea)
        writer.prefixed(sealed.privateArea)
        return writer.bytes
    }
}
