// SPDX-License-Identifier: Apache-2.0

import Credentials
import Readers

/// `zamok setup --list`: what asks the keychain now. `install --uninstall` asks it before it removes the command.
enum SetupList {
    private struct Row {
        let program: String
        let file: String
        let undo: String
    }

    /// One line for each: the program, its file, the command that undoes it. Status 3: a file could not be looked at.
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
    /// The words behind `zamok setup` that added what a file has.
    fileprivate func additions(in text: String) -> [String] {
        if self == .docker {
            // JSON has no marks.
            let change = ConfigurationChange.member("credsStore", "zamok")
            return (try? change.removed(from: text, before: nil)) ?? text != text ? [rawValue] : []
        }
        return ConfigurationChange.tools(in: text).filter { $0 == rawValue || $0.hasPrefix("\(rawValue) --profile ") }
    }
}
