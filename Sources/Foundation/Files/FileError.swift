// SPDX-License-Identifier: Apache-2.0

/// A failed system call: its operation, its path and its error number. Each module maps it to an error of its own.
package struct FileError: Error, Equatable, CustomStringConvertible {
    /// The error number, as in errno.h.
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
