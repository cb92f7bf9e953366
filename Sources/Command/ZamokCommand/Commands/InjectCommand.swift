// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import Foundation
import Keychains
import Readers
import SecretMemory

/// `zamok inject`
struct InjectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inject",
        abstract: "Fill a template with secrets of the keychain.",
        discussion: """
            zamok://SERVICE/ACCOUNT, bare or in {{ }}, gives way to the secret of that item; a slash or a blank in a name is %2F or %20 there. All are read before \
            anything is written: where one is locked or absent nothing is. A file that is written is new, and of mode 0600.

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
        let template = try TextSource.read(input)
        let keychain = Keychain(home: try ChosenHome.openUnlocked(global.reading))
        let parts = try References(keychain).filled(template)
        let target = output == "-" ? Channel.output : try Channel.newFile(output)
        for part in parts { try target.write(part) }
    }
}

/// A text in a file, or on standard input.
enum TextSource {
    /// Bytes that it may have.
    private static let limit = 16 << 20

    static func read(_ path: String) throws -> Secret {
        let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        guard let file else { throw CommandFailure.usage("\(path.printable) can't be read") }
        do {
            guard let text = try withExtendedLifetime(file, { try Secret.read(from: $0.fileDescriptor, limit: limit) })
            else {
                throw CommandFailure.usage("\(path.printable) is larger than 16 MiB")
            }
            return text
        } catch let error as SecretMemoryError where error.code == .unreadable {
            throw CommandFailure.usage("\(path.printable) can't be read; is it a folder?")
        }
    }
}
