// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import Hummingbird
import HummingbirdTLS
import Keychains
import NIOSSL
import ZamokTLS

// https-example serve PORT AUTHORITY.pem     greets who shows a certificate of the authority; our own is called localhost
// https-example get URL AUTHORITY.pem        asks a server of the authority; our own is called client
let words = Array(CommandLine.arguments.dropFirst())
do {
    switch words.first {
    case "serve" where words.count == 3: try await serve(port: Int(words[1]) ?? 8443, trusting: words[2])
    case "get" where words.count == 3: print(try await get(words[1], trusting: words[2]), terminator: "")
    default:
        print("usage: https-example serve PORT AUTHORITY.pem | get URL AUTHORITY.pem")
        exit(64)
    }
} catch {
    FileHandle.standardError.write(Data("https-example: \(error)\n".utf8))
    exit(1)
}

/// The identity whose certificate is called `label`. Another one of this name that is added later counts from the next handshake on.
func identity(_ label: String) throws -> KeychainIdentity {
    try KeychainIdentity(KeychainQuery<IdentityItem>().with(\.label, label))
}

func serve(port: Int, trusting authority: String) async throws {
    let identity = try identity("localhost")
    var tls = identity.serverConfiguration()
    (tls.trustRoots, tls.certificateVerification) = (.file(authority), .noHostnameVerification)
    let router = Router()
    router.get("/") { _, _ in "hello\n" }
    // For who watches over the server: 503 while the keychain is locked.
    router.get("/ready") { _, _ in (try? identity.check()) == nil ? HTTPResponse.Status.serviceUnavailable : .ok }
    let application = Application(
        router: router, server: try .tls(.http1(), tlsConfiguration: tls),
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)))
    try await application.runService()
}

func get(_ url: String, trusting authority: String) async throws -> String {
    var tls = try identity("client").clientConfiguration()
    tls.trustRoots = .file(authority)
    let client = HTTPClient(configuration: HTTPClient.Configuration(tlsConfiguration: tls))
    do {
        let answer = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(10))
        let text = String(buffer: try await answer.body.collect(upTo: 1 << 20))
        try await client.shutdown()
        return text
    } catch {
        // A locked keychain comes here as a KeychainError of the code .locked.
        try await client.shutdown()
        throw error
    }
}
