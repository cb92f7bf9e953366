// SPDX-License-Identifier: Apache-2.0

import Credentials
import Readers

/// `zamok setup --list`: the programs that use the keychain now. `install --uninstall` runs it before it removes
/// the command.
enum SetupList {
    private struct Row {
        let program: String
        let file: String
        let undo: String
    }

    /// Prints one line for each program: its name, its file, the command that undoes it. Status 3: a file could not
    /// be read.
    static func print() throws {
        var rows: [Row] = []
        var isWhole = true
        for program in SetupProgram.allCases {
            do {
                let text = try ConfigurationFile(program.file).read() ?? ""
                rows += program.additions(in: text).map {
                    Row(program: program.rawValue, file: program.file, undo: "zamok setup \($0) --undo")
                }
            } catch {
                isWhole = false
                try Channel.error.line("zamok: \(CommandFailure(error)?.message ?? program.file.printable)")
            }
        }
        try Printer(json: false).rows(
            rows, head: ["PROGRAM", "FILE", "UNDONE BY"], { _ in .null },
            { [$0.program, $0.file.printable, $0.undo.printable] })
        guard isWhole else { throw CommandFailure.inPart }
    }
}

extension SetupProgram {
    /// The arguments of `zamok setup` that made the additions in a file.
    fileprivate func additions(in text: String) -> [String] {
        if self == .docker {
            // JSON can't contain marker comments.
            let change = ConfigurationChange.member("credsStore", "zamok")
            return (try? change.removed(from: text, before: nil)) ?? text != text ? [rawValue] : []
        }
        return ConfigurationChange.tools(in: text).filter { $0 == rawValue || $0.hasPrefix("\(rawValue) --profile ") }
    }
}
