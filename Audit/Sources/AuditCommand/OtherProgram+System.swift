// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Another program, run to its end. Through `system`, since Foundation's `Process` can miss the end of one of several that run at once on Linux.
struct OtherProgram {
    let status: Int32
    let bytes: Data
    let errors: String
    var output: String { String(decoding: bytes, as: UTF8.self) }

    /// Each word reaches the program as it is; it reads `input` and nothing else. It ends where it has written `most`
    /// bytes, a multiple of 512.
    init(_ words: [String], _ variables: [String: String] = [:], input: [UInt8] = [], most: Int? = nil) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "zamok-audit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["input", "output", "errors"].map { folder.appending(path: $0).path }
        try Data(input).write(to: URL(fileURLWithPath: files[0]))
        let settings = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let line = (["env"] + settings + words).map(Self.quoted).joined(separator: " ")
        let (input, output, errors) = (Self.quoted(files[0]), Self.quoted(files[1]), Self.quoted(files[2]))
        let limit = most.map { "ulimit -f \($0 / 512) && " } ?? ""
        let ended = unsafe system("\(limit)\(line) <\(input) >\(output) 2>\(errors)")
        // As the shell tells it: the low seven bits are a signal.
        status = ended & 0x7F == 0 ? (ended >> 8) & 0xFF : 128 + ended & 0x7F
        bytes = FileManager.default.contents(atPath: files[1]) ?? Data()
        self.errors = String(decoding: FileManager.default.contents(atPath: files[2]) ?? Data(), as: UTF8.self)
    }

    private static func quoted(_ word: String) -> String {
        "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
