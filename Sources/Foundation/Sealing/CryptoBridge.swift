// SPDX-License-Identifier: Apache-2.0
//
// With KeyDerivation+System.swift, the only file that passes secrets to swift-crypto. Nothing else in the package
// imports Crypto for work on secrets.

import Crypto
import CryptoExtras
package import SecretMemory

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Authenticated envelopes: AES-256-GCM with a fresh random nonce of 12 bytes, stored as nonce || ciphertext || tag.
package enum Seal {
    /// How many bytes longer a sealed box is than its content.
    package static let overhead = 12 + 16

    /// Seals `plaintext`. Opening it takes the same `authenticated` bytes.
    package static func seal(
        _ plaintext: borrowing SecretBytes,
        under key: borrowing SecretBytes,
        authenticating authenticated: [UInt8]
    ) throws -> [UInt8] {
        try ClearedScope.run {
            try key.withSymmetricKey { key in
                unsafe try plaintext.withBuffer { plaintext in
                    let nonce = try AES.GCM.Nonce(data: randomBytes(count: NoncePool.size))
                    let box = unsafe try AES.GCM.seal(
                        plaintext, using: key, nonce: nonce, authenticating: authenticated)
                    guard let combined = box.combined else { throw SealingError.cannotSeal }
                    return Array(combined)
                }
            }
        }
    }

    /// Opens the output of `seal`. All failures give the same error.
    package static func open(
        _ sealed: [UInt8],
        under key: borrowing SecretBytes,
        authenticating authenticated: [UInt8]
    ) throws -> SecretBytes {
        try open(sealed, under: key, authenticating: authenticated) { try SecretBytes(copying: $0) }
    }

    /// Like `open`, but lends the content to `body`, for content that is not kept unchanged.
    package static func open<R: ~Copyable>(
        _ sealed: [UInt8],
        under key: borrowing SecretBytes,
        authenticating authenticated: [UInt8],
        _ body: (RawSpan) throws -> R
    ) throws -> R {
        try ClearedScope.run {
            try key.withSymmetricKey { key in
                guard let box = try? AES.GCM.SealedBox(combined: sealed),
                    let opened = try? unsafe authenticated.withUnsafeBytes({ authenticated in
                        unsafe try AES.GCM.open(box, using: key, authenticating: authenticated)
                    })
                else { throw SealingError.cannotOpen }
                defer { opened.wipe() }
                return try body(opened.bytes)
            }
        }
    }
}

/// AES key wrap, RFC 3394.
package enum KeyWrap {
    /// How many bytes longer a wrapped key is than the key.
    package static let overhead = 8

    package static func wrap(_ key: borrowing SecretBytes, under wrapping: borrowing SecretBytes) throws -> [UInt8] {
        try ClearedScope.run {
            try wrapping.withSymmetricKey { wrapping in
                try key.withSymmetricKey { Array(try AES.KeyWrap.wrap($0, using: wrapping)) }
            }
        }
    }

    package static func unwrap(_ wrapped: [UInt8], under wrapping: borrowing SecretBytes) throws -> SecretBytes {
        try ClearedScope.run {
            try wrapping.withSymmetricKey { wrapping in
                guard
                    let key = try? unsafe wrapped.withUnsafeBytes({ unsafe try AES.KeyWrap.unwrap($0, using: wrapping) }
                    )
                else { throw SealingError.cannotOpen }
                let secret = try key.secretBytes()
                try secret.refuseZero()
                return secret
            }
        }
    }
}

/// HKDF-SHA-256 (RFC 5869) and HMAC-SHA-256.
package enum KeyDerivation {
    /// HKDF extract and expand, for roots made from several secrets.
    package static func derive(
        from material: borrowing SecretBytes,
        salt: [UInt8],
        label: KeyLabel,
        context: [UInt8] = [],
        count: Int = 32
    ) throws -> SecretBytes {
        try ClearedScope.run {
            try material.refuseZero()
            let extracted = unsafe try material.withBuffer { material in
                unsafe salt.withUnsafeBytes { unsafe code(under: $0, material) }
            }
            var derived: SecretBytes?
            try unsafe extracted.withUnsafeBytes {
                unsafe derived = try blocks(label.info(context), under: $0, count)
            }
            guard let derived = derived.take() else { throw SealingError.malformed }
            return derived
        }
    }

    /// HKDF expand only, for subkeys of a key that is already uniformly random.
    package static func expand(
        from key: borrowing SecretBytes,
        label: KeyLabel,
        context: [UInt8] = [],
        count: Int = 32
    ) throws -> SecretBytes {
        try ClearedScope.run {
            try key.refuseZero()
            return try unsafe key.withBuffer { unsafe try blocks(label.info(context), under: $0, count) }
        }
    }

    /// The blocks of HKDF-Expand: each is the HMAC of the previous block, `info` and its one-byte number.
    private static func blocks(
        _ info: [UInt8], under key: UnsafeRawBufferPointer, _ count: Int
    ) throws -> SecretBytes {
        let size = SHA256.byteCount
        guard (1...255 * size).contains(count) else { throw SealingError.malformed }
        return try SecretBytes(count: count) { target in
            unsafe withUnsafeTemporaryAllocation(byteCount: size + info.count + 1, alignment: 8) { message in
                unsafe info.withUnsafeBytes {
                    unsafe UnsafeMutableRawBufferPointer(rebasing: message[size...]).copyMemory(from: $0)
                }
                for number in 1...(count + size - 1) / size {
                    unsafe message[size + info.count] = UInt8(truncatingIfNeeded: number)
                    let begin = number == 1 ? size : 0
                    let block = unsafe code(under: key, UnsafeRawBufferPointer(rebasing: message[begin...]))
                    let offset = (number - 1) * size
                    unsafe block.withUnsafeBytes { block in
                        for index in 0..<min(size, count - offset) {
                            unsafe target.storeBytes(of: block[index], toByteOffset: offset + index, as: UInt8.self)
                        }
                        if offset + size < count { unsafe message.copyMemory(from: block) }
                    }
                }
            }
        }
    }

    /// The HMAC-SHA-256 of `message`, or its first `count` bytes of 32.
    package static func authenticationCode(
        for message: [UInt8], under key: borrowing SecretBytes, count: Int = 32
    ) throws -> [UInt8] {
        try ClearedScope.run {
            unsafe try digest(of: message, under: key).withUnsafeBytes { unsafe Array($0.prefix(count)) }
        }
    }

    /// The HMAC-SHA-256 of each of `messages`. The key is processed once, and its traces are cleared once.
    package static func authenticationCodes(
        for messages: [[UInt8]], under key: borrowing SecretBytes
    ) throws -> [[UInt8]] {
        try ClearedScope.run {
            try key.refuseZero()
            return try unsafe key.withBuffer { key in
                let begun = unsafe BegunCode(under: key)
                return messages.map { message in
                    let code = unsafe message.withUnsafeBytes { unsafe begun.code($0) }
                    return unsafe code.withUnsafeBytes { unsafe Array($0) }
                }
            }
        }
    }

    /// Whether `code` is the HMAC-SHA-256 of `message`. The library compares digests in constant time.
    package static func isValid(
        _ code: [UInt8],
        for message: [UInt8],
        under key: borrowing SecretBytes
    ) throws -> Bool {
        try ClearedScope.run { try digest(of: message, under: key) == code }
    }

    private static func digest(of message: [UInt8], under key: borrowing SecretBytes) throws -> SHA256Digest {
        try key.refuseZero()
        return try unsafe key.withBuffer { key in
            unsafe message.withUnsafeBytes { unsafe code(under: key, $0) }
        }
    }

    /// The longest message that is put on the stack beside the padded key.
    private static let shortMessage = 512

    /// HMAC (RFC 2104) with the library's SHA-256 (Decision 0013). A short message follows the padded key in one
    /// buffer, so that each of the two hashes is one call.
    private static func code(under key: UnsafeRawBufferPointer, _ message: UnsafeRawBufferPointer) -> SHA256Digest {
        guard key.count <= SHA256.blockByteCount, message.count <= shortMessage else {
            return unsafe BegunCode(under: key).code(message)
        }
        let (block, size) = (SHA256.blockByteCount, SHA256.byteCount)
        let room = block + max(size, message.count)
        return unsafe withUnsafeTemporaryAllocation(byteCount: room, alignment: 8) { bytes in
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[block...])
            unsafe BegunCode.pad(key, 0x36, into: bytes)
            unsafe rest.copyMemory(from: message)
            let inner = unsafe BegunCode.hash(UnsafeRawBufferPointer(rebasing: bytes[..<(block + message.count)]))
            unsafe BegunCode.pad(key, 0x5C, into: bytes)
            unsafe inner.withUnsafeBytes { unsafe rest.copyMemory(from: $0) }
            return unsafe BegunCode.hash(UnsafeRawBufferPointer(rebasing: bytes[..<(block + size)]))
        }
    }

    /// scrypt (RFC 7914), 32 bytes. Throws `StretchingFailure` for lack of memory, since the parameters are within
    /// their limits.
    package static func scrypt(
        _ passcode: borrowing SecretBytes,
        salt: [UInt8],
        parameters: ScryptParameters
    ) throws -> SecretBytes {
        try ClearedScope.run {
            unsafe try passcode.withBuffer { passcode throws -> SecretBytes in
                do {
                    return unsafe try KDF.Scrypt.deriveKey(
                        from: passcode, salt: salt, outputByteCount: 32, rounds: parameters.rounds,
                        blockSize: parameters.blockSize, parallelism: parameters.parallelism,
                        maxMemory: parameters.memoryLimit
                    ).secretBytes()
                } catch let error as CryptoKitError {
                    throw StretchingFailure(cause: error)
                }
            }
        }
    }
}

/// HMAC with the hashes of one-time codes (RFC 4226, RFC 6238).
package enum OneTimeHash: String, Sendable, CaseIterable {
    case sha1 = "SHA1"
    case sha256 = "SHA256"
    case sha512 = "SHA512"

    /// The code of `message`: 20, 32 or 64 bytes.
    package func code(for message: [UInt8], under key: borrowing SecretBytes) throws -> [UInt8] {
        try ClearedScope.run {
            try key.withSymmetricKey { key in
                switch self {
                case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
                case .sha256: Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
                case .sha512: Array(HMAC<SHA512>.authenticationCode(for: message, using: key))
                }
            }
        }
    }
}

/// HMAC's two hashes after the padded key: for long messages, and for many messages under one key.
private struct BegunCode: Sendable {
    private let inner: SHA256
    private let outer: SHA256

    init(under key: UnsafeRawBufferPointer) {
        guard key.count <= SHA256.blockByteCount else {
            self = unsafe Self.hash(key).withUnsafeBytes { unsafe BegunCode(under: $0) }
            return
        }
        (inner, outer) = unsafe withUnsafeTemporaryAllocation(byteCount: SHA256.blockByteCount, alignment: 8) { block in
            func begun(_ pad: UInt8) -> SHA256 {
                unsafe Self.pad(key, pad, into: block)
                var hash = SHA256()
                unsafe hash.update(bufferPointer: UnsafeRawBufferPointer(block))
                return hash
            }
            return (begun(0x36), begun(0x5C))
        }
    }

    func code(_ message: UnsafeRawBufferPointer) -> SHA256Digest {
        var (inner, outer) = (inner, outer)
        unsafe inner.update(bufferPointer: message)
        unsafe inner.finalize().withUnsafeBytes { unsafe outer.update(bufferPointer: $0) }
        return outer.finalize()
    }

    static func hash(_ bytes: UnsafeRawBufferPointer) -> SHA256Digest {
        var hash = SHA256()
        unsafe hash.update(bufferPointer: bytes)
        return hash.finalize()
    }

    /// The key, of at most one block, padded into the first block of `bytes`.
    static func pad(_ key: UnsafeRawBufferPointer, _ pad: UInt8, into bytes: UnsafeMutableRawBufferPointer) {
        for index in 0..<key.count { unsafe bytes[index] = unsafe key[index] ^ pad }
        for index in key.count..<SHA256.blockByteCount { unsafe bytes[index] = pad }
    }
}

/// Recognises secrets that were seen before, without keeping them: by their HMAC under a key that no other object has.
package struct Fingerprints: Sendable {
    private let begun: BegunCode

    package init() {
        begun = unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe BegunCode(under: $0) }
    }

    /// The fingerprint of all bytes of the secret.
    package func of(_ secret: borrowing SecretBytes) throws -> [UInt8] {
        try ClearedScope.run {
            let code = try unsafe secret.withBuffer { unsafe begun.code($0) }
            return unsafe code.withUnsafeBytes { unsafe Array($0) }
        }
    }
}

/// X25519 (RFC 7748).
package enum KeyAgreement {
    /// A new private key, 32 bytes, and its public key.
    package static func generate() throws -> GeneratedKeyPair {
        try ClearedScope.run {
            let key = Curve25519.KeyAgreement.PrivateKey()
            var raw = key.rawRepresentation
            defer { raw.resetBytes(in: raw.startIndex..<raw.endIndex) }
            return GeneratedKeyPair(
                privateKey: try SecretBytes(copying: raw), publicKey: Array(key.publicKey.rawRepresentation)
            )
        }
    }

    /// The public key of a private key.
    package static func publicKey(of privateKey: borrowing SecretBytes) throws -> [UInt8] {
        try ClearedScope.run {
            unsafe try privateKey.withBuffer { raw in
                guard let key = unsafe try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: raw) else {
                    throw SealingError.cannotOpen
                }
                return Array(key.publicKey.rawRepresentation)
            }
        }
    }

    /// The shared secret. The all-zero one, which a bad public key yields, is refused.
    package static func sharedSecret(
        of privateKey: borrowing SecretBytes,
        with publicKey: [UInt8]
    ) throws -> SecretBytes {
        try ClearedScope.run {
            unsafe try privateKey.withBuffer { raw in
                guard let key = unsafe try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: raw),
                    let peer = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey),
                    let shared = try? key.sharedSecretFromKeyAgreement(with: peer)
                else { throw SealingError.cannotOpen }
                let secret = try shared.secretBytes()
                try secret.refuseZero()
                return secret
            }
        }
    }
}

/// Seals to a public key with the library's HPKE (RFC 9180, base mode, X25519, HKDF-SHA-256, ChaCha20-Poly1305). The
/// sender can't open the result.
package enum PublicSeal {
    /// Encapsulated key and tag.
    package static let overhead = 32 + 16

    private static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly

    /// Returns the encapsulated key, then the ciphertext.
    package static func seal(
        _ content: [UInt8], to publicKey: [UInt8], label: KeyLabel, context: [UInt8], authenticating: [UInt8]
    ) throws -> [UInt8] {
        try ClearedScope.run {
            guard let peer = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey),
                var sender = try? HPKE.Sender(
                    recipientKey: peer, ciphersuite: suite, info: Data(label.info(context))),
                let sealed = try? sender.seal(content, authenticating: authenticating)
            else { throw SealingError.cannotSeal }
            return Array(sender.encapsulatedKey) + Array(sealed)
        }
    }

    /// Opens the output of `seal`. All failures give the same error.
    package static func open(
        _ sealed: [UInt8], with privateKey: borrowing SecretBytes, label: KeyLabel, context: [UInt8],
        authenticating: [UInt8]
    ) throws -> [UInt8] {
        try ClearedScope.run {
            unsafe try privateKey.withBuffer { raw in
                guard sealed.count >= overhead,
                    let key = unsafe try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: raw),
                    var recipient = try? HPKE.Recipient(
                        privateKey: key, ciphersuite: suite, info: Data(label.info(context)),
                        encapsulatedKey: Data(sealed[..<32])),
                    let content = try? recipient.open(Array(sealed[32...]), authenticating: authenticating)
                else { throw SealingError.cannotOpen }
                return Array(content)
            }
        }
    }
}

/// The key derivations of TPM sessions with SHA-256 (TPM 2.0 Library, Part 1, 11.4.10: KDFa, KDFe, XOR).
package enum TPMSessionKeys {
    /// KDFa, the counter mode of SP 800-108 over HMAC: `count` bytes for a purpose, from the nonces of both sides.
    package static func derive(
        from key: borrowing SecretBytes, purpose: String, _ first: [UInt8], _ second: [UInt8], count: Int
    ) throws -> SecretBytes {
        try ClearedScope.run {
            let size = SHA256.byteCount
            guard (1...1 << 16).contains(count) else { throw SealingError.malformed }
            var end = ByteWriter()
            end.append(Array(purpose.utf8) + [0] + first + second)
            end.integer(UInt32(8 * count))
            return try SecretBytes(count: count) { target in
                try unsafe key.withBuffer { key in
                    let begun = unsafe BegunCode(under: key)
                    for number in 0..<(count + size - 1) / size {
                        var message = ByteWriter()
                        message.integer(UInt32(number + 1))
                        message.append(end.bytes)
                        let block = unsafe message.bytes.withUnsafeBytes { unsafe begun.code($0) }
                        unsafe block.withUnsafeBytes { block in
                            for index in 0..<min(size, count - number * size) {
                                unsafe target.storeBytes(
                                    of: block[index], toByteOffset: number * size + index, as: UInt8.self)
                            }
                        }
                    }
                }
            }
        }
    }

    /// Makes a salt for the P-256 key `point` (x and y, 32 bytes each) by KDFe. Also returns the public point of the
    /// ephemeral pair, from which the key's owner derives the same salt.
    package static func salt(for point: [UInt8]) throws -> (salt: Secret, point: [UInt8]) {
        try ClearedScope.run {
            let pair = P256.KeyAgreement.PrivateKey()
            guard point.count == 64, let peer = try? P256.KeyAgreement.PublicKey(rawRepresentation: point),
                let shared = try? pair.sharedSecretFromKeyAgreement(with: peer)
            else { throw SealingError.cannotOpen }
            let own = Array(pair.publicKey.rawRepresentation)
            var hash = SHA256()
            hash.update(data: [0, 0, 0, 1] as [UInt8])
            unsafe shared.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
            hash.update(data: Array("SECRET".utf8) + [0] + own.prefix(32) + point.prefix(32))
            let salt = try unsafe hash.finalize().withUnsafeBytes { Secret(unsafe try SecretBytes(copying: $0)) }
            return (salt, own)
        }
    }

    /// Masks a secret with `mask`, which has the same length and is used once.
    package static func hidden(_ secret: borrowing SecretBytes, by mask: borrowing SecretBytes) throws -> [UInt8] {
        guard secret.count == mask.count else { throw SealingError.malformed }
        return try unsafe mask.withBuffer { mask in
            try unsafe secret.withBuffer { secret in
                (0..<secret.count).map { unsafe secret[$0] ^ mask[$0] }
            }
        }
    }

    /// Recovers the secret that `hidden` masked.
    package static func shown(_ bytes: [UInt8], by mask: borrowing SecretBytes) throws -> SecretBytes {
        guard bytes.count == mask.count else { throw SealingError.malformed }
        return try SecretBytes(count: bytes.count) { target in
            try unsafe mask.withBuffer { mask in
                for index in bytes.indices {
                    unsafe target.storeBytes(of: bytes[index] ^ mask[index], toByteOffset: index, as: UInt8.self)
                }
            }
        }
    }
}

/// A new X25519 key pair.
package struct GeneratedKeyPair: ~Copyable {
    package let privateKey: SecretBytes
    package let publicKey: [UInt8]
}

extension SecretBytes {
    fileprivate borrowing func withBuffer<R: ~Copyable>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        try withBytes { span in unsafe try span.withUnsafeBytes { unsafe try body($0) } }
    }

    /// Refuses a key of zeros, regardless of its use.
    fileprivate borrowing func withSymmetricKey<R: ~Copyable>(_ body: (SymmetricKey) throws -> R) throws -> R {
        try refuseZero()
        return unsafe try withBuffer { unsafe try body(SymmetricKey(data: $0)) }
    }

    /// An all-zero key is what uninitialized or wiped memory looks like.
    fileprivate borrowing func refuseZero() throws {
        if try isZero() { throw SealingError.zeroKey }
    }
}

extension ContiguousBytes {
    func secretBytes() throws -> SecretBytes {
        var copy: SecretBytes?
        unsafe try withUnsafeBytes { unsafe copy = try SecretBytes(copying: $0) }
        guard let copy = copy.take() else { throw SealingError.cannotOpen }
        return copy
    }
}

/// AES-256-GCM for the chunks of a file, and for many rows under one key, within one cleared scope. Two chunks of 32
/// KiB fit below glibc's threshold for returning memory; larger ones cost four times as much.
package struct ChunkCipher: ~Copyable {
    private let key: SymmetricKey
    private var nonces: NoncePool

    /// Lends a cipher to `body`. Nonces for `expecting` seals are generated at once, and used only in this call.
    package static func with<R: ~Copyable>(
        _ key: borrowing SecretBytes, expecting seals: Int = 1, _ body: (inout ChunkCipher) throws -> R
    ) throws -> R {
        try ClearedScope.run {
            try key.withSymmetricKey { key in
                var cipher = ChunkCipher(key: key, nonces: NoncePool(seals))
                return try body(&cipher)
            }
        }
    }

    private init(key: SymmetricKey, nonces: consuming NoncePool) {
        self.key = key
        self.nonces = nonces
    }

    /// Seals `plaintext` under a fresh random nonce, and lends the ciphertext, which is as long as the plaintext, to
    /// `body`. Returns nonce and tag.
    package mutating func seal(
        _ plaintext: RawSpan, authenticating authenticated: [UInt8], _ body: (RawSpan) throws -> Void
    ) throws -> [UInt8] {
        let nonce = try nonces.next()
        let box = try unsafe plaintext.withUnsafeBytes { plaintext in
            unsafe try AES.GCM.seal(
                plaintext, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: authenticated
            )
        }
        guard let combined = box.combined else { throw SealingError.cannotSeal }
        return try unsafe combined.withUnsafeBytes { combined in
            let end = combined.count - 16
            try unsafe body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: combined[12..<end])))
            return unsafe Array(nonce) + combined[end...]
        }
    }

    /// Seals `plaintext`, which is not a key, in the format of `Seal`.
    package mutating func envelope(_ plaintext: [UInt8], authenticating authenticated: [UInt8]) throws -> [UInt8] {
        let nonce = try AES.GCM.Nonce(data: nonces.next())
        let box = try AES.GCM.seal(plaintext, using: key, nonce: nonce, authenticating: authenticated)
        guard let combined = box.combined else { throw SealingError.cannotSeal }
        return Array(combined)
    }

    /// Opens the output of `seal`, with the ciphertext in `chunk`. All failures give the same error.
    package func open(
        _ chunk: inout SealedChunk, nonceAndTag: [UInt8], authenticating authenticated: [UInt8]
    ) throws -> ChunkContent {
        guard let box = chunk.box(nonceAndTag),
            let opened = try? AES.GCM.open(box, using: key, authenticating: authenticated)
        else { throw SealingError.cannotOpen }
        return ChunkContent(opened)
    }
}

/// The ciphertext of a chunk for `ChunkCipher.open`, with room for nonce and tag around it. It has exactly the form
/// that the library accepts. The library copies it anyway; its public interface has no alternative.
package struct SealedChunk: ~Copyable, Sendable {
    private static let (nonce, tag) = (12, 16)
    private var data = Data()

    package init() {}

    /// Lends `count` bytes for the ciphertext.
    package mutating func withCiphertext<R>(
        _ count: Int, _ body: (inout MutableRawSpan) throws -> R
    ) rethrows -> R {
        let size = Self.nonce + count + Self.tag
        if data.count != size { data = Data(count: size) }
        return try unsafe data.withUnsafeMutableBytes {
            var span = unsafe MutableRawSpan(
                _unsafeBytes: UnsafeMutableRawBufferPointer(rebasing: $0[Self.nonce..<Self.nonce + count]))
            return try body(&span)
        }
    }

    fileprivate mutating func box(_ nonceAndTag: [UInt8]) -> AES.GCM.SealedBox? {
        guard nonceAndTag.count == Self.nonce + Self.tag, data.count >= nonceAndTag.count else { return nil }
        unsafe data.withUnsafeMutableBytes { bytes in
            for index in 0..<Self.nonce { unsafe bytes[index] = nonceAndTag[index] }
            let begin = bytes.count - Self.tag
            for index in 0..<Self.tag { unsafe bytes[begin + index] = nonceAndTag[Self.nonce + index] }
        }
        return try? AES.GCM.SealedBox(combined: data)
    }
}

/// Random nonces of 12 bytes, generated in batches, since a system call costs a tenth of sealing a chunk.
private struct NoncePool: ~Copyable {
    static let size = 12

    private let batch: Int
    private var bytes: [UInt8] = []
    private var position = 0

    init(_ expected: Int) { batch = Self.size * min(max(expected, 1), 64) }

    mutating func next() throws -> ArraySlice<UInt8> {
        if position == bytes.count {
            bytes = try randomBytes(count: batch)
            position = 0
        }
        defer { position += Self.size }
        return bytes[position..<position + Self.size]
    }
}

/// The content of one chunk, overwritten when it is no longer needed.
package struct ChunkContent: ~Copyable, Sendable {
    private var data: Data

    fileprivate init(_ data: Data) { self.data = data }

    /// Content of `count` zeros.
    package init(zeros count: Int) { data = Data(count: count) }

    deinit { data.wipe() }

    package var count: Int { data.count }

    package borrowing func withBytes<R>(_ body: (RawSpan) throws -> R) throws -> R {
        try unsafe data.withUnsafeBytes { unsafe try body(RawSpan(_unsafeBytes: $0)) }
    }

    package mutating func withMutableBytes<R>(_ body: (inout MutableRawSpan) throws -> R) throws -> R {
        try unsafe data.withUnsafeMutableBytes {
            var span = unsafe MutableRawSpan(_unsafeBytes: $0)
            return try body(&span)
        }
    }

    /// Extends it with zeros, or shortens it.
    package mutating func resize(to count: Int) {
        if count < data.count {
            data.resetBytes(in: data.startIndex + count..<data.endIndex)
            data.removeLast(data.count - count)
        } else if count > data.count {
            data.append(Data(count: count - data.count))
        }
    }
}

extension Data {
    /// Wipes the bytes in place: `Data`'s own methods would wipe a copy if the storage is shared.
    fileprivate func wipe() {
        unsafe withUnsafeBytes {
            guard let base = $0.baseAddress else { return }
            let bytes = unsafe UnsafeMutableRawPointer(mutating: base)
            unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0, count: $0.count)
        }
    }
}

/// SHA-256 of data that is not secret.
package enum Digest {
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
}
