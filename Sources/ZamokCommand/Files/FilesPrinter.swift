// SPDX-License-Identifier: Apache-2.0

import Foundation
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

    /// "path" is the path itself where it is text. Where it is none it stands for the path to be read only, and "pathBytes" is the path, in Base64.
    static func members(_ path: FileLocation) -> [(String, JSON)] {
        if let text = path.text { return [("path", .text(text))] }
        return [
            ("path", .text(String(decoding: path.bytes, as: UTF8.self))),
            ("pathBytes", .text(Data(path.bytes).base64EncodedString())),
        ]
    }

    static func json(_ path: FileLocation, _ info: ProtectedFileInfo) -> JSON {
        .object(
            members(path) + [
                ("class", .text(ProtectionWord.word(info.protection))),
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
