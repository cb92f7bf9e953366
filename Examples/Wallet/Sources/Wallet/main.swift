// SPDX-License-Identifier: Apache-2.0
//
// A wallet for the terminal: an example of how the parts of Zamok fit together. Read this first, then Wallet.swift.

import Foundation
import TerminalPrivacy
import Zamok

// From here on the program runs under a small parent, which empties the terminal and gives it back even when the program is
// killed. First thing: what stands before it would run twice.
supervise()
// No core file, and no debugger of the same user, sees this process's memory.
CoreDumps.refuse()

do {
    try await Wallet(root: Wallet.openHome()).run()
} catch {
    // The messages of Zamok's errors say what to do, and hold nothing secret.
    FileHandle.standardError.write(Data("wallet: \(error)\n".utf8))
    exit(1)
}
