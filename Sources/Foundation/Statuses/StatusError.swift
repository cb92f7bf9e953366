// SPDX-License-Identifier: Apache-2.0

/// The one shape of a module's errors: a code that can grow, a sentence that says what to do, the error underneath,
/// and where it was noticed. Two errors are equal when their codes are. Made on failure only; a call that succeeds pays nothing for it.
package protocol StatusError: Error, Equatable, CustomStringConvertible {
    associatedtype Code: StatusCode

    /// What went wrong.
    var code: Code { get }
    /// What happened, to what, and what to do next; never a secret.
    var message: String { get }
    /// The error underneath.
    var cause: (any Error)? { get }
    /// Where it was noticed, `file:line`.
    var location: String { get }
}

/// A code of one module's errors.
package protocol StatusCode: Hashable, Sendable {
    /// Each of them.
    static var all: [Self] { get }
    /// Its name. Codes of one name mean one thing in all modules, and have one status.
    var codeName: String { get }
    /// Its number; nil where the error underneath says more.
    var status: Status? { get }
}

extension StatusError {
    /// Its number; where the code leaves that to the error underneath, that error's number.
    package var asStatus: Status {
        code.status ?? (cause as? any StatusError)?.asStatus ?? .internalComponent
    }
}

/// A module's error, which errors of the modules below become at its border.
package protocol BorderError: StatusError {
    /// What an error from below means here, to which file, folder or key; one of this type stays as it is.
    init(_ error: any Error, about subject: String?, file: String, line: Int)
}

extension BorderError {
    /// The border of a module: runs the body of a public call, and whatever it throws becomes this module's error.
    package static func door<R: ~Copyable>(
        about subject: @autoclosure () -> String? = nil, file: String = #fileID, line: Int = #line,
        _ body: () throws -> R
    ) throws(Self) -> R {
        do { return try body() } catch { throw Self(error, about: subject(), file: file, line: line) }
    }
}
