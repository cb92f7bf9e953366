// SPDX-License-Identifier: Apache-2.0

import AppUsers
import ArgumentParser
import DataProtection
import SecretMemory

/// `zamok users backup`
struct UsersBackup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write one user's keychain, preferences and files to a sealed file.",
        discussion: """
            Under a passphrase of at least 8 characters, asked for twice or read from --passphrase-file; whoever has the file can guess at it \
            without end, so let it be long. Left out, and counted: what is bound to this device or asks for the person, and what is damaged or in \
            clear; status 206 if any of the latter was there. Unlock the user before. Files are those of the folder files in the user's home: those \
            in other folders are not part of it, and are counted, by folder with --json; status 206 then, too. \
            The file must not exist yet; it is read back before it gets its name.

            EXAMPLES:
              zamok users backup Anna anna.zamok
              zamok users backup Anna anna.zamok --no-files --passphrase-file passphrase --json
            """
    )

    @OptionGroup var passphrase: PassphraseOption

    @Argument(help: "The name or the identifier.")
    var name: String

    @Argument(help: "The file to write.", completion: .file())
    var file: String

    @Flag(inversion: .prefixedNo, help: "Whether the user's protected files are part of it.")
    var files = true

    @Flag(help: "Print what was done as a JSON object.")
    var json = false

    func run() async throws {
        let directory = try UsersCommand.directory()
        let user = try directory.user(named: name)
        let secret = Secret(try passphrase.read(try directory.home(of: user), isNew: true))
        let backup = try await directory.backUp(user, to: file, passphrase: secret, includingFiles: files)
        try Channel.output.lines(
            json ? [UserPrinter.json(backup, "written").line] : UserPrinter.lines(backup, "written"))
        guard backup.isWhole else { throw CommandFailure.inPart }
    }
}

/// `zamok users restore`
struct UsersRestore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make a new user of a backup.",
        discussion: """
            All of it is restored, or nobody is added. Nothing of the users who are there is touched; the new one has no passcode.

            EXAMPLES:
              zamok users restore anna.zamok
              zamok users restore anna.zamok --name "Anna, restored" --passphrase-file passphrase
            """
    )

    @OptionGroup var passphrase: PassphraseOption

    @Argument(help: "The file that zamok users backup wrote.", completion: .file())
    var file: String

    @Option(help: "The name of the new user; the one in the backup if it is left out.")
    var name: String?

    @Flag(help: "Print what was done as a JSON object.")
    var json = false

    func run() async throws {
        let directory = try UsersCommand.directory()
        let secret = Secret(try passphrase.read(directory.root, isNew: false))
        let restored = try await directory.restore(from: file, passphrase: secret, name: name)
        try Channel.output.lines(
            json
                ? [UserPrinter.json(restored.backup, "restored").line]
                : ["user: \(restored.user.name.printable)"] + UserPrinter.lines(restored.backup, "restored"))
        guard restored.backup.isWhole else { throw CommandFailure.inPart }
    }
}
