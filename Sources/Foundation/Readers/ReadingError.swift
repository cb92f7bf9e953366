// SPDX-License-Identifier: Apache-2.0

/// Why bytes from outside were not read.
/// Two errors are equal when their codes are.
package struct ReadingError: Error, Equatable {
    package enum Code: Sendable {
        /// The bytes are of another form altogether.
        case unknownForm
        /// Text in another encoding than UTF-8.
        case otherEncoding
        /// Begins as what it should be, and breaks off or contradicts itself.
        case malformed
        /// More bytes, levels or values than the limits allow, each use of a shared one counted.
        case tooLarge
        /// A value holds itself.
        case cyclic
        /// A date that no calendar has.
        case noDate
        /// The outermost value is not a dictionary with texts as keys.
        case noDictionary
    }

    package let code: Code
    /// For a person; holds nothing of the content but positions.
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
