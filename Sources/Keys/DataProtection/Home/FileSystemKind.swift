// SPDX-License-Identifier: Apache-2.0

import Files
import Readers

/// How suitable a kind of file system is for a home (Documentation/Formats/Keybag.md, "Where a home may lie").
struct FileSystemKind: Equatable {
    enum Verdict {
        /// On this machine: locks, mapped pages, renames and syncs work.
        case local
        /// Its guarantees are not known: used only on explicit request.
        case odd
        /// On another machine, where locks and mapped pages don't work: never used.
        case remote
    }

    let name: String
    let verdict: Verdict

    /// The kind with this number. A number that isn't listed is `odd`.
    init(_ number: UInt32) {
        let known = Self.known.first { $0.number == number }?.kind
        self = known ?? FileSystemKind("an unknown file system (0x\(String(number, radix: 16)))", .odd)
    }

    private init(_ name: String, _ verdict: Verdict) {
        self.name = name
        self.verdict = verdict
    }

    /// By the number that statfs(2) returns: linux/magic.h, and file systems from outside the kernel's tree.
    static let known: [(number: UInt32, kind: FileSystemKind)] = [
        (0xEF53, Self("ext4", .local)),  // ext2 and ext3 too
        (0x5846_5342, Self("XFS", .local)),
        (0x9123_683E, Self("Btrfs", .local)),
        (0x0102_1994, Self("tmpfs", .local)),
        (0x8584_58F6, Self("ramfs", .local)),
        (0xF2F5_2010, Self("F2FS", .local)),
        (0x2FC1_2FC1, Self("ZFS", .local)),
        (0xCA45_1A4E, Self("bcachefs", .local)),
        (0x3153_464A, Self("JFS", .local)),
        (0x3434, Self("NILFS2", .local)),
        (0x2405_1905, Self("UBIFS", .local)),
        (0x794C_7630, Self("overlayfs", .local)),
        (0xF15F, Self("eCryptfs", .local)),
        // virtiofs has the number of FUSE.
        (0x6573_5546, Self("FUSE or virtiofs", .odd)),
        (0x0102_1997, Self("9p", .odd)),
        (0x4D44, Self("FAT", .odd)),
        (0x2011_BAB0, Self("exFAT", .odd)),
        (0x5346_544E, Self("NTFS", .odd)),
        (0x7366_746E, Self("NTFS", .odd)),
        (0x786F_4256, Self("a VirtualBox folder", .odd)),
        (0x6969, Self("NFS", .remote)),
        (0x517B, Self("SMB", .remote)),
        (0xFF53_4D42, Self("CIFS", .remote)),
        (0xFE53_4D42, Self("SMB2", .remote)),
        (0x00C3_6400, Self("Ceph", .remote)),
        (0x5346_414F, Self("AFS", .remote)),
        (0x6B41_4653, Self("AFS", .remote)),
        (0x7375_7245, Self("Coda", .remote)),
        (0x7461_636F, Self("OCFS2", .remote)),
        (0x0116_1970, Self("GFS2", .remote)),
        (0x0BD0_0BD0, Self("Lustre", .remote)),
        (0x4750_4653, Self("GPFS", .remote)),
    ]
}

/// The folders above a home. A user that can write to one of them can replace the home's folder.
enum ParentFolders {
    /// Refuses folders that another user owns or can write to, from the parent of `folder` up to the root, as they are
    /// now. Accepts root as an owner. Accepts sticky folders, where only owners can rename their entries. Accepts
    /// folders that a group can write to if this user is its only member.
    static func check(above folder: OpenFile, _ path: String, level: Int = 1) throws {
        let parent = try folder.parent()
        let status = try parent.status()
        guard try status.identity != folder.status().identity, level < 256 else { return }
        guard isSafe(status) else {
            let name = name(path, level)
            throw DataProtectionError(
                .unsafeHome,
                "\(path) lies below \(name), which others can write to: they could put another home in its place; run: chmod go-w \(name.shellWord), or set ZAMOK_HOME to another folder"
            )
        }
        try check(above: parent, path, level: level + 1)
    }

    private static func isSafe(_ status: FileStatus) -> Bool {
        // 65534, `nobody`: the owner has no number in this container.
        guard [0, ThisProcess.user, 65_534].contains(status.owner) else { return false }
        let isSticky = status.permissions & 0o1000 != 0
        if isSticky || status.permissions & 0o022 == 0 { return true }
        return status.permissions & 0o002 == 0 && FileHooks.isPrivateGroup(status.group)
    }

    /// The path of the folder `levels` above, as far as `path` shows it: links in the path may lead elsewhere.
    private static func name(_ path: String, _ levels: Int) -> String {
        let parts = path.split(separator: "/").dropLast(levels)
        return parts.isEmpty ? "/" : parts.reduce("") { $0 + "/\($1)" }
    }
}
