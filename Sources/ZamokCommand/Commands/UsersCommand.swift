// SPDX-License-Identifier: Apache-2.0

import AppUsers
import ArgumentParser
import DataProtection

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

    /// The directory, with the user who was switched to as the current one of this process. One who is not there, or does not open, keeps nobody from
    /// working on users: the root home is current then.
    static func directory() throws -> UserDirectory {
        let directory = try UserDirectory(root: try Session.openRoot())
        do throws(AppUsersError) {
            Home.setCurrent(
                try directory.recorded().map { (user) throws(AppUsersError) in try directory.home(of: user) }
                    ?? directory.root)
        } catch {
            // Who is recorded matters to none of these commands, and one of them is the remedy.
            let isRemedied = [.noSuchUser, .damaged].contains(error.code)
            guard isRemedied || (error.cause as? DataProtectionError)?.code == .damaged else { throw error }
            try? Channel.error.line("warning: \(error.message)")
            Home.setCurrent(directory.root)
        }
        return directory
    }

    /// Says what a list does not show.
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
        let directory = try UserDirectory(root: try Session.openRoot())
        let current = try? directory.recorded()
        let users = try directory.users()
        try UsersCommand.tellOfOthers(directory)
        try Channel.output.lines(
            json
                ? users.map { UserPrinter.json($0, isCurrent: $0 == current).line }
                : Table(rows: users.map { UserPrinter.row($0, isCurrent: $0 == current) })
                    .lines(aligned: Channel.output.isTerminal)
        )
    }
}

/// `zamok users current`
struct UsersCurrent: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "current",
        abstract: "Show who was switched to.",
        discussion: """
            Status 44: nobody, the root home is current.

            EXAMPLES:
              zamok users current
              zamok users current --json
            """
    )

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
        guard let user = try UserDirectory(root: try Session.openRoot()).recorded() else {
            throw CommandFailure.status(-25_300, "nobody was switched to; the root home is current")
        }
        try Channel.output.line(json ? UserPrinter.json(user, isCurrent: true).line : user.name.printable)
    }
}
