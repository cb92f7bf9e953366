// SPDX-License-Identifier: Apache-2.0

/// Why untrusted bytes could not be read. Two errors are equal if their codes are.
package struct ReadingError: Error, Equatable {
    package enum Code: Sendable {
        /// The bytes have a different format.
        case unknownForm
        /// Text in another encoding than UTF-8.
        case otherEncoding
        /// The beginning is right, but the bytes are cut short or inconsistent.
        case malformed
        /// More bytes, levels or values than the limits allow, each use of a shared one counted.
        case tooLarge
        /// A value contains itself.
        case cyclic
        /// A date out of range.
        case noDate
        /// The outermost value is not a dictionary with texts as keys.
        case noDictionary
    }

    package let code: Code
    /// For the user; contains nothing of the content except positions.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package static func malformed(_ message: String) -> ReadingError { ReadingError(.malformed, message) }

    package static var noDictionary: ReadingError {
        ReadingError(.noDictionary, "the outermost value is no dictionary")
    }

    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}
