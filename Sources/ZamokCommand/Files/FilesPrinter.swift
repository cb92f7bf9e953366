// SPDX-License-Identifier: Apache-2.0

import ProtectedFiles

/// What is printed of a protected file. Paths escape what is no text by themselves.
enum FilesPrinter {
    static func text(_ path: FileLocation, _ info: ProtectedFileInfo) -> String {
        var notes = [ProtectionWord.word(info.protection), RateBar.size(info.length)]
        if let obstacle = info.obstacle { notes.append("not verified: \(obstacle)") }
        if info.isUnderRetiredKey { notes.append("under a retired key") }
        if info.hasDamagedHalf { notes.append("half of its header is damaged") }
        return "\(path): " + notes.joined(separator: ", ")
    }

    static func json(_ path: FileLocation, _ info: ProtectedFileInfo) -> JSON {
        .object([
            ("path", .text("\(path)")), ("class", .text(ProtectionWord.word(info.protection))),
            ("fileProtectionType", info.protection.fileProtectionType.map { .text($0) } ?? .null),
            ("length", .number(Int64(info.length))), ("size", .number(Int64(info.size))),
            ("generation", .number(Int64(clamping: info.generation))), ("identifier", .text(hex(info.identifier))),
            ("verified", .bool(info.isVerified)), ("obstacle", info.obstacle.map { .text("\($0)") } ?? .null),
            ("retiredKey", .bool(info.isUnderRetiredKey)), ("damagedHalf", .bool(info.hasDamagedHalf)),
        ])
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
