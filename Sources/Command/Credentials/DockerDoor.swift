// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
package import Keychains
package import SecretMemory

/// `docker-credential-zamok`, by the protocol of docker-credential-helpers: one user for each registry, as a generic password whose service is the registry's URL.
package struct DockerDoor {
    private static let kind = "docker credential"
    /// docker's client knows these words, and takes any other for a failure.
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

    package func answer(_ operation: String, _ input: Secret) throws -> DoorAnswer {
        switch operation {
        case "get": return try get(try Self.line(input))
        case "store": return try store(try Data(exposing: input))
        case "erase": return try erase(try Self.line(input))
        case "list": return try list()
        default: return try DoorAnswer("Unknown credential action `\(operation)`\n", status: 1)
        }
    }

    /// What keeps from an answer is one, too: docker shows standard output.
    package static func failed(_ error: any Error) throws -> DoorAnswer? {
        try DoorFailure.text(error).map { try DoorAnswer("\($0)\n", status: 1) }
    }

    /// There is no keychain yet.
    package static func absent(_ operation: String) throws -> DoorAnswer {
        operation == "list" ? try DoorAnswer("{}\n") : try DoorAnswer("\(notFound)\n", status: 1)
    }

    private func get(_ server: String) throws -> DoorAnswer {
        guard !server.isEmpty else { return try DoorAnswer("no credentials server URL\n", status: 1) }
        guard let found = try records(server).first, let reference = found.persistentReference,
            let secret = try keychain.record(reference, includingSecret: true).secret
        else { return try DoorAnswer("\(Self.notFound)\n", status: 1) }
        guard let quoted = try JSONText.quoted(secret) else {
            return try DoorAnswer("the secret is not text\n", status: 1)
        }
        var answer = try DoorAnswer(
            "{\"ServerURL\":\(JSONText.quoted(server)),\"Username\":\(JSONText.quoted(found[.account] ?? "")),\"Secret\":"
        )
        answer.output.append(quoted)
        try answer.append("}\n")
        return answer
    }

    private func store(_ input: Data) throws -> DoorAnswer {
        guard let given = try? JSONDecoder().decode(Given.self, from: input) else {
            return try DoorAnswer("the credentials on standard input are no JSON\n", status: 1)
        }
        guard !given.server.isEmpty else { return try DoorAnswer("no credentials server URL\n", status: 1) }
        guard !given.user.isEmpty else { return try DoorAnswer("no credentials username\n", status: 1) }
        let secret = try Secret(copying: Array(given.password.utf8))
        let known = try records(given.server)
        if let same = known.first(where: { $0[.account] == given.user })?.persistentReference {
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
        // A registry has one user: the one who was there before goes once the new one is kept.
        for other in known where other[.account] != given.user {
            if let reference = other.persistentReference { try keychain.delete(reference) }
        }
        return DoorAnswer()
    }

    private func erase(_ server: String) throws -> DoorAnswer {
        guard !server.isEmpty else { return try DoorAnswer("no credentials server URL\n", status: 1) }
        for record in try records(server) {
            guard let reference = record.persistentReference else { continue }
            // What can't be read is not erased.
            _ = try keychain.record(reference, includingSecret: true)
            try keychain.delete(reference)
        }
        return DoorAnswer()
    }

    private func list() throws -> DoorAnswer {
        let users = try records(nil).map { (server: $0[.service] ?? "", user: $0[.account] ?? "") }
            .sorted { $0.server < $1.server }
        let members = users.map { "\(JSONText.quoted($0.server)):\(JSONText.quoted($0.user))" }
        return try DoorAnswer("{\(members.joined(separator: ","))}\n")
    }

    private func records(_ server: String?) throws -> [ItemRecord] {
        var query = ItemRecord(.genericPassword)
        if let server { try query.set(.service, server) }
        return try keychain.records(matching: query).filter { $0[.description] == Self.kind }
    }

    private static func line(_ input: Secret) throws -> String {
        (try String(exposing: input) ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
