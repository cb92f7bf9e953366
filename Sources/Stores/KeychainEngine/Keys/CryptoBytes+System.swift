// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// A digest that the caller computed, for ECDSA, which accepts bytes of any length.
struct RawDigest: Digest {
    static var byteCount: Int { 0 }
    let bytes: [UInt8]

    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        unsafe try bytes.withUnsafeBytes(body)
    }

    func makeIterator() -> IndexingIterator<[UInt8]> { bytes.makeIterator() }
    var description: String { "digest of \(bytes.count) bytes" }
}

/// A digest that the caller computed, as swift-crypto's own digest type, which RSA needs.
///
/// Those types have no public initializer from bytes. In memory they are plain bytes, which each call checks with a
/// computed digest.
/// If that ever changes, the result is nil and the algorithm counts as unsupported. The new digest is read back
/// and compared.
enum GivenDigest {
    static func make<H: HashFunction>(_: H.Type, from bytes: Data) -> H.Digest? {
        let size = MemoryLayout<H.Digest>.size
        let computed = H.hash(data: Data())
        let isPlain = unsafe Swift.withUnsafeBytes(of: computed) { unsafe $0.starts(with: computed) }
        guard isPlain, size >= H.Digest.byteCount, bytes.count == H.Digest.byteCount else { return nil }
        let padded = Array(bytes) + [UInt8](repeating: 0, count: size - bytes.count)
        let digest = unsafe padded.withUnsafeBytes { unsafe $0.loadUnaligned(as: H.Digest.self) }
        return digest.elementsEqual(bytes) ? digest : nil
    }
}

// Only here do keys and secrets that swift-crypto derives become bytes of the caller.

extension SharedSecret {
    /// The secret, in ordinary memory.
    var exposedBytes: Data { unsafe withUnsafeBytes { unsafe Data($0) } }
}

extension SymmetricKey {
    /// The key, in ordinary memory.
    var exposedBytes: Data { unsafe withUnsafeBytes { unsafe Data($0) } }
}
