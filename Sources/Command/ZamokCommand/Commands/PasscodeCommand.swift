// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import Keychains
import Statuses

/// `zamok passcode`
struct PasscodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passcode",
        abstract: "Set, change or remove the passcode.",
        discussion: """
            Without a passcode the home is always unlocked, and the device secret alone protects it. With one, the keys of all \
            protection classes but "always" exist only after an unlock.
            """,
        subcommands: [
            PasscodeSet.self, PasscodeChange.self, PasscodeRemove.self, PasscodeBind.self, PasscodeUnbind.self,
        ]
    )

    /// The message if the keys can't be kept for other processes.
    static func lockedNow(_ home: Home) throws -> String {
        var reason = ""
        if case .processInsteadOfKernelKeyring(let text) = try home.status().holder {
            reason = ", since the kernel keyring can't keep its keys (\(text))"
        }
        return "The home is locked\(reason). Give keys to a program with: zamok run"
    }
}

/// `zamok passcode set`
struct PasscodeSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set the first passcode.",
        discussion: """
            It is asked for twice at the terminal, or read from --passcode-file: the whole file but one newline at its end. New \
            class keys are drawn, so that a copy of the home from before opens nothing new. The home stays unlocked; where there is no kernel \
            keyring to keep the keys, it is locked when this command ends, which says so. Without --weak a passcode has at least 4 characters.

            There is no way back to the items when the passcode is forgotten.

            EXAMPLES:
              zamok passcode set
              zamok passcode set --passcode-file /run/secrets/passcode
              pass show zamok | zamok passcode set --passcode-file -
            """
    )

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Accept a passcode of fewer than 4 characters.")
    var weak = false

    func run() throws {
        try refuseSecondPasscode()
        // Before a home is made: a file that can't be read, or a prompt that is given up, leaves none behind.
        let passcode = try Passcodes.new(
            ItemPrompter(passcodeFile: nil), path: Passcodes.file(global.choice), option: "--passcode-file", weak: weak)
        let home = try ChosenHome.open(global.choice)
        HomeStores.open(home)
        try home.keybag.setPasscode(passcode)
        let state =
            try home.keybag.isUnlockedForAll
            ? "The home is unlocked; lock it with: \(home.keybag.command("lock"))" : PasscodeCommand.lockedNow(home)
        try Channel.error.line("The passcode is set. \(state)")
    }

    private func refuseSecondPasscode() throws {
        let keybag: Keybag
        do {
            keybag = try ChosenHome.open(global.reading).keybag
        } catch let error as DataProtectionError where error.code == .noHome {
            // A user's home is made by `users add` alone.
            let isOfUser = ![nil, ChosenHome.nobody].contains(ChosenHome.userName(global.choice))
            guard global.choice.makesHome, !isOfUser else { throw error }
            return
        }
        guard try !keybag.hasPasscode else { throw keybag.passcodeExists }
    }
}

/// `zamok passcode change`
struct PasscodeChange: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Change the passcode.",
        discussion: """
            The class keys are wrapped under the new passcode; no item is touched, and the time doesn't depend on their number.
            With --rotate new class keys are drawn too. What is unlocked stays so, except for programs of zamok run: start them again.

            EXAMPLES:
              zamok passcode change
              zamok passcode change --passcode-file old --new-passcode-file new --rotate
            """
    )

    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp("A file with the new passcode, by the same rules as --passcode-file.", valueName: "path"),
        completion: .file()
    )
    var newPasscodeFile: String?

    @Flag(help: "Draw new class keys; the old ones are kept only until everything is wrapped under the new ones.")
    var rotate = false

    @Flag(help: "Accept a new passcode of fewer than 4 characters.")
    var weak = false

    func run() throws {
        let home = try ChosenHome.open(global.reading)
        let old = try Passcodes.current(home, global.reading)
        // Checked first, so that the user doesn't choose a new passcode in vain.
        if newPasscodeFile == nil { try home.keybag.checkPasscode(old) }
        let new = try Passcodes.new(
            home.prompter, path: newPasscodeFile, option: "--new-passcode-file", weak: weak)
        if rotate { HomeStores.open(home) }
        let wasUnlocked = try home.keybag.isUnlockedForAll
        try home.keybag.changePasscode(from: old, to: new, rotatingKeys: rotate)
        let isLocked = try wasUnlocked && !home.keybag.isUnlockedForAll
        let state = try isLocked ? PasscodeCommand.lockedNow(home) : nil
        try Channel.error.line(["The passcode is changed.", state].compactMap(\.self).joined(separator: " "))
    }
}

/// `zamok passcode remove`
struct PasscodeRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the passcode.",
        discussion: """
            Lost are items of class when-passcode-set, and those that ask for the passcode each time (--require-passcode): their keys go with it. \
            Where there are any, it is asked for, or --yes says so. They are listed still, until zamok doctor --remove-key-destroyed. All others \
            are readable without a passcode from then on.

            EXAMPLES:
              zamok passcode remove
            """
    )

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Remove it although items go with it.")
    var yes = false

    func run() throws {
        let home = try ChosenHome.open(global.reading)
        // Unknown if the keychain doesn't open.
        let lost = try? KeychainDoctor(home: home).countBoundToPasscode()
        if lost != 0, !yes {
            let items = lost.map { "\($0) items go" } ?? "The keychain doesn't open; any items go"
            try Channel.error.line(
                "\(items) with the passcode for good that ask for it each time, or are of class when-passcode-set.")
            try Question.confirm("Type remove to go on: ", by: ["remove"], isGiven: yes, or: "the passcode stays")
        }
        let passcode = try Passcodes.current(home, global.reading)
        HomeStores.open(home)
        try home.keybag.removePasscode(passcode)
        let rest =
            switch lost {
            case 0: ". All items are readable without one."
            case let count?:
                ", and the keys of \(count) items with it (to remove these: zamok doctor --remove-key-destroyed). All others are readable without one."
            case nil: "."
            }
        try Channel.error.line("The passcode is removed\(rest)")
    }
}
