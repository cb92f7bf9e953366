// SPDX-License-Identifier: Apache-2.0
//
// A wallet for the terminal: an example of how the parts of Zamok fit together. Read this first, then Wallet.swift.

import Foundation
import TerminalPrivacy
import Zamok

if CommandLine.arguments.contains(where: { ["--help", "-h", "help"].contains($0) }) {
    print(
        """
        wallet: cards, notes and settings, for several people, each behind a passcode.
        It has no options. WALLET_HOME is the folder of its data, ~/.local/share/zamok-wallet by default.
        WALLET_LOCKS_AFTER is the seconds without a key or line after which it locks, where the user's setting is longer.
        ZAMOK_LINES=1 has it work line by line, for a screen reader.
        """)
    exit(0)
}

// From here on the program runs under a small parent process. The parent clears and restores the terminal even when the
// program is killed. This call comes first, since any code before it would run twice.
supervise()
// No core file, and no debugger of the same user, sees this process's memory.
CoreDumps.refuse()

do {
    let home = try Wallet.openHome()
    // Line by line for a screen reader, and in a terminal that can't move the cursor.
    if LineMode.isWanted { try await LineWallet(root: home).run() } else { try await Wallet(root: home).run() }
} catch {
    // The messages of Zamok's errors say what to do, and hold nothing secret.
    FileHandle.standardError.write(Data("wallet: \(error)\n".utf8))
    exit(1)
}
