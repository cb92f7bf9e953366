// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
package import Keychains
package import SecretMemory

/// `docker-credential-zamok`, by the protocol of docker-credential-helpers.
/// Each registry has one user, as a generic password whose service is the registry's URL.
package struct DockerHelper {
    private static let kind = "docker credential"
    /// Docker's client recognizes exactly this text. It treats any other as a failure.
    private static let notFound = "credentials not found in native keychain"

    private struct Given: Decodable {
        let server: String
        let user: String
        let password: String
        enum CodingKeys: String, CodingKey {
            case server = "ServerURL"
            case user = "Username"
            case password = "Secret"
        }
    }

    private let keychain: Keychain

    package init(_ keychain: Keychain) { self.keychain = keychain }

    package func answer(_ operation: String, _ input: Secret) throws -> HelperAnswer {
        if let refusal = try Self.refusal(operation, input) { return refusal }
        switch operation {
        case "get": return try get(try Self.line(input))
        case "store": return try store(try JSONDecoder().decode(Given.self, from: Data(exposing: input)))
        case "erase": return try erase(try Self.line(input))
        case "list": return try list()
        default: return try HelperAnswer("Unknown credential action `\(operation)`\n", status: 1)
        }
    }

    /// The refusal of an invalid request, for which no home is created. Nil: the request is valid.
    package static func refusal(_ operation: String, _ input: Secret) throws -> HelperAnswer? {
        let noServer = "no credentials server URL\n"
        switch operation {
        case "get", "erase": return try line(input).isEmpty ? HelperAnswer(noServer, status: 1) : nil
        case "store":
            guard let given = try? JSONDecoder().decode(Given.self, from: Data(exposing: input)) else {
                return try HelperAnswer("the credentials on standard input are not JSON\n", status: 1)
            }
            guard !given.server.isEmpty else { return try HelperAnswer(noServer, status: 1) }
            return try given.user.isEmpty ? HelperAnswer("no credentials username\n", status: 1) : nil
        default: return nil
        }
    }

    /// The answer that reports an error. Docker shows standard output.
    package static func failed(_ error: any Error) throws -> HelperAnswer? {
        try HelperFailure.text(error).map { try HelperAnswer("\($0)\n", status: 1) }
    }

    /// The answer while there is no keychain yet.
    package static func absent(_ operation: String) throws -> HelperAnswer {
        operation == "list" ? try HelperAnswer("{}\n") : try HelperAnswer("\(notFound)\n", status: 1)
    }

    private func get(_ server: String) throws -> HelperAnswer {
        guard let found = try records(server, reading: true).first, let reference = found.persistentReference,
            let secret = try keychain.record(reference, includingSecret: true).secret
        else { return try HelperAnswer("\(Self.notFound)\n", status: 1) }
        guard let quoted = try JSONText.quoted(secret) else {
            return try HelperAnswer("the secret is not text\n", status: 1)
        }
        var answer = try HelperAnswer(
            "{\"ServerURL\":\(JSONText.quoted(server)),\"Username\":\(JSONText.quoted(found[.account] ?? "")),\"Secret\":"
        )
        answer.output.append(quoted)
        try answer.append("}\n")
        return answer
    }

    private func store(_ given: Given) throws -> HelperAnswer {
        let secret = try Secret(copying: Array(given.password.utf8))
        let known = try records(given.server)
        // A registry has one user, so a new user replaces the stored one.
        // If another user's item can't be read, it isn't erased, and the new one isn't stored.
        let others = known.filter { !($0[.account] ?? "").hasBytes(of: given.user) }.compactMap(\.persistentReference)
        for other in others {
            do { _ = try keychain.record(other, includingSecret: true) } catch {
                guard [.damaged, .keyDestroyed].contains(KeychainError(error).code) else { throw error }
                return try HelperAnswer(
                    "another user of this registry has a password here that can't be read, and is not replaced; remove it with: zamok doctor --remove-damaged\n",
                    status: 1)
            }
        }
        if let same = known.first(where: { ($0[.account] ?? "").hasBytes(of: given.user) })?.persistentReference {
            var changes = ItemRecord(.genericPassword)
            changes.secret = secret
            try keychain.update(same, with: changes)
        } else {
            var record = ItemRecord(.genericPassword)
            try record.set(.service, given.server)
            try record.set(.account, given.user)
            try record.set(.label, given.server)
            try record.set(.description, Self.kind)
            record.secret = secret
            try keychain.add(record)
        }
        for other in others { try keychain.delete(other) }
        return HelperAnswer()
    }

    private func erase(_ server: String) throws -> HelperAnswer {
        for record in try records(server) {
            guard let reference = record.persistentReference else { continue }
            // Fails if the item can't be read: an unreadable item isn't erased.
            _ = try keychain.record(reference, includingSecret: true)
            try keychain.delete(reference)
        }
        return HelperAnswer()
    }

    private func list() throws -> HelperAnswer {
        let users = try records(nil).map { (server: $0[.service] ?? "", user: $0[.account] ?? "") }
            .sorted { $0.server < $1.server }
        let members = users.map { "\(JSONText.quoted($0.server)):\(JSONText.quoted($0.user))" }
        return try HelperAnswer("{\(members.joined(separator: ","))}\n")
    }

    private func records(_ server: String?, reading: Bool = false) throws -> [ItemRecord] {
        var query = ItemRecord(.genericPassword)
        if let server { try query.set(.service, server) }
        return try keychain.records(matching: query, takingReadable: reading).filter { $0[.description] == Self.kind }
    }

    private static func line(_ input: Secret) throws -> String {
        var scalars = (try String(exposing: input) ?? "").unicodeScalars[...]
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        return String(scalars)
    }
}
