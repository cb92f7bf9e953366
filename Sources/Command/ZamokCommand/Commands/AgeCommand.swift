// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import Foundation
import Keychains
import SecretMemory
import Statuses

/// `zamok credential age`
struct CredentialAge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "age",
        abstract: "Keep age identities in the keychain.",
        discussion: """
            Prints a file of identities for an item whose secret is AGE-SECRET-KEY-1..., as age-keygen writes it; with --new an identity is made. The file holds the \
            recipient and the name of the item, but no secret. Any program can encrypt to the recipient without a plugin; to decrypt, age looks for this program under \
            the name age-plugin-zamok. age reports it when the keychain is locked.

            EXAMPLES:
              zamok credential age --new age/laptop > identity.txt
              age -r "$(sed -n 's/.*: //p' identity.txt)" -o notes.age notes.txt
              age -d -i identity.txt notes.age
              age-keygen 2> key.pub | zamok set age/old
              zamok credential age age/old
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The item, as SERVICE/ACCOUNT.", completion: Completions.names)
    var name: String?

    @Flag(help: "Make a new identity and store it under the name.")
    var new = false

    @Option(name: .customLong("age-plugin"), help: ArgumentHelp("What age says.", valueName: "state"))
    var state: String?

    func validate() throws {
        guard (name == nil) != (state == nil) else { throw ValidationError("Name the item that holds the identity.") }
    }

    func run() throws {
        if let state {
            let reading = global.reading
            let helper = AgeHelper(
                { try CredentialHelpers.opened(reading) },
                read: { try StandardInput.line(atMost: 1 << 20) }, write: { try Channel.output.write($0) })
            guard try helper.run(state) else {
                throw CommandFailure.usage(
                    "age's protocol \(state) is not known here; identity-v1 and recipient-v1 are")
            }
        } else if let name {
            let item = try NameOptions.item(name)
            let keychain =
                try new ? SetCommand.keychain(for: item, global) : ChosenHome.keychain(global.reading)
            let file = try AgeHelper.identityFile(item, in: keychain, making: new)
            if new { Done.note("the identity is stored") }
            try Channel.output.write(Array(file.utf8))
        }
    }
}

/// `zamok credential askpass`
struct CredentialAskPass: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "askpass",
        abstract: "Answer what ssh, git and sudo ask an askpass program.",
        discussion: """
            SSH_ASKPASS, GIT_ASKPASS and SUDO_ASKPASS name the link zamok-askpass. The prompt says which item is meant: service ssh and the file as account for the passphrase of a \
            key, ssh/USER@HOST for a password, sudo/USER, and for git the password of the web server. Any other question, for example about an unknown host, gets no answer and \
            status 206; a wrong passphrase is not given again.

            EXAMPLES:
              zamok set -s ssh -a ~/.ssh/id_ed25519
              SSH_ASKPASS=zamok-askpass SSH_ASKPASS_REQUIRE=force ssh-add ~/.ssh/id_ed25519
              zamok set sudo/anna
              SUDO_ASKPASS="$(command -v zamok-askpass)" sudo -A true
              GIT_ASKPASS=zamok-askpass git fetch
            """)

    @Argument(help: "The prompt.")
    var prompt: String

    func run() throws {
        guard let question = AskPassQuestion(prompt) else {
            throw CommandFailure.status(.parameter, "the keychain has no answer to this question")
        }
        let keychain = try ChosenHome.keychain(HomeChoice().reading)
        try Channel.output.write(try question.answer(keychain, now: Int(Date().timeIntervalSince1970)))
        try Channel.output.line("")
    }
}
