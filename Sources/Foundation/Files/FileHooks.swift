// SPDX-License-Identifier: Apache-2.0

/// The one seam between Zamok's files and the kernel: every call that changes a disk passes here first, so that tests can record it,
/// let it fail, or end the process there.
package struct FileHooks: Sendable {
    package enum Operation: String, Sendable, CaseIterable {
        case make, write, sync, truncate, rename, link, remove, lock, read, open, makeFolder, setMode
        case status, list, protect, exchange, lease, removeFolder, map, fileSystem, metadata
    }

    /// One call that is about to be made.
    package struct Step: Sendable {
        package let operation: Operation
        /// The path, or the one that it is renamed to.
        package let path: FileLocation
        /// The old path, of rename and link.
        package let from: FileLocation?
        package let offset: Int
        /// What is about to be written.
        package let bytes: [UInt8]

        /// The last part of the path.
        package var name: String { String(decoding: path.name, as: UTF8.self) }
    }

    /// Returns 0 to go on, or the error number with which the call is to fail.
    package var intercept: (@Sendable (Step) -> Int32)?
    /// As on a file system without files that have no name.
    package var withoutUnnamedFiles = false
    /// As on a file system that can't exchange names.
    package var withoutExchange = false
    /// As where nobody can have a lease.
    package var withoutLeases = false
    /// As on a kernel without openat2.
    package var walksByParts = false
    /// What a module above adds to the seam for its own tests.
    package var companion: (any Sendable)?

    /// Homes may lie on file systems whose guarantees nobody knows, because a person allowed it.
    package var acceptsOddFileSystems = false

    package init(intercept: (@Sendable (Step) -> Int32)? = nil) { self.intercept = intercept }

    package func pass(
        _ operation: Operation, _ path: FileLocation, from: FileLocation? = nil, offset: Int = 0,
        bytes: @autoclosure () -> [UInt8] = []
    ) throws(FileError) {
        guard let intercept else { return }
        let number = intercept(Step(operation: operation, path: path, from: from, offset: offset, bytes: bytes()))
        if number != 0 { throw FileError(number, operation: operation, path: path) }
    }
}
