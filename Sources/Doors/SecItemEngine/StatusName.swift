// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import KeychainEngine
import SecItem

/// The names of status codes, and what they mean, for people.
enum StatusName {
    /// The name of a code, `errSecParam` for -50; nil for a number that has none.
    static func of(_ status: OSStatus) -> String? {
        if let name = KeychainError.Code(rawValue: status).name ?? others[status]?.name { return name }
        let index = Int(firstOfRange) - Int(status)
        return range.indices.contains(index) ? range[index].name : nil
    }

    /// A sentence for people.
    static func sentence(of status: OSStatus) -> String {
        let code = KeychainError.Code(rawValue: status)
        if code.name != nil { return code.meaning }
        if let sentence = others[status]?.sentence { return sentence }
        let index = Int(firstOfRange) - Int(status)
        return range.indices.contains(index) ? range[index].sentence : "OSStatus \(status)"
    }

    private static let others: [OSStatus: (name: String, sentence: String)] = [
        errSecDuplicateCallback: ("errSecDuplicateCallback", "The function is registered already."),
        errSecInvalidCallback: ("errSecInvalidCallback", "The function is not registered."),
        errSecWrongSecVersion: ("errSecWrongSecVersion", "The version is wrong."),
        errSecNoStorageModule: ("errSecNoStorageModule", "There is no module for storage."),
        errSecNoCertificateModule: ("errSecNoCertificateModule", "There is no module for certificates."),
        errSecNoPolicyModule: ("errSecNoPolicyModule", "There is no module for policies."),
        errSecCreateChainFailed: ("errSecCreateChainFailed", "A chain of certificates could not be made."),
        errSecInvalidPrefsDomain: ("errSecInvalidPrefsDomain", "The domain of preferences is invalid."),
        errSecInvalidTrustSetting: ("errSecInvalidTrustSetting", "The trust setting is invalid."),
        errSecInvalidOwnerEdit: ("errSecInvalidOwnerEdit", "The owner may not be changed so."),
        errSecTrustNotAvailable: ("errSecTrustNotAvailable", "There are no results of a trust evaluation."),
        errSecKeyIsSensitive: ("errSecKeyIsSensitive", "The key must be wrapped to be exported."),
        errSecMultiplePrivKeys: ("errSecMultiplePrivKeys", "There is more than one private key."),
        errSecInvalidPasswordRef: ("errSecInvalidPasswordRef", "The reference does not stand for a password."),
        errSecInvalidTrustSettings: ("errSecInvalidTrustSettings", "The trust settings are damaged."),
        errSecNoTrustSettings: ("errSecNoTrustSettings", "There are no trust settings."),
    ]

    /// The codes from -67585 down follow each other without a gap: StatusName+Range.swift.
    private static let firstOfRange: OSStatus = -67_585
    private static let range = sentences.split(separator: "\n").map { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return (name: "errSec\(parts.first ?? "")", sentence: "\(parts.last?.dropFirst() ?? "")")
    }
}
#endif
