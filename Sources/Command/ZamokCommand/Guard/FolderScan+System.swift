// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation

/// Looks through a folder that a guest gets: for homes of Zamok, and for sockets, behind which is a program outside.
/// The nearest 10,000 entries are looked at; symbolic links are not followed.
struct FolderScan {
    private static let mostEntries = 10_000

    private(set) var homes: [String] = []
    private(set) var sockets: [String] = []

    init(_ folder: String) {
        var waiting = [folder]
        var next = 0
        var rest = Self.mostEntries
        while next < waiting.count, rest > 0 {
            look(into: waiting[next], &waiting, &rest)
            next += 1
        }
    }

    private mutating func look(into folder: String, _ waiting: inout [String], _ rest: inout Int) {
        var names: Set<String> = []
        FolderEntries.each(of: folder) { name, type in
            rest -= 1
            names.insert(name)
            switch Self.kind(type, "\(folder)/\(name)") {
            case S_IFDIR: waiting.append("\(folder)/\(name)")
            case S_IFSOCK: sockets.append("\(folder)/\(name)")
            default: break
            }
            return rest > 0
        }
        if GuardedFolders.isHome(having: names.contains) { homes.append(folder) }
    }

    /// Some file systems don't tell it with the name.
    private static func kind(_ type: UInt8, _ path: String) -> mode_t {
        guard type == UInt8(DT_UNKNOWN) else { return mode_t(type) << 12 }
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
    }
}
