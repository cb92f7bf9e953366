// SPDX-License-Identifier: Apache-2.0

import ProtectedFiles

/// What a linter says: findings on standard output, obstacles on standard error, and both in the status.
struct FilesFindings {
    let isJSON: Bool
    private var count = 0
    private var isComplete = true

    init(isJSON: Bool) { self.isJSON = isJSON }

    mutating func add(_ path: FileLocation, _ finding: String, _ text: String, size: Int? = nil) throws {
        count += 1
        let object = JSON.object(
            FilesPrinter.members(path) + [
                ("finding", .text(finding)), ("message", .text(text)),
                ("size", size.map { .number(Int64($0)) } ?? .null),
            ])
        try Channel.output.line(isJSON ? object.line : text)
    }

    /// A damaged file is a finding, one that can't be looked at an obstacle.
    mutating func add(_ path: FileLocation, _ error: ProtectedFileError) throws {
        if [.damaged, .replaced, .missing, .keyDestroyed, .folderRecord].contains(error.code) {
            return try add(path, "\(error.code)", error.message)
        }
        if error.cause is Interrupted { throw error }
        isComplete = false
        try Channel.error.line("zamok: \(CommandFailure(error).message ?? error.message)")
    }

    /// What is said beside the findings, and doesn't count as one.
    func note(_ path: FileLocation, _ note: String, _ text: String, _ more: [(String, JSON)]) throws {
        guard isJSON else { return try Channel.error.line("zamok: \(text)") }
        let members = FilesPrinter.members(path) + [("note", .text(note)), ("message", .text(text))]
        try Channel.output.line(JSON.object(members + more).line)
    }

    func conclude() throws {
        if !isComplete { throw CommandFailure.silent(2) }
        if count > 0 { throw CommandFailure.silent(1) }
    }
}
