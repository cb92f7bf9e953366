// SPDX-License-Identifier: Apache-2.0

package import Statuses

/// Why a file of messages can't be used. Two errors are equal if their codes are.
public struct MessageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong; more may be added.
    public struct Code: Hashable, Sendable {
        enum Value: String, CaseIterable, Sendable {
            case malformed, placeholder, unknownReason
        }
        let value: Value

        /// Not a file of messages.
        public static let malformed = Code(value: .malformed)
        /// A message has an unknown placeholder. `name` is that of its reason.
        public static let placeholder = Code(value: .placeholder)
        /// A message is for an unknown reason.
        public static let unknownReason = Code(value: .unknownReason)
    }

    /// What went wrong.
    public let code: Code
    /// What is wrong, and what to do.
    public let message: String
    /// The reason whose message is wrong; empty if the whole file is.
    public let name: String
    /// The underlying error.
    public let cause: (any Error)?
    /// Where it was detected, as `file:line`.
    public let location: String

    init(
        _ code: Code, _ message: String, name: String = "", cause: (any Error)? = nil, file: String = #fileID,
        line: Int = #line
    ) {
        self.code = code
        self.message = message
        self.name = name
        self.cause = cause
        self.location = "\(file):\(line)"
    }

    /// Apple's OSStatus for it, as `SecItem` functions return it. The command `zamok` exits with its low byte.
    public var status: Int32 { asStatus.rawValue }

    /// Equality by code alone.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The message.
    public var description: String { message }
}

extension MessageError: StatusError {}

extension MessageError.Code: StatusCode {
    package static var all: [Self] { Value.allCases.map(Self.init(value:)) }
    package var codeName: String { value.rawValue }

    package var status: Status? {
        switch value {
        case .malformed: .damaged
        case .placeholder, .unknownReason: .parameter
        }
    }
}
