// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainEngine
import Readers
import SecItem
import SecurityTypes

/// The match keys that look into certificates.
struct CertificateMatch {
    /// Normalized contents of names, one of which must be in the chain; nil: any.
    private(set) var issuers: Set<[UInt8]>?
    /// Whether issuers were given at all.
    private(set) var namesIssuers = false
    var validOn: Date?
    var emailAddress: String?
    var trustedOnly = false
    var hasPolicy = false

    var isActive: Bool { issuers != nil || validOn != nil || emailAddress != nil }

    /// Reads names in DER, or their normalized contents. Anything else is ignored, like an empty list.
    ///
    /// Through a mirror, as `Entries` does: Foundation would convert the elements deeply.
    mutating func readIssuers(_ names: NSArray) {
        namesIssuers = names.count > 0
        var found: Set<[UInt8]> = []
        for element in Mirror(reflecting: names).children {
            guard let data = element.value as? NSData else { continue }
            found.insert(DistinguishedName.normalizedContent(of: data.byteArray) ?? data.byteArray)
        }
        if !found.isEmpty { issuers = found }
    }

    /// The items that meet every condition. Errors: those of a search for certificates.
    func filter(_ items: [ItemRecord], _ store: any ItemAccess) throws(KeychainError) -> [ItemRecord] {
        let parents = issuers == nil ? [:] : try Self.issuersBySubject(store)
        var matching: [ItemRecord] = []
        for item in items {
            guard let secret = item.itemClass == .identity ? item.certificate : item.secret,
                let fields = CertificateFields(der: try secret.exposingData().byteArray)
            else { continue }
            if isValid(fields), hasAddress(fields), hasIssuer(fields, parents) { matching.append(item) }
        }
        return matching
    }

    private func isValid(_ fields: CertificateFields) -> Bool {
        guard let validOn else { return true }
        return fields.validity?.contains(validOn.timeIntervalSinceReferenceDate) ?? false
    }

    /// A certificate without any address fits every address.
    private func hasAddress(_ fields: CertificateFields) -> Bool {
        guard let emailAddress, !fields.emailAddresses.isEmpty else { return true }
        return fields.emailAddresses.contains { $0.lowercased() == emailAddress.lowercased() }
    }

    /// Whether a wanted issuer is that of the certificate, or of a certificate of the keychain above it.
    private func hasIssuer(_ fields: CertificateFields, _ parents: [[UInt8]: [UInt8]]) -> Bool {
        guard let issuers else { return true }
        var name = fields.normalizedIssuer
        for _ in 0..<Self.depth {
            if issuers.contains(name) { return true }
            guard let next = parents[name], next != name else { return false }
            name = next
        }
        return false
    }

    /// How many certificates above one are looked at.
    private static let depth = 16

    private static func issuersBySubject(_ store: any ItemAccess) throws(KeychainError) -> [[UInt8]: [UInt8]] {
        var query = ItemQuery(.certificate)
        query.synchronizable = .any
        query.limit = nil
        var result: [[UInt8]: [UInt8]] = [:]
        do {
            for item in try store.items(matching: query, withSecret: false) {
                guard case .data(let subject) = item.attributes[.subject],
                    case .data(let issuer) = item.attributes[.issuer]
                else { continue }
                result[subject] = issuer
            }
        } catch  where error.code == .itemNotFound { return [:] }
        return result
    }
}
#endif
