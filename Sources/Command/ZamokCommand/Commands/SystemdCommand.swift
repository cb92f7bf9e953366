// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import Files
import Keychains
import Readers
import SecretMemory
import Statuses

/// `zamok credential systemd`
struct CredentialSystemd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "systemd",
        abstract: "Give units of systemd their credentials.",
        discussion: """
            On a socket, as zamok-credentials.socket of the package starts it: LoadCredential=NAME:/run/zamok/credentials in a unit asks for the item UNIT/NAME, app.service/token for \
            example; root and the user of this process are answered. Nothing is said for one that is locked or absent but more than systemd takes, so that the unit does not start \
            with an empty secret.

            With --write a file for each credential, new and of mode 0600, as LoadCredential=NAME:FILE reads it; all are read before any is written.

            EXAMPLES:
              printf %s "$TOKEN" | zamok set app.service/token
              systemctl enable --now zamok-credentials.socket
              zamok credential systemd --write /run/app token=api/deploy
              zamok get api/deploy | systemd-creds encrypt --name=token - token.cred
            """)

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Write files into this folder.", valueName: "folder"), completion: .directory)
    var write: String?

    @Argument(help: ArgumentHelp("With --write: a credential and its item.", valueName: "name=service/account"))
    var credentials: [String] = []

    func validate() throws {
        guard (write == nil) == credentials.isEmpty else {
            throw ValidationError("--write goes with NAME=SERVICE/ACCOUNT, once or more.")
        }
    }

    func run() throws {
        guard let write else { return try serve() }
        let references = References(Keychain(home: try ChosenHome.openUnlocked(global.reading)))
        let found = try credentials.map { word in
            guard let credential = References.variable(word), !credential.name.contains("/"),
                ![".", ".."].contains(credential.name)
            else { throw CommandFailure.usage("\(word.printable): write NAME=SERVICE/ACCOUNT") }
            return (credential.name, try references.value(of: credential))
        }
        for (name, secret) in found {
            let place = FileLocation(write).appending(name)
            do {
                let file = try NewFile(at: place)
                try secret.withSecretBytes { try file.write($0, at: 0) }
                try file.finish()
            } catch let error as FileError {
                throw CommandFailure.status(
                    error.isPresentAlready ? .duplicateItem : .inputOutput, "\(place) can't be written: \(error.text)")
            }
        }
    }

    /// systemd takes 1 MiB, and refuses a unit for more (systemd.exec(5)); of an answer that ends early it would make an empty credential.
    private static let tooMuch = (1 << 20) + (1 << 18)

    private func serve() throws {
        do {
            guard let peer = SocketPeer.ofStandardInput else {
                throw CommandFailure.usage("standard input is no socket; see: zamok credential systemd --help")
            }
            guard peer.isTrusted else {
                throw CommandFailure.status(
                    .noWritePermission, "the socket is not of root or this user; nothing was said")
            }
            guard let systemd = SystemdPeer(address: peer.address) else {
                throw CommandFailure.status(
                    .parameter, "the other end of the socket is not systemd's; nothing was said")
            }
            let secret = try systemd.secret(Keychain(home: try ChosenHome.openUnlocked(global.reading)))
            try Channel.output.write(secret)
        } catch {
            if SocketPeer.ofStandardInput != nil {
                try? Channel.output.write([UInt8](repeating: 0, count: Self.tooMuch))
            }
            throw error
        }
    }
}
