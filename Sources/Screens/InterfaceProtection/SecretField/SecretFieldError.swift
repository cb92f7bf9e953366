// SPDX-License-Identifier: Apache-2.0

package import Statuses

/// Why a field refused its input. Two errors are equal if their codes are.
public struct SecretFieldError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; more may be added.
    public struct Code: Hashable, Sendable {
        enum Value: String, CaseIterable, Sendable {
            case tooLong, notText, isLent, isEmpty, noMemory
        }
        let value: Value

        /// More bytes than the field takes; the field is unchanged.
        public static let tooLong = Code(value: .tooLong)
        /// Not UTF-8; the field is unchanged.
        public static let notText = Code(value: .notText)
        /// The field is lent to a submission; wait for its end.
        public static let isLent = Code(value: .isLent)
        /// There is nothing to submit.
        public static let isEmpty = Code(value: .isEmpty)
        /// The system refused memory for the secret; see the module SecretMemory.
        public static let noMemory = Code(value: .noMemory)
    }
    /// The kind of failure.
    public let code: Code
    /// What happened and what to do; never what was typed.
    public let message: String
    /// The underlying error.
    public let cause: (any Error)?
    /// Where it was detected, as `file:line`.
    public let location: String

    init(_ code: Code, cause: (any Error)? = nil, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.message =
            switch code.value {
            case .tooLong: "the field takes no more; it is as it was"
            case .notText: "what was typed is not text; the field is as it was"
            case .isLent: "the field is being submitted; wait for its end"
            case .isEmpty: "the field is empty; there is nothing to submit"
            case .noMemory: "no memory for the secret; the field is as it was"
            }
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

extension SecretFieldError: StatusError {}

extension SecretFieldError.Code: StatusCode {
    package static var all: [Self] { Value.allCases.map(Self.init(value:)) }
    package var codeName: String { value.rawValue }

    package var status: Status? {
        switch value {
        case .tooLong: .dataTooLarge
        case .notText, .isEmpty: .parameter
        case .isLent: .busy
        case .noMemory: .outOfMemory
        }
    }
}
