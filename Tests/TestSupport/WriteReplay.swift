// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// What a disk holds after a loss of power: rebuilds a folder from the recorded calls, without what had not reached the
/// disk.
///
/// The model is the strict one of POSIX. The data of a file is safe once the file was synced, its name once the folder
/// was. Syncing a file doesn't save its name, and a rename is there or not, whole. A folder that is right under this
/// model is right on any file system.
package struct WriteReplay {
    /// Which of the unsynced changes are on the disk all the same.
    package enum Survivors: Sendable {
        /// None.
        case none
        /// All: the process was killed, the system went on.
        case all
        /// Names up to some point, in order; of the data any sectors of 512 bytes. The seed decides.
        case some(seed: UInt64)
    }

    private let log: WriteLog
    private let folder: String
    private let start: URL?

    /// The calls of `log` that concern `folder`. `start` is a copy of the folder from before them; without one it was
    /// empty.
    package init(_ log: WriteLog, of folder: URL, startingFrom start: URL? = nil) {
        self.log = log
        self.folder = folder.resolvingSymlinksInPath().path
        self.start = start
    }

    /// Fills the new folder `target` with what there is after the first `count` calls and a loss of power.
    package func rebuild(after count: Int, keeping survivors: Survivors, in target: URL) throws {
        var disk = SimulatedDisk(root: folder)
        if let start { try disk.load(start) }
        for record in log.records.prefix(count) { disk.apply(record) }
        try disk.write(disk.entries(keeping: survivors), to: target)
    }
}
