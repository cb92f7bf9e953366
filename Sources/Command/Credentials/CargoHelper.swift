// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
package import Keychains
package import SecretMemory

/// `cargo-credential-zamok`, cargo's credential-provider protocol, version 1.
/// Registry tokens are generic passwords of the service `cargo-registry:URL`.
package struct CargoHelper {
    /// The line to print before the first request.
    package static let hello = "{\"v\":[1]}\n"

    private struct Request: Decodable {
        struct Registry: Decodable {
            let indexURL: String
            let name: String?
            enum CodingKeys: String, CodingKey {
                case indexURL = "index-url"
                case name
            }
        }
        let v: Int
        let registry: Registry
        let kind: String
        let token: String?
    }

    /// The operation that the keychain is opened for.
    package enum Use { case reading, storing, erasing }

    private let keychain: (Use) throws -> Keychain
    private let ask: (_ registry: String) throws -> Secret

    /// `keychain` opens the keychain when it is needed. `ask` reads a token if `cargo login` was given none.
    package init(
        _ keychain: @escaping (Use) throws -> Keychain,
        ask: @escaping (_ registry: String) throws -> Secret
    ) {
        self.keychain = keychain
        self.ask = ask
    }

    /// The answer to one line of input.
    package func answer(_ line: Secret) throws -> HelperAnswer {
        guard let request = try? JSONDecoder().decode(Request.self, from: Data(exposing: line)), request.v == 1 else {
            return try Self.failure("the request is not of cargo's credential protocol, version 1")
        }
        do {
            return try answer(request)
        } catch {
            return try Self.failure(HelperFailure.text(error) ?? "\(error)")
        }
    }

    private func answer(_ request: Request) throws -> HelperAnswer {
        let service = "cargo-registry:\(request.registry.indexURL)"
        switch request.kind {
        case "get":
            guard let reference = try record(service)?.persistentReference,
                let token = try keychain(.reading).record(reference, includingSecret: true).secret
            else { return try Self.error("{\"kind\":\"not-found\"}") }
            guard let quoted = try JSONText.quoted(token) else { return try Self.failure("the token is not text") }
            var answer = try HelperAnswer("{\"Ok\":{\"kind\":\"get\",\"token\":")
            answer.output.append(quoted)
            try answer.append(",\"cache\":\"session\",\"operation_independent\":true}}\n")
            return answer
        case "login":
            let name = request.registry.name ?? request.registry.indexURL
            let token = try request.token.map { try Secret(copying: Array($0.utf8)) } ?? ask(name)
            try store(token, service: service, name: name)
            return try HelperAnswer("{\"Ok\":{\"kind\":\"login\"}}\n")
        case "logout":
            guard let reference = try record(service, .erasing)?.persistentReference else {
                return try Self.error("{\"kind\":\"not-found\"}")
            }
            // Fails if the item can't be read: an unreadable item isn't erased.
            _ = try keychain(.erasing).record(reference, includingSecret: true)
            try keychain(.erasing).delete(reference)
            return try HelperAnswer("{\"Ok\":{\"kind\":\"logout\"}}\n")
        default: return try Self.error("{\"kind\":\"operation-not-supported\"}")
        }
    }

    /// The item of a service. Nil: there is no such token, or no keychain yet.
    private func record(_ service: String, _ use: Use = .reading) throws -> ItemRecord? {
        do {
            var query = ItemRecord(.genericPassword)
            try query.set(.service, service)
            return try keychain(use).records(matching: query, limit: 1).first
        } catch let error as DataProtectionError where error.code == .noHome {
            return nil
        }
    }

    private func store(_ token: Secret, service: String, name: String) throws {
        if let reference = try record(service)?.persistentReference {
            var changes = ItemRecord(.genericPassword)
            changes.secret = token
            return try keychain(.reading).update(reference, with: changes)
        }
        var record = ItemRecord(.genericPassword)
        try record.set(.service, service)
        try record.set(.account, "")
        try record.set(.label, "cargo: \(name)")
        record.secret = token
        try keychain(.storing).add(record)
    }

    private static func error(_ kind: String) throws -> HelperAnswer { try HelperAnswer("{\"Err\":\(kind)}\n") }

    private static func failure(_ message: String) throws -> HelperAnswer {
        try error("{\"kind\":\"other\",\"message\":\(JSONText.quoted(message)),\"caused-by\":[]}")
    }
}
