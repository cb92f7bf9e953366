// SPDX-License-Identifier: Apache-2.0

/// The one door of this module to the file system: every call passes `intercept` first, so that tests can let any step
/// fail, or end the process there.
package struct FileSystem: Sendable {
    package enum Operation: String, Sendable, CaseIterable {
        case open, make, read, write, sync, setMode, rename, remove, makeFolder, lock, map, status
    }

    /// One call that is about to be made.
    package struct Step: Sendable {
        package let operation: Operation
        /// The last part of the path, where there is one.
        package let name: String
    }

    /// Answers 0 to go on, or the error number that the call shall fail with.
    package var intercept: (@Sendable (Step) -> Int32)?

    /// Homes may lie on file systems of which nobody knows what holds there: a person said so.
    var acceptsOddFileSystems = false

    package init(intercept: (@Sendable (Step) -> Int32)? = nil) { self.intercept = intercept }

    func pass(_ operation: Operation, _ name: String) throws(FileError) {
        guard let intercept else { return }
        let number = intercept(Step(operation: operation, name: name))
        if number != 0 { throw FileError(number: number, operation: operation, name: name) }
    }
}

/// A call to the file system that failed.
package struct FileError: Error, Equatable {
    /// As in errno.h.
    package let number: Int32
    package let operation: FileSystem.Operation
    package let name: String
}

/// What the kernel says of a file.
struct FileStatus {
    enum Kind { case file, folder, symbolicLink, other }
    let kind: Kind
    let owner: UInt32
    let group: UInt32
    /// The permission bits.
    let permissions: UInt32
    let size: Int
    let device: UInt64
    let inode: UInt64
    /// Nanoseconds since 1970.
    let modified: Int64
}
