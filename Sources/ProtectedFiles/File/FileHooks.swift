// SPDX-License-Identifier: Apache-2.0

/// The seam between this module and the kernel: every call that changes a disk passes here first, so that tests can
/// record it, let it fail, or end the process there. And every seal's key and nonce.
package struct FileHooks: Sendable {
    package enum Operation: String, Sendable, CaseIterable {
        case make, write, sync, truncate, rename, link, remove, lock, read, open, makeFolder, setMode
    }

    /// One call that is about to be made.
    package struct Step: Sendable {
        package let operation: Operation
        /// The path, or where it is renamed to.
        package let path: FileLocation
        /// Of rename and link.
        package let from: FileLocation?
        package let offset: Int
        /// What is about to be written.
        package let bytes: [UInt8]
    }

    /// Answers 0 to go on, or the error number that the call shall fail with.
    package var intercept: (@Sendable (Step) -> Int32)?
    /// Sees a fingerprint of the file key and the nonce of each seal.
    package var sealed: (@Sendable (_ key: [UInt8], _ nonce: [UInt8]) -> Void)?
    /// Stands for 2^30, from which on a file gets a new key when it is opened for changes.
    package var manySeals = FileFormat.manySeals
    /// Stands for the capacity of the node cache.
    package var cachedNodes = 512

    package init() {}

    func pass(
        _ operation: Operation, _ path: FileLocation, from: FileLocation? = nil, offset: Int = 0,
        bytes: @autoclosure () -> [UInt8] = []
    ) throws(ProtectedFileError) {
        guard let intercept else { return }
        let number = intercept(Step(operation: operation, path: path, from: from, offset: offset, bytes: bytes()))
        if number != 0 { throw ProtectedFileError(system: number, operation.rawValue, path) }
    }
}
