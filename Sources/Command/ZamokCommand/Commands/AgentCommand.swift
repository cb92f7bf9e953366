// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import DataProtection
import Foundation
import Readers
import SecretMemory

/// `zamok agent`
struct AgentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract: "Sign for ssh and git with keys of the keychain.",
        discussion: """
            An agent of ssh in the place of ssh-agent: it offers the keys that zamok keys list shows as offered, and signs with them. No private key leaves the keychain, and none is \
            kept: each is opened for one signature. While the home is locked the list is empty and every signature fails; zamok lock takes effect at the next request.

            Prints the variables that ssh looks for and goes on in the background, until it is killed; where one of yours listens already at the usual place, that one's. systemd's socket units start it at the first request. A key that asks for the passcode asks each time: by \
            $SSH_ASKPASS, by ssh's rules (DISPLAY, WAYLAND_DISPLAY or SSH_ASKPASS_REQUIRE=force), or with --foreground at the terminal; where no prompt is possible, it does not sign.

            ssh-add -l, -d, -D, -x and -X work; what is removed comes back when the agent is started anew. ssh-add FILE adds a key until the agent ends, sealed so that a lock ends its use; \
            zamok keys import keeps one. ssh-add -s zamok names the keys of the keychain (the PIN is not looked at): with -h they log in to the hosts that are named and are not shown elsewhere, with \
            -c $SSH_ASKPASS is asked at each use, with -t they are taken out after so many seconds; all three until the agent ends. RSA signs with SHA-256 and SHA-512. With --no-forwarding nothing is listed, signed, removed \
            or locked for other machines to which the agent is forwarded (ssh -A), as OpenSSH 8.9 and newer tell it.

            EXAMPLES:
              eval "$(zamok agent)"
              zamok keys generate laptop --ssh && zamok keys export laptop --public --ssh
              zamok setup ssh
              ssh-add -h bastion -h "bastion>git@build.example" -s zamok
              zamok agent --foreground --socket ~/.ssh/agent/zamok --no-forwarding
            """)

    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "Where it listens; if it is left out: in $XDG_RUNTIME_DIR, or in a new folder.", valueName: "path"),
        completion: .file())
    var socket: String?

    @Flag(help: "Don't go into the background.")
    var foreground = false

    @Flag(help: "Sign nothing for machines to which the agent is forwarded.")
    var noForwarding = false

    @Flag(help: .hidden)
    var listening = false

    func run() throws {
        // Before any thread is created.
        EndingSignals.hold()
        if listening { AgentSocket.leaveSession() }
        if let given = try AgentSocket.given(atInput: listening) {
            return try serve(socket.map { given.made(at: $0) } ?? given, waits: true)
        }
        // Errors of opening the home are reported before anything is created.
        _ = try open()
        let made: AgentSocket
        do { made = try AgentSocket(at: socket ?? AgentSocket.standardPath()) } catch let other as AgentSocket.InUse {
            // A second login reuses the agent of the first one.
            guard socket == nil, !foreground, !noForwarding, global.user == nil, global.passcodeFile == nil else {
                throw other.failure
            }
            return try tell(other.path, process: nil)
        }
        guard !foreground else {
            try tell(made.shownPath, process: nil)
            return try serve(made)
        }
        do {
            var words = ["agent", "--listening", "--socket", made.shownPath]
            if noForwarding { words.append("--no-forwarding") }
            for (option, value) in [("--user", global.user), ("--passcode-file", try lastingPasscodeFile())] {
                if let value { words += [option, value] }
            }
            let process = try made.startInBackground(words)
            Done.note("the agent runs as process \(process)", lost: "its address")
            try tell(made.shownPath, process: process)
        } catch {
            made.remove()
            throw error
        }
    }

    /// The path of a passcode file that two processes can read. A descriptor is refused, because the first process
    /// would consume it.
    private func lastingPasscodeFile() throws -> String? {
        guard let path = global.passcodeFile else { return nil }
        guard path != "-", PasscodeFile.descriptor(path) == nil else {
            throw CommandFailure.usage(
                "the agent needs a passcode file that stays; or start it with: zamok run -- zamok agent --foreground")
        }
        return path
    }

    private func open() throws -> Home {
        ItemPrompter.program.withLock { $0 = AskProgram.ofEnvironment }
        return try ChosenHome.openUnlocked(global.reading)
    }

    /// Serves clients. `waits`: the home may not exist yet, because systemd would stop a unit that ends immediately.
    private func serve(_ socket: AgentSocket, waits: Bool = false) throws {
        defer { socket.remove() }
        let agent = try LateAgent(waits: waits) {
            SSHAgent(
                try open(), refusesForwarded: noForwarding, confirming: AskProgram.ofEnvironment.map { $0.confirms })
        }
        try AgentServer(socket.descriptor, agent).run()
    }

    /// Prints the variables for `eval` in a shell.
    private func tell(_ socket: String, process: Int32?) throws {
        var lines = ["SSH_AUTH_SOCK=\(ForeignWord.shell(socket)); export SSH_AUTH_SOCK;"]
        if let process { lines.append("SSH_AGENT_PID=\(process); export SSH_AGENT_PID;") }
        try Channel.output.lines(lines)
    }
}
