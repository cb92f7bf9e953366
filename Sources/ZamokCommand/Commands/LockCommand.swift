// SPDX-License-Identifier: Apache-2.0

import AppUsers
import ArgumentParser
import DataProtection
import Foundation
import Synchronization

/// `zamok lock`
struct LockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock the home, for every process.",
        discussion: """
            The keys of when-unlocked and when-passcode-set are destroyed; items of these classes can't be read until the next \
            unlock, by any process. With --completely it is as before the first unlock: after-first-unlock is locked too.
            A home without a passcode can't be locked.

            It locks whatever else is wrong with the home, waits for nobody, and only then looks and complains. Status: 0 locked; 53 \
            there is no passcode; 220 a part of the keys may be left, as the message says; any other: locked, and it says what is \
            wrong besides.

            EXAMPLES:
              zamok lock
              zamok lock --completely
            """
    )

    @OptionGroup var global: GlobalOptions

    @Flag(help: "As before the first unlock after a start of the machine.")
    var completely = false

    func run() throws {
        let configuration = Session.configuration()
        switch Session.userName(global.choice) {
        case nil: try Home.lock(configuration, .recorded, completely: completely)
        case Session.nobody: try Home.lock(configuration, .root, completely: completely)
        default: try lockNamedUser(configuration)
        }
    }

    /// Who has that name is told by a directory that has to be opened. Where that fails, or waits for somebody who is stopped, everybody is locked.
    private func lockNamedUser(_ configuration: Home.Configuration) throws {
        let (choice, completely) = (global.choice, completely)
        let outcome = Mutex<Result<Void, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            let result = Result {
                let keybag = try Session.open(choice).keybag
                if completely { try keybag.lockCompletely() } else { try keybag.lock() }
            }
            outcome.withLock { $0 = result }
            done.signal()
        }
        _ = done.wait(timeout: .now() + .milliseconds(500))
        do {
            guard let result = outcome.withLock({ $0 }) else {
                throw CommandFailure.status(
                    -36, "locked, everybody, since another process keeps the home from being opened; end it")
            }
            try result.get()
        } catch let error as AppUsersError where error.code == .noSuchUser {
            throw error
        } catch let error as DataProtectionError where error.code == .noPasscode {
            throw error
        } catch {
            do { try Home.lock(configuration, .everything, completely: completely) } catch let second {
                if second.code == .notLocked { throw second }
            }
            throw error
        }
    }
}
