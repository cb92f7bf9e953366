// SPDX-License-Identifier: Apache-2.0

import AppUsers
import ArgumentParser
import Credentials
import DataProtection
import Foundation
import Keychains
import ProtectedFiles
import Readers
import SecretMemory
import Statuses
import UserPreferences

/// `zamok lock`
struct LockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock the home, for every process.",
        discussion: """
            The keys of when-unlocked and when-passcode-set are destroyed; items of these classes can't be read until the next \
            unlock, by any process. With --completely the home is as before the first unlock: after-first-unlock is locked too.
            A home without a passcode can't be locked.

            It locks first, regardless of what is wrong with the home and without waiting for other processes, and only then reports problems. With a name that no \
            user has, it locks all users. Status: 0 locked; 53 there is no passcode, or no home; 220 a part of the keys may be left, as the message says; any \
            other: locked, and the message says what is wrong besides.

            EXAMPLES:
              zamok lock
              zamok lock --completely
            """
    )

    @OptionGroup var global: GlobalOptions

    @Flag(help: "As before the first unlock after a start of the machine.")
    var completely = false

    func run() throws {
        let configuration = ChosenHome.configuration()
        switch ChosenHome.userName(global.choice) {
        case nil: try Home.lock(configuration, .recorded, completely: completely)
        case ChosenHome.nobody: try Home.lock(configuration, .root, completely: completely)
        default: try lockNamedUser(configuration)
        }
    }

    /// Locks the user with that name, found in the user directory. If that fails, or takes longer than 500 ms because
    /// another process blocks it, all users are locked. A home without a passcode is not locked.
    private func lockNamedUser(_ configuration: Home.Configuration) throws {
        let (choice, completely) = (global.reading, completely)
        let outcome = Locked<Result<Void, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            let result = Result {
                let keybag = try ChosenHome.open(choice).keybag
                if completely { try keybag.lockCompletely() } else { try keybag.lock() }
            }
            outcome.withLock { $0 = result }
            done.signal()
        }
        _ = done.wait(timeout: .now() + .milliseconds(500))
        do {
            guard let result = outcome.withLock({ $0 }) else {
                throw CommandFailure.status(
                    .inputOutput, "locked, all users, since another process keeps the home from being opened; end it")
            }
            try result.get()
        } catch let error as DataProtectionError where error.code == .noPasscode {
            throw error
        } catch {
            do { try Home.lock(configuration, .everything, completely: completely) } catch let second {
                if second.code == .notLocked || Self.isNoHome(error) { throw second }
            }
            guard let named = error as? AppUsersError, named.code == .noSuchUser else { throw error }
            throw CommandFailure.status(
                .itemNotFound, "locked, all users: \(named.message)")
        }
    }

    private static func isNoHome(_ error: any Error) -> Bool {
        (error as? DataProtectionError)?.code == .noHome
    }
}

/// `zamok unlock`
struct UnlockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Unlock the home with the passcode.",
        discussion: """
            The class keys go into the kernel's keyring, where every process of this user finds them, until zamok lock, until \
            the time of --for is over or until the machine stops. Where the system forbids the keyring, as Docker does, an \
            unlock can't outlive its process: use zamok run there.

            With --login it is a login that unlocks, where the passcode is the login's password: pam_exec names the account and gives the password. \
            At most three wrong ones in a row come from logins, and none where wrong ones erase; then it takes zamok unlock. Documentation/Desktop.md has the line.

            EXAMPLES:
              zamok unlock
              zamok unlock --for 15m
              zamok unlock --passcode-file /run/secrets/passcode
            """
    )

    @OptionGroup var global: GlobalOptions

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Lock again after this time: 90s, 15m, 1h30m, 7d, 1w.", valueName: "time")
    )
    var duration: DurationWord?

    @Flag(help: "For PAM: unlock for the account that logs in, by the password on standard input.")
    var login = false

    func validate() throws {
        guard !login || (global.user == nil && global.passcodeFile == nil) else {
            throw ValidationError("--login takes the account and the passcode from PAM.")
        }
    }

    func run() throws {
        if login { try LoginAccount.become() }
        do { try unlock() } catch let error as DataProtectionError {
            guard error.code == .notAvailable else { throw error }
            throw CommandFailure.status(.notAvailable, "\(error.message.printable); \(KeyringHint.words)")
        }
    }

    private func unlock() throws {
        // The keyring is required: an unlock that ends with this process would be useless.
        var choice = global.reading
        if login { choice.passcodeFile = "-" }
        let home = try ChosenHome.open(choice, .kernelKeyring)
        if login, try !Self.isForLogin(home) { return }
        try home.keybag.unlock(passcode: try Passcodes.current(home, choice), for: duration?.duration)
        // A lock during a rotation, or a rotation while locked, leaves stores under retired keys that could not
        // be checked.
        HomeStores.settle(home)
    }

    /// The maximum number of consecutive wrong passcodes that logins may leave, of the four without delay.
    private static let wrongByLogin = 3

    /// Whether a login may unlock the home. Every login passes its password, which may not be the passcode. It must not
    /// cause a delay or an erasure.
    private static func isForLogin(_ home: Home) throws -> Bool {
        guard home.keybag.lockState != .unlocked else { return false }
        let status = try home.status()
        guard status.erasesAfter == nil else {
            throw CommandFailure.status(
                .notAvailable, "wrong passcodes erase this home, so that no login tries one; run: zamok unlock")
        }
        guard let wrong = status.failedAttempts, wrong < wrongByLogin else {
            throw CommandFailure.status(
                .notAvailable, "there were wrong passcodes, so that no login tries one more; run: zamok unlock")
        }
        return true
    }
}

/// `zamok run`
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Unlock once and run a program with the keys.",
        discussion: """
            For machines without a kernel keyring, such as containers, and to unlock for one program alone. The keys are \
            handed over in sealed memory; the program and what it starts find them there, and zamok lock takes them away. The \
            passcode comes from --passcode-file or from a prompt; a file that is named has to be there and to be the home's. The program \
            doesn't learn of $ZAMOK_PASSCODE_FILE. Where no file is named and there is no terminal, a program with variables (--env, --env-file) is started without the \
            passcode if all of them can be read as it is, those of items that are always readable: the home stays locked for it, and that is told. With --user it is that user's: its $ZAMOK_USER is the user's identifier. Signals are passed on; no core files are written.

            The status is the program's own, 128 + the signal that ended it, 127 if it does not exist, 126 if it can't be started.

            With --init the first start makes the home, and sets the passcode from the file; on every later start --init changes nothing. Two at once make one home.

            EXAMPLES:
              zamok run --init --passcode-file /run/secrets/passcode -- server
              zamok run --passcode-file /run/secrets/passcode -- server --port 8080
              zamok run --env TOKEN=api/deploy --env-file .env.zamok -- app
              zamok run --fd 3=api/deploy --mask -- sh -c 'app --token-file /dev/fd/3'
              zamok run -- sh
            """
    )

    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "A variable of the program's environment: the secret of an item.", valueName: "NAME=SERVICE/ACCOUNT"))
    var env: [String] = []

    @Option(
        help: ArgumentHelp(
            "A file of variables, one a line: NAME=zamok://SERVICE/ACCOUNT, or NAME=text. - is standard input.",
            valueName: "path"), completion: .file())
    var envFile: [String] = []

    @Flag(help: "Make the home if there is none, and set the passcode from the file if none is set.")
    var `init` = false

    @OptionGroup var given: GivenSecrets

    @Argument(
        parsing: .postTerminator, help: "The program and its arguments, after --.", completion: Completions.programs)
    var command: [String] = []

    func run() throws {
        let command = ProgramArguments.whole(command)
        guard let program = command.first else { throw CommandFailure.usage("name a program to run, after --") }
        guard Programs.isThere(program) else {
            throw CommandFailure(exitStatus: ExitStatus.noProgram, message: "there is no program \(program.printable)")
        }
        let named = try namedVariables()
        let numbered = try given.numbered()
        if `init` { try FirstStart.prepare(global.choice) }
        // Reading creates no home, and a passcode file belongs to an existing home.
        let isRead = named.contains(where: \.isOfItem) || !numbered.isEmpty || Passcodes.file(global.choice) != nil
        let choice = isRead ? global.reading : global.choice
        let (home, keys, secrets) = try opened(choice, named, numbered)
        // The program gets the user of the opened home, by identifier, which libraries also accept.
        let user = ChosenHome.userName(choice).map { _ in home.userIdentifier?.text ?? ChosenHome.nobody }
        let filter = try given.filter(secrets.variables.map(\.value) + secrets.descriptors.map(\.value))
        if let taken = keys?.descriptor, secrets.descriptors.contains(where: { $0.number == taken }) {
            throw CommandFailure.usage("descriptor \(taken) is taken by the keys of this run; choose another for --fd")
        }
        let (outcome, undelivered) = Launcher.run(
            command, with: keys, as: user, variables: secrets.variables, given: secrets.descriptors, filter: filter)
        switch outcome {
        case .ended(let status): throw try given.ending(status, of: program, undelivered)
        case .missing:
            throw CommandFailure(exitStatus: ExitStatus.noProgram, message: "there is no program \(program.printable)")
        case .refused(let number):
            let reason = SystemCode.text(number)
            throw CommandFailure(
                exitStatus: ExitStatus.notStarted, message: "\(program.printable) can't be started: \(reason)")
        }
    }

    private func namedVariables() throws -> [References.Variable] {
        var variables = try envFile.flatMap { (file) throws -> [References.Variable] in
            guard let text = try String(exposing: TextSource.read(file)) else {
                throw CommandFailure.status(.parameter, "the environment file is not text (UTF-8); nothing was started")
            }
            return try References.variables(inFile: text)
        }
        for word in env {
            guard let variable = References.variable(word) else {
                throw CommandFailure.usage("--env takes NAME=SERVICE/ACCOUNT, the name of a variable and of an item")
            }
            variables.append(variable)
        }
        return variables
    }

    /// The secrets for the program: in its environment and at descriptors.
    private struct Secrets {
        let variables: [(name: String, value: Secret)]
        let descriptors: [(number: Int32, value: Secret)]
    }

    /// Opens the home and reads all secrets. On an error the program isn't started.
    private func opened(
        _ choice: HomeChoice, _ named: [References.Variable], _ numbered: [GivenSecrets.Numbered]
    ) throws -> (Home, KeyHandOver?, Secrets) {
        do {
            // Another process may set the passcode between the check and the keys, for example when several instances
            // start together.
            var left = Passcodes.file(global.choice) == nil ? 0 : 2
            while true {
                let home = try unlocked(choice)
                // A retired key that another process removes later would invalidate the keys of the program.
                HomeStores.settle(home)
                do { return (home, try home.keybag.handOver(), try secrets(named, numbered, home)) } catch {
                    guard left > 0, CommandFailure(error)?.exitStatus == Status.locked.exitStatus else { throw error }
                    left -= 1
                }
            }
        } catch let error as CommandFailure where error.exitStatus == Status.interactionRequired.exitStatus {
            // The user can't be prompted. Secrets that are readable without an unlock are still available.
            let home = try ChosenHome.open(choice)
            guard !(named.isEmpty && numbered.isEmpty), let secrets = try? secrets(named, numbered, home) else {
                throw error
            }
            try Channel.error.line(
                "zamok: the home stays locked for the program: there is no terminal to ask for the passcode at")
            return (home, nil, secrets)
        }
    }

    private func secrets(
        _ named: [References.Variable], _ numbered: [GivenSecrets.Numbered], _ home: Home
    ) throws -> Secrets {
        let references = References(Keychain(home: home))
        let variables = try named.map { (name: $0.name, value: try references.value(of: $0)) }
        for (name, value) in variables where try [UInt8](exposing: value).contains(0) {
            throw CommandFailure.status(
                .parameter, "\(name.printable): the secret has a zero byte, which no variable can hold")
        }
        let descriptors = try numbered.map { (number: $0.number, value: try references.value(of: $0.variable)) }
        return Secrets(variables: variables, descriptors: descriptors)
    }

    private func unlocked(_ choice: HomeChoice) throws -> Home {
        let home: Home
        do { home = try ChosenHome.open(choice) } catch let error as DataProtectionError {
            guard error.code == .noHome, let path = Passcodes.file(global.choice) else { throw error }
            throw CommandFailure.usage(
                "the passcode file \(path.printable) is named, but there is no home yet; --init makes it with that passcode"
            )
        }
        let passcode = try Passcodes.file(global.choice).map { path in
            // Read even if it isn't needed, so that a wrong file is noticed.
            let passcode = Secret(try Passcodes.read(path))
            guard try home.keybag.hasPasscode else {
                throw CommandFailure.usage(
                    "the passcode file \(path.printable) is named, but the home has no passcode; run: \(home.keybag.command("passcode set")); or --init sets that one"
                )
            }
            return passcode
        }
        guard home.keybag.lockState != .unlocked else {
            // Checked even if it isn't needed. Otherwise a service with a wrong file would run until the
            // machine restarts.
            if let passcode { try passcode.withSecretBytes { try home.keybag.checkPasscode($0) } }
            return home
        }
        let own = try ChosenHome.open(choice, .process)
        if let passcode {
            try passcode.withSecretBytes { try own.keybag.unlock(passcode: $0) }
        } else {
            try own.keybag.unlock(passcode: try Passcodes.ask(own))
        }
        return own
    }
}

/// `zamok status`
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of the home, and what is worse than it could be.",
        discussion: """
            Lock state, passcode, who keeps the keys and why, where the device secret lies, wrong passcodes so far, how secrets are \
            kept in memory. Warnings say what to do. No secret is shown, and nothing has to be unlocked.

            Where there is a TPM 2.0, it also says how that counts wrong passcodes, what it knows of earlier states of the home, how many private keys are in it, and, behind "better:", what it could do \
            and doesn't yet.

            EXAMPLES:
              zamok status
              zamok status --json
            """
    )

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
        let home = try ChosenHome.open(global.reading)
        var status = try home.status()
        var retired: RetiredKeys?
        if status.retiredKeys > 0 {
            // Retired keys may only remain because their store was not opened.
            HomeStores.open(home)
            retired = try home.keybag.retiredKeys()
            status = try home.status()
        }
        let (user, keys) = (try ChosenHome.user(of: home), PrivateKeyStorage(home))
        try Printer(json: json).answer(
            StatusPrinter.json(status, retired: retired, user: user, keys: keys),
            StatusPrinter.lines(status, retired: retired, user: user, keys: keys))
    }
}

/// `zamok doctor`
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Examine everything that is stored; repair what is asked for.",
        discussion: """
            Opens every item and every preference and compares the stores with each other: finds what was damaged, removed or put back \
            without Zamok's knowledge, and stores, users and folder indexes that are missing. Nothing is changed unless an option says so, and what is \
            removed is copied to a file beside the keychain first. Unlock before: what is locked can't be examined.

            Setting, removing and rotating a passcode draw new class keys; the old ones are retired, and are removed once nothing is left under \
            them. Those of files stay, as a file may lie anywhere. --remove-retired-keys rewraps everything that can be, including files in the folders that \
            Zamok knows and below them, removes the keys that nothing there needs any more, and reports what still needs which keys. Files that were copied \
            or moved elsewhere are not found and are lost with their keys: give their folders to zamok files rewrap first. A folder that is not \
            where it was, or whose name another one has, keeps all keys.

            Where a TPM has the device secret, it also says so, whether the TPM counts wrong passcodes, and how, what the counter says by which an earlier \
            state of the home is told, how many private keys are in the TPM, and, behind "better:", what the TPM could do and doesn't yet. An earlier state is refused as rolled back until --accept-restored goes on with it.

            Status: 0 nothing is wrong, 1 something is, 2 not everything could be examined.

            EXAMPLES:
              zamok doctor
              zamok doctor --remove-damaged
              zamok doctor --accept-restored
              zamok doctor --remove-retired-keys
            """
    )

    @OptionGroup var global: GlobalOptions

    @Flag(help: "A backup was put back or a store is gone: go on with what is there.")
    var acceptRestored = false

    @Flag(help: "Remove items that don't open, after copying the whole keychain.")
    var removeDamaged = false

    @Flag(help: "Remove items whose key no longer exists, too.")
    var removeKeyDestroyed = false

    @Flag(help: "File every item under its own index entries again, after copying the whole keychain.")
    var rebuildIndex = false

    @Flag(help: "Rewrap everything under retired keys, then remove those that nothing needs, those of files too.")
    var removeRetiredKeys = false

    @Flag(
        help:
            "With --remove-retired-keys: folders of protected files that are not where they were are gone for good; keep no keys for them."
    )
    var forgetMissingFolders = false

    @Flag(help: "Print a JSON object.")
    var json = false

    func validate() throws {
        guard removeRetiredKeys || !forgetMissingFolders else {
            throw ValidationError("--forget-missing-folders goes with --remove-retired-keys.")
        }
    }

    func run() throws {
        let findings: [DoctorFinding]
        let retired: RetiredKeys
        let tpm: (lines: [String], json: JSON?)
        var repairs: [(String, KeychainRepair)] = []
        do {
            var choice = global.reading
            choice.toleratesRollback = acceptRestored
            let home = try ChosenHome.openUnlocked(choice)
            let doctor = KeychainDoctor(home: home)
            let preferences = PreferencesDoctor(home: home)
            if acceptRestored {
                try Self.acceptEarlierState(of: home, choice)
                if let copy = try doctor.acceptRestoredCopy() {
                    try Channel.error.line(
                        "What the keychain doesn't have any more is given up; its file from before is kept as \(copy.printable), with its log, if there was one, beside it"
                    )
                }
                try preferences.acceptRestoredCopy()
                try home.acceptStores()
            }
            if removeDamaged || removeKeyDestroyed {
                repairs.append(("removed", try doctor.removeDamaged(includingDestroyedKeys: removeKeyDestroyed)))
            }
            if rebuildIndex { repairs.append(("filed anew", try doctor.rebuildIndex())) }
            retired = try retiredKeys(home)
            let (status, keys) = (try home.status(), PrivateKeyStorage(home))
            tpm = (StatusPrinter.tpmTransports(status, keys), StatusPrinter.tpmJSON(status, keys))
            findings =
                try Self.examine(doctor) + preferences.examine().map(DoctorFinding.init)
                + ProtectedFilesDoctor(home: home).examine().map(DoctorFinding.init)
                + UsersDoctor(home: home).examine().map(DoctorFinding.init) + DoctorFinding.ofLog(home)
                + DoctorFinding.ofStores(home) + DoctorFinding.ofSweep()
        } catch {
            guard let failure = CommandFailure(error), failure.exitStatus != ExitStatus.usage else { throw error }
            throw CommandFailure(exitStatus: ExitStatus.notRun, message: failure.message)
        }
        if acceptRestored || removeRetiredKeys || !repairs.isEmpty { Done.note("what was asked for is done") }
        try Printer(json: json).answer(
            FindingPrinter.json(findings, repairs: repairs, retired: retired, tpm: tpm.json),
            FindingPrinter.lines(findings, repairs) + RetiredKeysPrinter.lines(retired, removing: removeRetiredKeys)
                + tpm.lines)
        throw CommandFailure.silent(Self.status(findings))
    }

    /// Accepting an earlier state requires the passcode.
    private static func acceptEarlierState(of home: Home, _ choice: HomeChoice) throws {
        guard home.isEarlierState else { return }
        if try home.keybag.hasPasscode, home.keybag.lockState != .unlocked {
            try home.keybag.checkPasscode(try Passcodes.current(home, choice))
        }
        try home.acceptEarlierState()
        let counts =
            try home.status().counter == nil
            ? "the TPM has no room for a counter, so that no earlier state is told any more"
            : "the TPM's counter counts from here"
        try Channel.error.line("The earlier state is gone on with; \(counts).")
    }

    private func retiredKeys(_ home: Home) throws -> RetiredKeys {
        HomeStores.open(home)
        if forgetMissingFolders {
            for folder in try ProtectedFileStore(home: home).forgetMissingFolders() {
                try Channel.error.line("forgotten: \("\(folder)".printable)")
            }
        }
        return removeRetiredKeys ? try home.keybag.removeRetiredKeys() : try home.keybag.retiredKeys()
    }

    private static func examine(_ doctor: KeychainDoctor) throws(KeychainError) -> [DoctorFinding] {
        do {
            _ = try doctor.purge()
            return try doctor.examine().map(DoctorFinding.init)
        } catch  where error.code == .damaged {
            return [DoctorFinding(error)]
        }
    }

    private static func status(_ findings: [DoctorFinding]) -> Int32 {
        if findings.contains(where: { $0.severity != .note }) { return 1 }
        return findings.contains { $0.word == KeychainFinding.Kind.notExamined.word } ? 2 : 0
    }
}

/// `zamok erase`
struct EraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Destroy all keys of the home, and so everything in it.",
        discussion: """
            The epoch is zeroed, so that nothing opens any more, in the time of two writes regardless of the amount of data; then the \
            files are removed; what stays is the device secret, by which a home that is made there later is known (one in the home that can't be read any more, since its TPM is gone, say, is removed), and locks without a byte, which another process may hold. There is no way back. It works in every state, without the passcode: whoever may delete the files \
            may erase them. Files that the home protects elsewhere stay where they are, and nothing opens them any more. What is unlocked is locked first, for every process. Copies made before keep their keys, and so may the old blocks of an SSD.
            All users of the home are destroyed with it, regardless of the current user: where there are any, --all-users is needed. To remove one user: zamok users remove.

            EXAMPLES:
              zamok erase
              zamok erase --yes
              zamok erase --yes --all-users
            """
    )

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Don't ask.")
    var yes = false

    @Flag(help: "Destroy the homes of all users, too.")
    var allUsers = false

    func run() throws {
        guard ChosenHome.userName(global.choice) == nil else {
            throw CommandFailure.usage("erase is for the whole home; one user goes with: zamok users remove NAME")
        }
        let configuration = ChosenHome.configuration()
        guard allUsers || !Home.mayHaveUsers(configuration) else {
            throw CommandFailure.status(
                .parameter,
                "erase destroys the homes of all users with this one, regardless of the current user: add --all-users, or remove one with: zamok users remove NAME"
            )
        }
        let elsewhere = Home.mayProtectFiles(configuration)
        let what =
            (allUsers ? "this home and those of its users" : "this home")
            + (elsewhere ? ", and the keys of files that it protects elsewhere" : "")
        try Question.confirm(
            "Type erase to destroy everything in \(what): ", by: ["erase"], isGiven: yes, or: "not erased")
        try Home.erase(configuration)
        try Channel.error.line("The home is erased.")
        if elsewhere {
            try Channel.error.line(
                "Files that it protected elsewhere stay where they are; nothing opens them any more.")
        }
    }
}
