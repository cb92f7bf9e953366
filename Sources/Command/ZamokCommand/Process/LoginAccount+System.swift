// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import Statuses

/// The account that logs in, as PAM passes it to programs.
enum LoginAccount {
    /// Changes this process to the account, and drops all privileges of its parent, normally root. Errors: a
    /// `CommandFailure` if PAM names no account, or another account without the right to change to it.
    static func become() throws {
        guard let name = Environment.value("PAM_USER"), !name.isEmpty else {
            throw CommandFailure.usage("--login is for pam_exec, which names the account in PAM_USER")
        }
        let account = try find(name)
        if account.user != geteuid() || account.user != getuid() {
            guard geteuid() == 0 else {
                throw CommandFailure.status(
                    .notAvailable, "only root unlocks for another account; this process is not \(name.printable)'s")
            }
            try drop(to: account, name)
        }
        for (variable, value) in [("HOME", account.folder), ("USER", name), ("LOGNAME", name)] {
            unsafe setenv(variable, value, 1)
        }
        // The home is the account's, regardless of the parent's environment.
        for variable in ["ZAMOK_USER", "ZAMOK_PASSCODE_FILE", "ZAMOK_KEYS"] { unsafe unsetenv(variable) }
    }

    private struct Account {
        let user: uid_t
        let group: gid_t
        let folder: String
    }

    private static func find(_ name: String) throws -> Account {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var room = [CChar](repeating: 0, count: 64 << 10)
        guard unsafe getpwnam_r(name, &entry, &room, room.count, &found) == 0, unsafe found != nil else {
            throw CommandFailure.status(.itemNotFound, "there is no account \(name.printable)")
        }
        guard let folder = unsafe entry.pw_dir else {
            throw CommandFailure.status(.itemNotFound, "the account \(name.printable) has no folder")
        }
        return unsafe Account(user: entry.pw_uid, group: entry.pw_gid, folder: String(cString: folder))
    }

    /// Groups first, since only root may change them. For root, `setuid` sets all three identifiers. Then it verifies
    /// that root can't be regained.
    private static func drop(to account: Account, _ name: String) throws {
        let isDone =
            unsafe initgroups(name, account.group) == 0 && setgid(account.group) == 0 && setuid(account.user) == 0
            && getuid() == account.user
            && geteuid() == account.user && (account.user == 0 || setuid(0) != 0)
        guard isDone, unsafe chdir("/") == 0 else {
            throw CommandFailure.status(.notAvailable, "this process can't become one of \(name.printable)'s")
        }
    }
}
