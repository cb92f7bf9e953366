// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProtectedFiles
import Readers

/// The output for a protected file. Paths escape bytes that are not text by themselves.
enum FilesPrinter {
    static func text(_ path: FileLocation, _ info: ProtectedFileInfo) -> String {
        var notes = [ProtectionWord.word(info.protection), RateBar.size(info.length)]
        if let obstacle = info.obstacle { notes.append("not verified: \(obstacle)") }
        if info.isUnderRetiredKey { notes.append("under a retired key") }
        if info.hasDamagedHalf { notes.append("half of its header is damaged") }
        return "\(path): " + notes.joined(separator: ", ")
    }

    /// The JSON members of a path. If the path is not valid text, "path" is a readable form of it, and "pathBytes" is
    /// the path in Base64.
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
                ("length", .count(info.length)), ("size", .count(info.size)),
                ("generation", .number(Int64(clamping: info.generation))),
                ("identifier", .text(String(hexadecimal: info.identifier))),
                ("verified", .bool(info.isVerified)), ("obstacle", info.obstacle.map { .text("\($0)") } ?? .null),
                ("retiredKey", .bool(info.isUnderRetiredKey)), ("damagedHalf", .bool(info.hasDamagedHalf)),
            ])
    }
}

/// The output of a check: findings on standard output, obstacles on standard error, and both in the exit status.
struct FilesFindings {
    let printer: Printer
    private var count = 0
    private var isComplete = true
    /// Messages that were already reported. A damaged folder record also concerns its files and the folders below it,
    /// and is reported once.
    private var told: Set<String> = []

    init(_ printer: Printer) { self.printer = printer }

    mutating func add(_ path: FileLocation, finding: String, text: String, size: Int? = nil) throws {
        count += 1
        try printer.answer(
            .object(
                FilesPrinter.members(path) + [
                    ("finding", .text(finding)), ("message", .text(text)),
                    ("size", size.map { .count($0) } ?? .null),
                ]), text)
    }

    /// Adds an error: a damaged file is a finding, and one that can't be examined is an obstacle.
    mutating func add(_ path: FileLocation, _ error: ProtectedFileError) throws {
        guard told.insert(error.message).inserted else { return }
        if [.damaged, .replaced, .missing, .keyDestroyed, .folderRecord].contains(error.code) {
            return try add(path, finding: "\(error.code)", text: error.message)
        }
        if error.cause is Interrupted { throw error }
        isComplete = false
        try Channel.error.line("zamok: \(CommandFailure(error).message ?? error.message)")
    }

    /// Prints a note beside the findings that is not counted as one.
    func note(_ path: FileLocation, note: String, text: String, more: [(String, JSON)]) throws {
        guard printer.isJSON else { return try Channel.error.line("zamok: \(text)") }
        let members = FilesPrinter.members(path) + [("note", .text(note)), ("message", .text(text))]
        try Channel.output.line(JSON.object(members + more).line)
    }

    func conclude() throws {
        if !isComplete { throw CommandFailure.silent(2) }
        if count > 0 { throw CommandFailure.silent(ExitStatus.findings) }
    }
}
