// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
/// Names a source of random bytes; there is only the system's.
public final class SecRandomRef: Sendable {
    private init() {}
}

/// The system's source.
public let kSecRandomDefault: SecRandomRef? = nil

/// Fills `bytes` with `count` random bytes of the system, fit for keys.
///
/// - Returns: 0, or errSecParam for a negative count.
@discardableResult
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    guard count >= 0 else { return errSecParam }
    var generator = SystemRandomNumberGenerator()
    let target = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: count)
    var offset = 0
    while offset < count {
        let word = generator.next()
        let length = min(count - offset, MemoryLayout.size(ofValue: word))
        unsafe withUnsafeBytes(of: word) { source in
            unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset..<offset + length])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<length]))
        }
        offset += length
    }
    return errSecSuccess
}
#endif
