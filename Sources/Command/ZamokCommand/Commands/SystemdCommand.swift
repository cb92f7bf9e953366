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
        abstract: "Give systemd units their credentials.",
        discussion: """
            Answers on a socket, started by the package's zamok-credentials.socket: LoadCredential=NAME:/run/zamok/credentials in a unit asks for the item UNIT/NAME, app.service/token for \
            example; only root and the user of this process get an answer. For an item that is locked or missing systemd gets more than it accepts, so that the unit does not start \
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
            throw ValidationError("--write needs NAME=SERVICE/ACCOUNT, once or more.")
        }
    }

    func run() throws {
        guard let write else { return try serve() }
        let named = try credentials.map { word in
            guard let credential = References.variable(word), !credential.name.contains("/"),
                ![".", ".."].contains(credential.name)
            else { throw CommandFailure.usage("\(word.printable): write NAME=SERVICE/ACCOUNT") }
            return credential
        }
        let references = References(try ChosenHome.keychain(global.reading))
        // All are read before the first is written.
        let found = try named.map { (name: $0.name, secret: try references.value(of: $0)) }
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

    /// More than the 1 MiB that systemd accepts: it then refuses the unit (systemd.exec(5)). An answer that ends early
    /// would become an empty credential.
    private static let tooMuch = (1 << 20) + (1 << 18)

    private func serve() throws {
        do {
            guard let peer = SocketPeer.ofStandardInput else {
                throw CommandFailure.usage("standard input is not a socket; see: zamok credential systemd --help")
            }
            guard peer.isTrusted else {
                throw CommandFailure.status(
                    .noWritePermission, "the socket's other end is neither root nor this user; nothing was sent")
            }
            guard let systemd = SystemdPeer(address: peer.address) else {
                throw CommandFailure.status(
                    .parameter, "the other end of the socket is not systemd; nothing was sent")
            }
            let secret = try systemd.secret(try ChosenHome.keychain(global.reading))
            try Channel.output.write(secret)
        } catch {
            if SocketPeer.ofStandardInput != nil {
                try? Channel.output.write([UInt8](repeating: 0, count: Self.tooMuch))
            }
            throw error
        }
    }
}
