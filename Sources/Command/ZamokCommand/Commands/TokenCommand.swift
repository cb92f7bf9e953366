// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import DataProtection
import Foundation

/// `zamok p11`
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "p11",
        abstract: "Show the keychain to programs of PKCS#11, as p11-kit asks it.",
        discussion: """
            p11-kit starts this for each program that asks for tokens, and speaks its protocol on standard input and output; zamok setup pkcs11 tells it to. The keychain is \
            one token, Zamok: its certificates, and RSA and NIST pairs for signing, verifying, decrypting and key exchange. Private keys don't leave it, and nothing on it can be changed.

            While the home is unlocked no login is needed. While it is locked the token says that it wants one, private keys are not shown, and the PIN is the passcode: it unlocks for that \
            program alone, until it ends, logs out, or the home is locked. A key that asks for the passcode takes it at each use.

            EXAMPLES:
              zamok setup pkcs11
              p11tool --list-all 'pkcs11:token=Zamok'
              ssh -I /usr/lib/x86_64-linux-gnu/p11-kit-proxy.so server
              pkcs11-tool --module /usr/lib/x86_64-linux-gnu/p11-kit-proxy.so --list-objects
            """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
        guard !StandardInput.isTerminal else {
            throw CommandFailure.usage("standard input is a terminal, and p11-kit is to be there: zamok setup pkcs11")
        }
        let choice = global.reading
        var told: String?
        let token = PKCS11Token { holder in
            do {
                return try holder == .automatic ? ChosenHome.openUnlocked(choice) : ChosenHome.open(choice, holder)
            } catch {
                // Programs only report that there is no token.
                if let message = CommandFailure(error)?.message, message != told {
                    told = message
                    try? Channel.error.line("zamok: \(message)")
                }
                throw error
            }
        }
        try TokenTransport(PKCS11Server(token)).run()
    }
}
