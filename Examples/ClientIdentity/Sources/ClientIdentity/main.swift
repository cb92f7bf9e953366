// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychains

// client-identity import FILE.p12 PASSPHRASE-FILE      keeps a TLS client identity in the keychain
// client-identity get HOST:PORT PATH AUTHORITY.pem     asks a server for a page and shows the identity to it
// client-identity forget                               removes it
let arguments = CommandLine.arguments.dropFirst()
let keychain = Keychain(service: "org.example.client-identity")

do {
    switch arguments.first {
    case "import" where arguments.count == 3:
        try keep(URL(fileURLWithPath: arguments[2]), passphraseFile: URL(fileURLWithPath: arguments[3]))
    case "get" where arguments.count == 4:
        exit(try Connection(to: arguments[2], trusting: arguments[4]).get(arguments[3], with: try identity()))
    case "forget" where arguments.count == 1:
        try keychain.delete(try identity())
    default:
        print("usage: client-identity import FILE PASSPHRASE-FILE | get HOST:PORT PATH AUTHORITY | forget")
        exit(64)
    }
} catch {
    FileHandle.standardError.write(Data("client-identity: \(error)\n".utf8))
    exit(1)
}

/// Reads the file once; afterwards it and its passphrase can go.
func keep(_ file: URL, passphraseFile: URL) throws {
    let passphrase = try String(contentsOf: passphraseFile, encoding: .utf8).trimmingCharacters(in: .newlines)
    // Its key is readable while the home is unlocked, which is the default for keys.
    for identity in try IdentityItem.identities(pkcs12: Data(contentsOf: file), passphrase: passphrase) {
        print("kept: \(try keychain.add(identity).label ?? "")")
    }
}

/// The identity, of which there is one.
func identity() throws -> IdentityItem { try keychain.item(matching: KeychainQuery<IdentityItem>()) }

/// A connection by the `openssl` command. It reads certificate and key from named pipes, so that neither touches the
/// disk.
struct Connection {
    private let server: String
    private let authority: String

    init(to server: String, trusting authority: String) {
        self.server = server
        self.authority = authority
    }

    /// Prints what the server answers; the exit status of openssl.
    func get(_ path: String, with identity: IdentityItem) throws -> Int32 {
        guard let certificate = try identity.certificate.pem(), let key = try identity.key.pem() else { return 1 }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "client-identity-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }

        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        openssl.arguments = [
            "openssl", "s_client", "-connect", server, "-CAfile", authority, "-verify_return_error", "-quiet",
            "-cert", try pipe(certificate, in: folder, named: "certificate"),
            "-key", try pipe(key, in: folder, named: "key"),
        ]
        let input = Pipe()
        openssl.standardInput = input
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        input.fileHandleForWriting.write(Data("GET \(path) HTTP/1.0\r\n\r\n".utf8))
        openssl.waitUntilExit()
        return openssl.terminationStatus
    }

    /// A named pipe that gives `text` to the first process that opens it, and then ends.
    private func pipe(_ text: String, in folder: URL, named name: String) throws -> String {
        let path = folder.appendingPathComponent(name).path
        guard mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
        Thread.detachNewThread {
            // Waits for the reader; when none comes the program ends with openssl.
            FileHandle(forWritingAtPath: path)?.write(Data(text.utf8))
        }
        return path
    }
}
