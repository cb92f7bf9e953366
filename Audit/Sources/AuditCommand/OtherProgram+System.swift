// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Another program, run to its end. Through `system`, since Foundation's `Process` can miss the end of one of several that run at once on Linux.
struct OtherProgram {
    let status: Int32
    let output: String
    let errors: String

    /// Each word reaches the program as it is; it reads nothing.
    init(_ words: [String], _ variables: [String: String] = [:]) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "zamok-audit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["output", "errors"].map { folder.appending(path: $0).path }
        let settings = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let line = (["env"] + settings + words).map(Self.quoted).joined(separator: " ")
        let ended = unsafe system("\(line) </dev/null >\(Self.quoted(files[0])) 2>\(Self.quoted(files[1]))")
        // As the shell tells it: the low seven bits are a signal.
        status = ended & 0x7F == 0 ? (ended >> 8) & 0xFF : 128 + ended & 0x7F
        output = Self.text(files[0])
        errors = Self.text(files[1])
    }

    private static func quoted(_ word: String) -> String {
        "'" + word.replacing("'", with: "'\\''") + "'"
    }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}
