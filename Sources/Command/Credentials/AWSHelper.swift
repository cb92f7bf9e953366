// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
package import Keychains
import SecretMemory

/// `credential_process` of the AWS tools.
/// The account of a generic password is the access key ID, and its secret is the secret access key.
/// If the secret is a JSON object, it contains the response's members itself, including those of a session.
package struct AWSHelper {
    private static let members = ["AccessKeyId", "SecretAccessKey", "SessionToken", "Expiration"]
    /// A JSON member that is read only if it is a string. The tools' own output has a number among its members.
    private struct Member: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }

    private let keychain: Keychain

    package init(_ keychain: Keychain) { self.keychain = keychain }

    /// Answers for a service, and for one account of it if given.
    /// Errors: `.itemNotFound`, `.locked` and others; the tools print standard error and stop.
    package func answer(service: String, account: String?) throws -> HelperAnswer {
        var query = ItemRecord(.genericPassword)
        try query.set(.service, service)
        if let account { try query.set(.account, account) }
        let found = try keychain.records(matching: query, limit: 2, takingReadable: true)
        guard found.count < 2 else {
            throw KeychainError(.parameter, "there are several keys of that service; name one by its AccessKeyId")
        }
        guard let record = found.first, let reference = record.persistentReference,
            let secret = try keychain.record(reference, includingSecret: true).secret
        else {
            throw KeychainError(.itemNotFound, "there is no such key; add one with: zamok set \(service)/ACCESS-KEY-ID")
        }
        var answer = try HelperAnswer("{\"Version\":1")
        if let whole = try? JSONDecoder().decode([String: Member].self, from: Data(exposing: secret)) {
            guard whole["SecretAccessKey"]?.text != nil else {
                throw KeychainError(.parameter, "the secret is a JSON object without a text SecretAccessKey")
            }
            for name in Self.members {
                guard let value = whole[name]?.text ?? (name == "AccessKeyId" ? record[.account] : nil) else {
                    continue
                }
                try answer.append(",\"\(name)\":\(JSONText.quoted(value))")
            }
        } else {
            guard let quoted = try JSONText.quoted(secret) else {
                throw KeychainError(.invalidEncoding, "the secret is not text")
            }
            try answer.append(",\"AccessKeyId\":\(JSONText.quoted(record[.account] ?? "")),\"SecretAccessKey\":")
            answer.output.append(quoted)
        }
        try answer.append("}\n")
        return answer
    }
}
