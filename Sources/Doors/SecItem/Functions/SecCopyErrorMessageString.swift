// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// What a status code means, in English and in our own words, for a person. Programs compare the code instead.
///
/// - Parameter reserved: nil.
/// - Returns: A sentence; `OSStatus` and the number for a code that is not known.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    NSString(string: CurrentEngine.value?.message(of: status) ?? "OSStatus \(status)")
}
#endif
