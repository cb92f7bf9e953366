// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainEngine
import Readers
import SecItem
import SecurityTypes

/// The parsed contents of a PKCS#12 file, without duplicates.
struct ImportedFile {
    private let keys: [PKCS12.Key]
    private let certificates: [(certificate: SecCertificate, bag: PKCS12.Certificate)]
    /// The certificates by normalized subject, in which a chain finds its next issuer.
    private let bySubject: [[UInt8]: [SecCertificate]]

    /// The most certificates in a chain. A file could make it longer, but real chains are shorter.
    private static let chainLimit = 16

    init(_ file: PKCS12) {
        var hashes: Set<[UInt8]> = []
        keys = file.keys.filter { key in key.material.publicKeyHash.map { hashes.insert($0).inserted } ?? true }
        var known: Set<SecCertificate> = []
        certificates = file.certificates.compactMap { bag in
            SecCertificate(der: bag.der).flatMap { known.insert($0).inserted ? ($0, bag) : nil }
        }
        bySubject = Dictionary(grouping: certificates.map(\.certificate), by: \.fields.normalizedSubject)
    }

    var dictionaries: [[String: Any]] {
        let byHash = Dictionary(grouping: certificates) { $0.certificate.fields.publicKeyHash }
        var used: Set<SecCertificate> = []
        var result: [[String: Any]] = []
        for key in keys {
            for (certificate, bag) in byHash[key.material.publicKeyHash] ?? [] {
                let chain = chain(from: certificate)
                used.formUnion(chain)
                var dictionary = dictionary(chain, label: key.friendlyName ?? bag.friendlyName, keyID: key.localKeyID)
                dictionary["identity"] = SecIdentity(certificate, SecKey(key.material))
                result.append(dictionary)
            }
        }
        for (certificate, bag) in certificates where !used.contains(certificate) {
            result.append(dictionary([certificate], label: bag.friendlyName, keyID: bag.localKeyID))
        }
        return result
    }

    private func dictionary(_ chain: [SecCertificate], label: String?, keyID: Data?) -> [String: Any] {
        var dictionary: [String: Any] = ["chain": chain]
        dictionary["trust"] = SecTrust(chain, [])
        dictionary["label"] = label ?? chain.first?.fields.summary
        dictionary["keyid"] = keyID
        return dictionary
    }

    /// A certificate followed by its issuers, found by name.
    private func chain(from certificate: SecCertificate) -> [SecCertificate] {
        var chain = [certificate]
        while chain.count < Self.chainLimit, let last = chain.last,
            let issuer = bySubject[last.fields.normalizedIssuer]?.first(where: { !chain.contains($0) })
        { chain.append(issuer) }
        return chain
    }
}
#endif
