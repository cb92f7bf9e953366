// SPDX-License-Identifier: Apache-2.0

import AppUsers
import ArgumentParser
import DataProtection
import Readers
import SecretMemory
import Statuses

/// `zamok users`
struct UsersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Several people, one app: each has a keychain, preferences, files and a passcode of their own.",
        discussion: """
            Without users everything belongs to the root home. A user's keychain and the rest are reached by --user NAME, by $ZAMOK_USER, or \
            after a switch. Names are sealed; the folders are named by random numbers.

            EXAMPLES:
              zamok users add Anna
              zamok users switch Anna
              zamok passcode set --user Anna
              zamok users backup Anna anna.zamok
            """,
        subcommands: [
            UsersAdd.self, UsersList.self, UsersCurrent.self, UsersSwitch.self, UsersRename.self, UsersRemove.self,
            UsersAdopt.self, UsersBackup.self, UsersRestore.self,
        ]
    )

    /// The directory; the selected user becomes the current one of this process. If that user doesn't exist or is
    /// damaged, the root home becomes current, so that users can still be managed.
    static func directory(making: Bool = true) throws -> UserDirectory {
        let directory = try UserDirectory(root: try ChosenHome.openRoot(.automatic, HomeChoice(makesHome: making)))
        do throws(AppUsersError) {
            Home.setCurrent(
                try directory.recorded().map { (user) throws(AppUsersError) in try directory.home(of: user) }
                    ?? directory.root)
        } catch {
            // None of these commands depends on the recorded user, and one of them repairs it.
            let isRemedied = [.noSuchUser, .damaged].contains(error.code)
            guard isRemedied || (error.cause as? DataProtectionError)?.code == .damaged else { throw error }
            try? Channel.error.line("warning: \(error.message)")
            Home.setCurrent(directory.root)
        }
        return directory
    }

    /// Refuses a new name that no user can have. Errors: wrong usage if it is empty; `.invalidArgument`.
    static func check(name: String) throws {
        try CommandFailure.refuseEmpty(name, of: "user")
        try UserDirectory.check(name: name)
    }

    /// Reports users and removals that a list doesn't show.
    static func tellOfOthers(_ directory: UserDirectory) throws {
        for user in try directory.unlisted() {
            try Channel.error.line(
                "zamok: a user who is in no list is kept: \(user); take them in with: zamok users adopt \(user) NAME")
        }
        for user in try directory.unfinishedRemovals() {
            try Channel.error.line(
                "zamok: the removal of \(user) was begun and could not be finished; the next change of a user tries again"
            )
        }
    }
}

/// `zamok users add`
struct UsersAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a user.",
        discussion: """
            The new user has no passcode; set one with zamok passcode set --user NAME. A guest is erased when left.

            EXAMPLES:
              zamok users add Anna
              zamok users add Guest --guest
            """
    )

    @Argument(help: "The name, 1 to 256 bytes.")
    var name: String

    @Flag(help: "Erase the user when left.")
    var guest = false

    func run() throws {
        try UsersCommand.check(name: name)
        try ChosenHome.refuseUselessPasscodeFile(HomeChoice(user: ChosenHome.nobody))
        try UsersCommand.directory().add(name, isGuest: guest)
    }
}

/// `zamok users list`
struct UsersList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the users.",
        discussion: """
            A line for each: a star if it is the one who was switched to, the name, its identifier, guest. Works while locked.

            EXAMPLES:
              zamok users list
              zamok users list --json
            """
    )

    @Flag(help: "Print a JSON object for each user.")
    var json = false

    func run() throws {
        let directory = try UserDirectory(root: try ChosenHome.openRoot(.automatic, HomeChoice().reading))
        let current = try? directory.recorded()
        let users = try directory.users()
        try UsersCommand.tellOfOthers(directory)
        try Printer(json: json).rows(
            users, head: ["", "NAME", "IDENTIFIER", ""], { UserPrinter.json($0, isCurrent: $0 == current) },
            { UserPrinter.row($0, isCurrent: $0 == current) }
        )
    }
}

/// `zamok users current`
struct UsersCurrent: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "current",
        abstract: "Show the user who was switched to.",
        discussion: """
            Status 44: no user, the root home is current.

            EXAMPLES:
              zamok users current
              zamok users current --json
            """
    )

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
        guard let user = try UserDirectory(root: try ChosenHome.openRoot(.automatic, HomeChoice().reading)).recorded()
        else {
            throw CommandFailure.status(.itemNotFound, "no user was switched to; the root home is current")
        }
        try Printer(json: json).answer(UserPrinter.json(user, isCurrent: true), user.name.printable)
    }
}

/// `zamok users switch`
struct UsersSwitch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switch",
        abstract: "Switch to a user.",
        discussion: """
            Commands without --user and programs that start from now on are that user's; running programs stay with theirs. The user who is left \
            is locked for every process, or stays unlocked for the time of --keep-unlocked. A guest who is left is erased.

            EXAMPLES:
              zamok users switch Anna
              zamok users switch Anna --keep-unlocked 15m
              zamok users switch --nobody

            Back to the root home, which belongs to no user, with --nobody, or - as the name; for one command without a switch: --user -.
            """
    )

    @Argument(help: "The name or the identifier.", completion: Completions.users)
    var name: String?

    @Flag(help: "Switch back to the root home, which belongs to no user.")
    var nobody = false

    @Option(
        help: ArgumentHelp(
            "Lock who is left only after this time: 90s, 15m, 1h30m, 7d, 1w. Who has no passcode is never locked.",
            valueName: "time"))
    var keepUnlocked: DurationWord?

    func validate() throws {
        guard (name == nil) == nobody else { throw ValidationError("Name a user, or give --nobody.") }
    }

    func run() async throws {
        let directory = try UsersCommand.directory(making: false)
        let user = try name.flatMap { try $0 == ChosenHome.nobody ? nil : directory.user(named: $0) }
        try await directory.switch(
            to: user, leaving: keepUnlocked.map { .keepUnlocked(for: $0.duration) } ?? .lock)
        let whose = user.map { "\($0.name.printable)'s" } ?? "the root home's"
        try Channel.error.line(
            "Programs of this account that start from now on are \(whose): keychain, preferences, files and passcode; those that run stay as they are."
        )
    }
}

/// `zamok users adopt`
struct UsersAdopt: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adopt",
        abstract: "Put a user back into the list whose home is there but who is not listed.",
        discussion: """
            Where the list of users was lost, or an older one was put back, it may not name all the homes that are there; zamok users list says which. \
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
            throw CommandFailure.usage("\(identifier.printable) is not the identifier of a user; see: zamok users list")
        }
        try UsersCommand.directory(making: false).adopt(user, as: name)
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

    @Argument(help: "The name or the identifier.", completion: Completions.users)
    var name: String

    @Argument(help: "The name from now on.")
    var newName: String

    func run() throws {
        try UsersCommand.check(name: newName)
        let directory = try UsersCommand.directory(making: false)
        try directory.rename(try directory.user(named: name), to: newName)
    }
}

/// `zamok users remove`
struct UsersRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Destroy a user's keys, and so everything of theirs.",
        discussion: """
            At once, regardless of the amount of data, for every process, without the passcode; there is no way back. Copies made before keep their \
            keys, and so may the old blocks of an SSD.

            Files in folders outside the user's home depend on these keys, too. While there are any, or a folder with some is not where it was, \
            the user is not removed: first make them plaintext (zamok files open --in-place --user NAME DIR), or add --lose-files.

            EXAMPLES:
              zamok users remove Anna
              zamok users remove Anna --yes
              zamok users remove Anna --yes --lose-files
            """
    )

    @Argument(help: "The name or the identifier.", completion: Completions.users)
    var name: String

    @Flag(help: "Don't ask.")
    var yes = false

    @Flag(help: "Lose the files outside the user's home: they can't be read afterwards.")
    var loseFiles = false

    func run() throws {
        let directory = try UsersCommand.directory(making: false)
        let user = try directory.user(named: name)
        if !loseFiles { try directory.checkFilesElsewhere(of: user) }
        try Question.confirm(
            "Type remove to destroy everything of \(user.name.printable): ", by: ["remove"], isGiven: yes,
            or: "not removed")
        try directory.remove(user, losingFiles: loseFiles)
    }
}

/// `zamok users backup`
struct UsersBackup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write one user's keychain, preferences and files to a sealed file.",
        discussion: """
            Under a passphrase of at least 8 characters, asked for twice or read from --passphrase-file; anyone with the file can guess at it \
            without end, so let it be long. Left out, and counted: what is bound to this device or asks for the person, and what is damaged, unreadable or in \
            clear; each of the latter is named, with status 3. Files come back with their permissions and the time of their last change, and with no owner, access list or extended attribute. Unlock the user before. Files are those of the folder files in the user's home, whose path zamok status --user NAME \
            tells as "home"; make that folder for them. Those \
            in other folders are not part of it, and are counted, by folder with --json; status 3 then, too. \
            The file must not exist yet; it is read back before it gets its name.

            EXAMPLES:
              zamok users backup Anna anna.zamok
              zamok users backup Anna anna.zamok --no-files --passphrase-file passphrase --json
            """
    )

    @OptionGroup var passphrase: PassphraseOption

    @Argument(help: "The name or the identifier.", completion: Completions.users)
    var name: String

    @Argument(help: "The file to write.", completion: .file())
    var file: String

    @Flag(inversion: .prefixedNo, help: "Whether the user's protected files are part of it.")
    var files = true

    @Flag(help: "Print what was done as a JSON object.")
    var json = false

    func run() async throws {
        try NamedFile.checkNewFile(file)
        let directory = try UsersCommand.directory(making: false)
        let user = try directory.user(named: name)
        let secret = Secret(try passphrase.read(isNew: true, of: "backup"))
        let backup = try await directory.backUp(user, to: file, passphrase: secret, includingFiles: files)
        Done.note("the backup is written")
        try UserPrinter.tellLeftOut(backup)
        try Printer(json: json).answer(UserPrinter.json(backup, "written"), UserPrinter.lines(backup, "written"))
        guard backup.isWhole else { throw CommandFailure.inPart }
    }
}

/// `zamok users restore`
struct UsersRestore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make a new user from a backup.",
        discussion: """
            All of it is restored, or no user is added. Nothing of the existing users is touched; the new one has no passcode.

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
        try NamedFile.requireExport(file)
        if let name { try UsersCommand.check(name: name) }
        let secret = Secret(try passphrase.read(isNew: false, of: "backup"))
        let directory = try UsersCommand.directory()
        let restored = try await directory.restore(from: file, passphrase: secret, name: name)
        Done.note("the user is restored")
        try UserPrinter.tellLeftOut(restored.backup)
        try Printer(json: json).answer(
            UserPrinter.json(restored.backup, "restored", user: restored.user),
            ["user: \(restored.user.name.printable)"] + UserPrinter.lines(restored.backup, "restored"))
        guard restored.backup.isWhole else { throw CommandFailure.inPart }
    }
}
