// SPDX-License-Identifier: Apache-2.0

/// A file that is to be replaced by one made from its content. A read lease is taken before the first byte is read: no
/// process has the file open for writing, or mapped. A process that opens it for writing waits until the lease ends, or
/// breaks it.
package final class HeldFile: Sendable {
    package let file: OpenFile
    /// The status when the lease was taken.
    package let status: FileStatus
    private let hasLease: Bool

    private init(_ file: OpenFile, _ status: FileStatus, hasLease: Bool) {
        (self.file, self.status, self.hasLease) = (file, status, hasLease)
    }

    /// Takes the lease. Nil: a process has the file open for writing. Without leases (another user's file, network file
    /// systems, not Linux), only size and times show a change.
    package static func hold(_ file: OpenFile) throws(FileError) -> HeldFile? {
        let lease = try file.takeLease(waiting: .milliseconds(100))
        guard lease != .refused else { return nil }
        do throws(FileError) {
            let status = try file.statusBeforeReading(hasLease: lease == .held)
            return HeldFile(file, status, hasLease: lease == .held)
        } catch {
            if lease == .held { file.endLease() }
            throw error
        }
    }

    /// Whether no process has asked to open it for writing since.
    package var isUndisturbed: Bool { !hasLease || file.isLeaseWhole }

    /// Ends the lease, so that a process that waits to open the file can continue.
    package func letGo() { if hasLease { file.endLease() } }

    deinit { letGo() }
}
