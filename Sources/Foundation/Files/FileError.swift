// SPDX-License-Identifier: Apache-2.0

/// A call to the kernel that failed. Each module says in its own errors what that means; this one keeps the call and its number.
package struct FileError: Error, Equatable, CustomStringConvertible {
    /// As in errno.h.
    package let number: Int32
    package let operation: FileHooks.Operation
    package let path: FileLocation

    package init(_ number: Int32, operation: FileHooks.Operation, path: FileLocation) {
        self.number = number
        self.operation = operation
        self.path = path
    }

    package var description: String { "\(path): could not \(operation.words) it: \(text)" }
}

extension FileHooks.Operation {
    /// What was tried, as a verb for a sentence.
    package var words: String {
        switch self {
        case .truncate: "cut"
        case .rename: "rename to"
        case .makeFolder: "make"
        case .setMode: "set the mode of"
        case .metadata: "set owner, times or attributes of"
        case .status, .fileSystem: "look at"
        default: rawValue
        }
    }
}
