// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import Files
import Foundation
import Keychains
import Readers
import SecretMemory
import Statuses

/// `zamok inject`
struct InjectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inject",
        abstract: "Fill a template with secrets of the keychain.",
        discussion: """
            zamok://SERVICE/ACCOUNT, bare or in {{ }}, is replaced by the secret of that item; a slash or a blank in a name is %2F or %20 there. All are read before \
            anything is written; if one is locked or missing, nothing is written. The output file is new, and of mode 0600.

            EXAMPLES:
              zamok inject -i config.template -o config.toml
              echo 'machine example.com password {{zamok://example.com/me}}' | zamok inject | tool
            """
    )

    @OptionGroup var global: GlobalOptions

    @Option(
        name: [.customShort("i"), .customLong("input")], help: "The template; - is standard input.", completion: .file()
    )
    var input = "-"

    @Option(
        name: [.customShort("o"), .customLong("output")], help: "The file to write; - is standard output.",
        completion: .file())
    var output = "-"

    func run() throws {
        try NamedFile.checkNew(output)
        let template = try TextSource.read(input)
        let keychain = try ChosenHome.keychain(global.reading)
        let parts = try References(keychain).filled(template)
        guard output != "-" else {
            for part in parts { try Channel.output.write(part) }
            return
        }
        do {
            let file = try NewFile(at: FileLocation(output))
            var offset = 0
            for part in parts {
                try part.withSecretBytes { try file.write($0, at: offset) }
                offset += part.count
            }
            try file.finish()
        } catch let error as FileError {
            throw CommandFailure.status(
                error.isPresentAlready ? .duplicateItem : .inputOutput,
                "\(output.printable) can't be written: \(error.text)")
        }
    }
}

/// A text from a file, or from standard input.
enum TextSource {
    /// The maximum size in bytes.
    private static let limit = 16 << 20

    static func read(_ path: String) throws -> Secret {
        let file = path == "-" ? FileHandle.standardInput : try NamedFile.open(path)
        let failure = path == "-" ? StandardInput.unreadable : NamedFile.unreadable(path)
        let text = try withExtendedLifetime(file) {
            try StandardInput.whole($0.fileDescriptor, limit: limit, or: failure)
        }
        guard let text else { throw CommandFailure.status(.dataTooLarge, "\(path.printable) is larger than 16 MiB") }
        return text
    }
}
