// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceProtection
import Readers
import SecretMemory
import Statuses
import TerminalPrivacy

/// Copies a secret to the clipboard: by the desktop's own program if there is one, otherwise by the terminal (OSC 52).
/// The copy is cleared after its time, and when this program ends, unless something else was copied since.
struct Clipboard {
    /// A program that owns the clipboard, with its commands to copy, show and clear.
    private struct Keeper {
        let take: [String]
        let show: [String]
        let clear: [String]

        static let wayland = Keeper(
            take: ["wl-copy"], show: ["wl-paste", "--no-newline"], clear: ["wl-copy", "--clear"])
        static let x11 = Keeper(
            take: ["xclip", "-selection", "clipboard"], show: ["xclip", "-selection", "clipboard", "-o"],
            clear: ["xclip", "-selection", "clipboard"])

        /// `nil`: only the terminal can be used.
        static var here: Keeper? {
            func isSet(_ name: String) -> Bool { Environment.value(name).map { !$0.isEmpty } ?? false }
            if isSet("WAYLAND_DISPLAY"), Programs.isThere("wl-copy"), Programs.isThere("wl-paste") { return wayland }
            return isSet("DISPLAY") && Programs.isThere("xclip") ? x11 : nil
        }
    }

    /// How long the copy stays.
    let time: Duration

    /// Called before the secret is read. To use the terminal, it restarts this program under a parent that cleans up
    /// after it.
    static func prepare() throws {
        guard Keeper.here == nil else { return }
        guard Channel.output.isSteerable else {
            throw CommandFailure.status(
                .interactionRequired,
                "there is neither a terminal nor wl-copy (Wayland) nor xclip (X11) to copy by; nothing was copied")
        }
        TerminalPrivacy.supervise()
    }

    func copy(_ secret: Secret) throws {
        if let keeper = Keeper.here { return try copy(secret, keeper) }
        try copyByTerminal(secret)
    }

    // MARK: Programs

    private func copy(_ secret: Secret, _ keeper: Keeper) throws {
        Interruption.watch()
        guard try run(keeper.take, input: secret) != nil else {
            throw CommandFailure.status(.inputOutput, "\(keeper.take[0]) refuses the copy; nothing was copied")
        }
        try Channel.error.line("zamok: copied; cleared after \(time.components.seconds) s, or with Ctrl-C")
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end, Interruption.status == nil { Thread.sleep(forTimeInterval: 0.1) }
        let present = try run(keeper.show, input: nil, keepsOutput: true)
        guard let present else {
            throw CommandFailure.status(
                .inputOutput,
                "\(keeper.show[0]) doesn't say what the clipboard holds, so it was left alone: if it is still the copy, copy another text"
            )
        }
        guard try present.isEqual(to: secret) else {
            return try Channel.error.line("zamok: the clipboard holds something else by now; it was left alone")
        }
        _ = try run(keeper.clear, input: try Secret(copying: []))
        try Channel.error.line("zamok: the copy was cleared")
    }

    /// The output of the program; nil: it failed.
    private func run(_ words: [String], input: Secret?, keepsOutput: Bool = false) throws -> Secret? {
        let program = Process()
        program.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        program.arguments = words
        let (given, shown) = (Pipe(), Pipe())
        if input == nil { program.standardInput = FileHandle.nullDevice } else { program.standardInput = given }
        // `xclip` and `wl-copy` keep running, and would keep a pipe open.
        if keepsOutput { program.standardOutput = shown } else { program.standardOutput = FileHandle.nullDevice }
        program.standardError = FileHandle.nullDevice
        do { try program.run() } catch {
            throw CommandFailure(exitStatus: ExitStatus.notStarted, message: "\(words[0]) can't be started")
        }
        if let input {
            _ = try input.withBytes { Channel.write($0, to: given.fileHandleForWriting.fileDescriptor) }
            try? given.fileHandleForWriting.close()
        }
        let output =
            keepsOutput
            ? try StandardInput.whole(
                shown.fileHandleForReading.fileDescriptor, limit: 16 << 20, or: StandardInput.unreadable)
            : try Secret(copying: [])
        program.waitUntilExit()
        return program.terminationStatus == 0 ? output : nil
    }

    // MARK: The terminal

    private func copyByTerminal(_ secret: Secret) throws {
        let policy = TerminalPolicy(
            clipboard: ClipboardPolicy(isAllowed: true, clearsAfter: time), scrollback: .erase, title: "zamok")
        var text = ""
        let outcome: ClipboardOutcome
        do {
            let terminal = try PrivateTerminal(policy: policy)
            try terminal.copy(secret)
            outcome = try wait(terminal) { text = $0 }
        } catch let error as TerminalError {
            throw CommandFailure.status(.interactionRequired, "not copied: \(error.message)")
        }
        try Channel.error.line("zamok: \((text.isEmpty ? outcome.explanation : text).printable)")
        if case .refused = outcome { throw CommandFailure.silent(Status.interactionRequired.exitStatus) }
    }

    /// Waits for the end of the copy, or a key.
    private func wait(_ terminal: PrivateTerminal, _ say: (String) -> Void) throws -> ClipboardOutcome {
        var last = ClipboardOutcome.off
        while let event = try terminal.next() {
            switch event {
            case .clipboard(let outcome):
                last = outcome
                guard case .copied = outcome else { return outcome }
                draw(terminal, outcome)
            case .redraw: draw(terminal, last)
            case .key, .lockedKey:
                say("The copy is cleared now, if it is still there.")
                return last
            case .paste, .lockedPaste, .pasteRefused, .timeout, .covered, .locked: break
            }
        }
        return last
    }

    private func draw(_ terminal: PrivateTerminal, _ outcome: ClipboardOutcome) {
        let text = outcome == .off ? "Copying..." : "\(outcome.explanation) Any key clears it now."
        terminal.draw { canvas in
            for (row, line) in Canvas.wrap(text, width: max(10, canvas.columns - 4)).enumerated() {
                canvas.centered(line, row: max(0, canvas.rows / 2 - 1) + row)
            }
        }
    }
}
