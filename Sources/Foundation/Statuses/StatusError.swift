// SPDX-License-Identifier: Apache-2.0

/// The common form of all modules' errors: an extensible code, a message that says what to do, the underlying error,
/// and the source location. Two errors are equal if their codes are. An error is built only on failure, so success
/// costs nothing.
package protocol StatusError: Error, Equatable, CustomStringConvertible {
    associatedtype Code: StatusCode

    /// What went wrong.
    var code: Code { get }
    /// What happened, to what, and what to do next; never contains a secret.
    var message: String { get }
    /// The underlying error.
    var cause: (any Error)? { get }
    /// The source location, `file:line`.
    var location: String { get }
}

/// An error code of one module.
package protocol StatusCode: Hashable, Sendable {
    /// All codes.
    static var all: [Self] { get }
    /// Its name. Codes with the same name have the same meaning in all modules, and the same status.
    var codeName: String { get }
    /// Its status; nil if the underlying error is more specific.
    var status: Status? { get }
}

extension StatusError {
    /// Its status; if the code leaves that to the underlying error, that error's status.
    package var asStatus: Status {
        code.status ?? (cause as? any StatusError)?.asStatus ?? .internalComponent
    }
}

/// A module's public error, to which errors of lower modules are mapped.
package protocol BorderError: StatusError {
    /// Maps an error of a lower module, which concerns the file, folder or key `subject`. An error of this type
    /// is unchanged.
    init(_ error: any Error, about subject: String?, file: String, line: Int)
}

extension BorderError {
    /// The error mapping of a module: runs the body of a public call, and maps any error to this module's error.
    package static func mapping<R: ~Copyable>(
        about subject: @autoclosure () -> String? = nil, file: String = #fileID, line: Int = #line,
        _ body: () throws -> R
    ) throws(Self) -> R {
        do { return try body() } catch { throw Self(error, about: subject(), file: file, line: line) }
    }
}
