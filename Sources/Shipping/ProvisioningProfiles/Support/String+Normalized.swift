// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation

extension String {
    /// The scalars in Unicode normalization form C. The SDKs' interface of the standard library doesn't have its own
    /// function.
    var composed: some Sequence<Unicode.Scalar> { precomposedStringWithCanonicalMapping.unicodeScalars }

    /// In Unicode normalization form D.
    var decomposed: String { decomposedStringWithCanonicalMapping }
}
#else
@_spi(_Unicode) import Swift

extension String {
    /// The scalars in Unicode normalization form C, without a copy of the whole text.
    var composed: some Sequence<Unicode.Scalar> { _nfc }

    /// In Unicode normalization form D.
    var decomposed: String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: _nfd)
        return String(scalars)
    }
}
#endif
