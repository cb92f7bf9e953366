// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataProtection
import Foundation
import Keychains
import Readers

/// The locations of the private keys in a home's keychain, for its status.
enum PrivateKeyStorage {
    case known(KeyStorage)
    /// Unknown before the first unlock, or after an error. Contains the reason.
    case unknown(String)

    /// Reads the locations without creating a keychain.
    init(_ home: Home) {
        guard FileManager.default.fileExists(atPath: "\(home.folder)/keychain.db") else {
            self = .known(KeyStorage())
            return
        }
        do { self = .known(try KeyPairs(Keychain(home: home)).places()) } catch {
            self = .unknown(error.code == .locked ? "not known before the first unlock" : error.message)
        }
    }

    /// The text; nil without private keys.
    var text: String? {
        switch self {
        case .unknown(let reason): return reason.printable
        case .known(let places):
            let parts = [(places.inTPM, "in the TPM"), (places.inSoftware, "in software")].filter { $0.0 > 0 }
            return parts.isEmpty ? nil : parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        }
    }

    /// A suggestion for keys that the reachable TPM could protect; nil if there are none.
    func better(_ tpm: String) -> String? {
        guard case .known(let places) = self, places.ofTPMKind > 0 else { return nil }
        let count =
            places.ofTPMKind == 1 ? "1 private key of P-256 is" : "\(places.ofTPMKind) private keys of P-256 are"
        return
            "\(count) in software, and the TPM \(tpm) can have such keys, which never leave it; a new one: zamok keys generate NAME --in-tpm"
    }

    var json: JSON {
        guard case .known(let places) = self else { return .null }
        return .object([("inTPM", .count(places.inTPM)), ("inSoftware", .count(places.inSoftware))])
    }
}
