// SPDX-License-Identifier: Apache-2.0

/// The single seam between Zamok's files and the kernel. Every call that changes a disk passes through it first. Tests
/// can record the call, make it fail, or end the process there.
package struct FileHooks: Sendable {
    package enum Operation: String, Sendable, CaseIterable {
        case make, write, sync, truncate, rename, link, remove, lock, read, open, makeFolder, setMode
        case status, list, protect, exchange, lease, removeFolder, map, fileSystem, metadata
    }

    /// A call that is about to be made.
    package struct Step: Sendable {
        package let operation: Operation
        /// The path; for a rename, the new path.
        package let path: FileLocation
        /// The old path of a rename or link.
        package let from: FileLocation?
        package let offset: Int
        /// The bytes to be written.
        package let bytes: [UInt8]

        /// The last part of the path.
        package var name: String { String(decoding: path.name, as: UTF8.self) }
    }

    /// Returns 0 to continue, or the error number with which the call fails.
    package var intercept: (@Sendable (Step) -> Int32)?
    /// Simulates a file system without unnamed files.
    package var withoutUnnamedFiles = false
    /// Simulates a file system that can't exchange names.
    package var withoutExchange = false
    /// Simulates a system without leases.
    package var withoutLeases = false
    /// Simulates a kernel without openat2.
    package var walksByParts = false
    /// What a higher module adds to the seam for its own tests.
    package var companion: (any Sendable)?

    /// Whether homes may be on file systems with unknown guarantees, because the user allowed it.
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
