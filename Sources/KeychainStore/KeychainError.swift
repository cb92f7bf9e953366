// SPDX-License-Identifier: Apache-2.0

/// Why a keychain operation did not happen. Equal when the codes are.
public struct KeychainError: Error, Equatable, CustomStringConvertible {
    /// What went wrong; codes not named here keep their raw OSStatus.
    public struct Code: Hashable, Sendable, RawRepresentable {
        /// Apple's OSStatus.
        public let rawValue: Int32
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// errSecItemNotFound.
        public static let itemNotFound = Code(rawValue: -25300)
        /// errSecDuplicateItem.
        public static let duplicateItem = Code(rawValue: -25299)
        /// errSecInteractionNotAllowed: locked.
        public static let locked = Code(rawValue: -25308)
    }

    /// What went wrong.
    public let code: Code
    /// What happened, to which kind of item, and what to do next; never a secret, an account or a service.
    public let message: String
    /// The error underneath.
    public let cause: (any Error)?
    /// Where it was noticed.
    public let location: String

    package init(
        _ code: Code, _ message: String, cause: (any Error)? = nil, file: String = #fileID, line: Int = #line
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.location = "\(file):\(line)"
    }

    static let notBuilt = KeychainError(Code(rawValue: -4), "not built yet")

    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    public var description: String { message }
}
