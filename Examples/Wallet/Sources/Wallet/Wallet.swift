// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceProtection
import TerminalPrivacy
import Zamok

/// The program: the terminal, the users, and the screen that is shown.
@MainActor
final class Wallet {
    private let terminal: PrivateTerminal
    private let users: UserDirectory
    private var screen: any Screen { didSet { oldValue.note(.left) } }
    private var message = ""

    /// The home that holds the users: in `$WALLET_HOME`, else in the user's folder for programs' data.
    static func openHome() throws -> Home {
        var configuration = Home.Configuration()
        configuration.folder =
            ProcessInfo.processInfo.environment["WALLET_HOME"] ?? NSHomeDirectory() + "/.local/share/zamok-wallet"
        // Unlocked for this program alone, while it runs. In the kernel's keyring the keys would be unlocked for all
        // programs of this user.
        configuration.holder = .process
        let home = try Home(configuration)
        Home.setCurrent(home)
        return home
    }

    init(root: Home) throws {
        users = try UserDirectory(root: root)
        screen = try UsersScreen(users)
        // Covered at once when the window loses its focus or the program is stopped. Locked when that lasts a minute.
        let policy = TerminalPolicy(screen: PrivacyScreen.Policy(locksAfter: .seconds(60)), title: "Wallet")
        terminal = try PrivateTerminal(policy: policy)
    }

    /// Until the user quits or the terminal is gone. Covers, locks and time limits are seen to in `next`.
    func run() async throws {
        defer { screen.note(.left) }
        // Drawn once a second at least: what was shown for a time is masked then.
        while let event = try terminal.next(timeout: .seconds(1)) {
            switch event {
            // While it is locked only the choice of a user and the log-in are there.
            case .key(let key), .lockedKey(let key):
                message = ""
                let request = attempt { try screen.handle(key) }
                if case .quit = request { return }
                await perform(request)
            case .paste(let secret), .lockedPaste(let secret): screen.paste(secret)
            case .pasteRefused(let reason): message = reason.explanation
            case .locked: lock()
            case .redraw, .covered, .timeout, .clipboard: break
            }
            draw()
        }
    }

    private func perform(_ request: Request) async {
        switch request {
        case .nothing, .ignored, .quit: break
        case .show(let next): screen = next
        case .back: await perform(attempt { .show(try UsersScreen(users)) })
        case .open(let user):
            await perform(
                attempt {
                    let main = try MainScreen(Session(user, home: users.home(of: user)))
                    terminal.unlock()
                    return .show(main)
                })
        case .lock: terminal.lock()
        case .work(let title, let work):
            message = title
            draw()
            message = ""
            do { await perform(try await work()) } catch { message = "\(error)" }
        }
        if let limit = screen.session?.settings.locksAfter { terminal.locksAfterInactivity = limit }
    }

    /// The terminal has locked: every `SecretField` is wiped by now. Unsaved changes are saved, then the user's keys
    /// are destroyed.
    private func lock() {
        if let session = screen.session { screen = FormScreen.logIn(session.user, users) }
    }

    private func attempt(_ body: () throws -> Request) -> Request {
        do { return try body() } catch {
            message = "\(error)"
            return .nothing
        }
    }

    private func draw() {
        let body = { (canvas: inout Canvas) in Frame.draw(self.screen, message: self.message, on: &canvas) }
        if terminal.isLocked { terminal.drawLocked(body) } else { terminal.draw(body) }
    }
}
