// SPDX-License-Identifier: Apache-2.0

import AppUsers
import ArgumentParser

/// `zamok users switch`
struct UsersSwitch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switch",
        abstract: "Switch to a user.",
        discussion: """
            Commands without --user and programs that start from now on are that user's; programs that run stay with theirs. The one who is left \
            is locked for every process, or stays open for the time of --keep-unlocked. A guest who is left is erased.

            EXAMPLES:
              zamok users switch Anna
              zamok users switch Anna --keep-unlocked 15m
              zamok users switch --nobody
            """
    )

    @Argument(help: "The name or the identifier.")
    var name: String?

    @Flag(help: "Switch to the root home.")
    var nobody = false

    @Option(help: ArgumentHelp("Lock who is left only after this time: 90s, 15m, 8h, 7d.", valueName: "time"))
    var keepUnlocked: DurationWord?

    func validate() throws {
        guard (name == nil) == nobody else { throw ValidationError("Name a user, or give --nobody.") }
    }

    func run() async throws {
        let directory = try UsersCommand.directory()
        let user = try name.map { try directory.user(named: $0) }
        try await directory.switch(
            to: user, leaving: keepUnlocked.map { .keepUnlocked(for: $0.duration) } ?? .lock)
    }
}

/// `zamok users adopt`
struct UsersAdopt: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adopt",
        abstract: "Take a user into the list whose home is there and who is in no list.",
        discussion: """
            Where the list of users was lost, or an older one was put back, homes are there that it does not name; zamok users list says which. \
            They are never removed.

            EXAMPLES:
              zamok users adopt 3f2a41c8-7a64-4d0e-9a52-0b6c1f9e8d77 Anna
            """
    )

    @Argument(help: "The identifier, the name of the folder in users.")
    var identifier: String

    @Argument(help: "The name from now on.")
    var name: String

    func run() throws {
        guard let user = UserIdentifier(identifier) else {
            throw CommandFailure.usage("\(identifier.printable) is no identifier of a user; see: zamok users list")
        }
        try UsersCommand.directory().adopt(user, as: name)
    }
}

/// `zamok users rename`
struct UsersRename: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give a user another name.",
        discussion: """
            EXAMPLES:
              zamok users rename Anna "Anna K."
            """
    )

    @Argument(help: "The name or the identifier.")
    var name: String

    @Argument(help: "The name from now on.")
    var newName: String

    func run() throws {
        let directory = try UsersCommand.directory()
        try directory.rename(try directory.user(named: name), to: newName)
    }
}

/// `zamok users remove`
struct UsersRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Destroy a user's keys, and so everything of theirs.",
        discussion: """
            At once, whatever the amount of data, for every process, without the passcode; there is no way back. Copies made before keep their \
            keys, and so may the old blocks of an SSD.

            Files in folders outside of the user's home hang on these keys, too. While there are any, or a folder with some is not where it was, \
            nobody is removed: bring them into the clear before (zamok files open --in-place --user NAME DIR), or say --lose-files.

            EXAMPLES:
              zamok users remove Anna
              zamok users remove Anna --yes
              zamok users remove Anna --yes --lose-files
            """
    )

    @Argument(help: "The name or the identifier.")
    var name: String

    @Flag(help: "Don't ask.")
    var yes = false

    @Flag(help: "Files outside of the user's home, which can't be read afterwards, are not needed.")
    var loseFiles = false

    func run() throws {
        let directory = try UsersCommand.directory()
        let user = try directory.user(named: name)
        if !loseFiles { try directory.checkFilesElsewhere(of: user) }
        guard try yes || Question.ask("Type remove to destroy everything of \(user.name.printable): ") == "remove"
        else {
            throw CommandFailure.status(-128, "not removed")
        }
        try directory.remove(user, losingFiles: loseFiles)
    }
}
