// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import DataProtection
import Foundation
import Readers
import SecretMemory
import Statuses

/// `zamok secrets`
struct SecretsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secrets",
        abstract: "Be the Secret Service of the desktop: programs of libsecret use the keychain.",
        discussion: """
            Takes the name org.freedesktop.secrets on the session's bus ($DBUS_SESSION_BUS_ADDRESS, otherwise the socket bus in $XDG_RUNTIME_DIR), and serves until it is ended. Secrets of browsers, mail \
            programs, editors and secret-tool lie in the keychain as items of the access group org.freedesktop.secrets, with their attributes sealed.

            While the home is locked every program is told that it is locked. A program may ask for it to be unlocked: the person is asked where there is a screen by $SSH_ASKPASS, if that is set, otherwise by \
            pinentry, and without a screen at the terminal where this was started (SSH_ASKPASS_REQUIRE=force: by $SSH_ASKPASS always); where no prompt is possible, the program hears at once that nothing was unlocked, and the log has a line about it. What a program asks to be locked locks \
            the home, for every process. The collection session is in memory alone, and lost with a lock.

            When the person's session is locked, or the machine is to sleep, the home is locked (logind's Lock and PrepareForSleep); --keep-unlocked leaves it as it is.

            Any program of the same user gets every secret while the home is unlocked, as with other providers. With --separate each program has items of its own, named after \
            its Flatpak identifier, its unit of systemd or its file, and finds nothing of another one; that holds against programs in a sandbox, not against one of yours that means to get round it.

            EXAMPLES:
              zamok secrets
              zamok secrets --replace
              zamok secrets --separate
              secret-tool store --label=Mail server mail.example.com user anna
              zamok keychain list --group org.freedesktop.secrets
            """)

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Take the place of another provider that allows it; otherwise end if there is one.")
    var replace = false

    @Flag(help: "Don't lock the home with the session, nor before the machine sleeps.")
    var keepUnlocked = false

    @Flag(help: "Give each program items of its own, which no other program finds.")
    var separate = false

    @Option(help: ArgumentHelp("The access group in which the items lie.", valueName: "name"))
    var group = "org.freedesktop.secrets"

    func run() throws {
        // Before any thread is created.
        EndingSignals.hold()
        let program = Passcodes.file(global.choice) == nil ? AskingProcess.program : nil
        let home = try ChosenHome.openUnlocked(global.choice)
        let connection: BusConnection
        do { connection = try BusConnection.ofSession() } catch let failure as BusFailure {
            throw CommandFailure.status(.notAvailable, "there is no bus to serve on: \(failure.message.printable)")
        }
        let canAsk = program != nil || StandardInput.isTerminal || Passcodes.file(global.choice) != nil
        let services = SecretServices(home, group: group, isSeparate: separate)
        let server = try SecretsServer(connection, home, services, program: program, canAsk: canAsk)
        if !keepUnlocked { server.lockWithSession() }
        try server.takeName(replacing: replace)
        try server.run()
    }
}

extension BusConnection {
    /// Connects to the session's bus, a local socket. Errors: a `CommandFailure` if there is none, or a `BusFailure` if
    /// it doesn't respond.
    static func ofSession() throws -> BusConnection {
        if let address = Environment.value("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty {
            guard address.hasPrefix("unix:") else {
                throw CommandFailure.status(
                    .parameter, "the bus of $DBUS_SESSION_BUS_ADDRESS is not a socket of this machine (unix:)")
            }
            return try BusConnection(address: address)
        }
        guard let folder = AgentSocket.runtimeFolder else {
            throw CommandFailure.status(.notAvailable, "there is no session's bus; set DBUS_SESSION_BUS_ADDRESS")
        }
        return try BusConnection(address: "unix:path=\(folder)/bus")
    }
}
