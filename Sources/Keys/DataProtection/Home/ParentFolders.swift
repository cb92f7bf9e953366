// SPDX-License-Identifier: Apache-2.0

import Files

/// The folders above a home: who can write to one of them can put another folder in its place.
enum ParentFolders {
    /// Refuses folders that others can write to, from the one above `folder` up to the root, wherever the path leads now. Accepted: sticky ones, where only
    /// owners move what they have; and those that a group can write to which has nobody in it but this user.
    static func check(above folder: OpenFile, _ path: String, level: Int = 1) throws {
        let parent = try folder.parent()
        let status = try parent.status()
        guard try status.identity != folder.status().identity, level < 256 else { return }
        guard isSafe(status) else {
            let name = name(path, level)
            throw DataProtectionError(
                .unsafeHome,
                "\(path) lies below \(name), which others can write to: they could put another home in its place; run: chmod go-w \(name), or set ZAMOK_HOME to another folder"
            )
        }
        try check(above: parent, path, level: level + 1)
    }

    private static func isSafe(_ status: FileStatus) -> Bool {
        // Nobody's: the owner has no number in this container.
        guard [0, ThisProcess.user, 65_534].contains(status.owner) else { return false }
        let isSticky = status.permissions & 0o1000 != 0
        if isSticky || status.permissions & 0o022 == 0 { return true }
        return status.permissions & 0o002 == 0 && FileHooks.isPrivateGroup(status.group)
    }

    /// The path of the folder so many levels above, as far as the path tells it: links in it may lead elsewhere.
    private static func name(_ path: String, _ levels: Int) -> String {
        let parts = path.split(separator: "/").dropLast(levels)
        return parts.isEmpty ? "/" : parts.reduce("") { $0 + "/\($1)" }
    }
}
