// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation

extension String {
    /// In Unicode normalization form C. The SDKs' interface of the standard library doesn't have its own function.
    var composed: some Sequence<Unicode.Scalar> { precomposedStringWithCanonicalMapping.unicodeScalars }
}
#else
@_spi(_Unicode) import Swift

extension String {
    /// In Unicode normalization form C, without a copy of the whole text.
    var composed: some Sequence<Unicode.Scalar> { _nfc }
}
#endif
