// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Readers
import SwiftASN1

/// The rules for a path that OpenSSL has built and checked. They can only refuse: OpenSSL's failures remain.
///
/// Every path is checked for names that its authorities exclude. For TLS the rules of RFC 5280 for issuers apply; for
/// servers also CABF's.
/// An anchor is trusted in its present form: it is checked only against rules of form that no root of public
/// stores breaks.
/// For a leaf that is itself an anchor, these are the sign of its serial number and, for servers, its key and use.
package struct PathRules {
    private let path: [CertificateInPath]
    private let purpose: PathQuestion.Purpose
    private let host: String
    private var broken: [PathAnswer.Failure] = []

    /// The rules that the path, the leaf first, breaks.
    package static func failures(
        of path: [CertificateFields], for purpose: PathQuestion.Purpose, host: String
    ) -> [PathAnswer.Failure] {
        var rules = Self(path: path.map { CertificateInPath($0) }, purpose: purpose, host: host.lowercased())
        rules.judge()
        return rules.broken
    }

    private init(path: [CertificateInPath], purpose: PathQuestion.Purpose, host: String) {
        (self.path, self.purpose, self.host) = (path, purpose, host)
    }

    private mutating func judge() {
        guard let leaf = path.first else { return }
        judgeWildcards(of: leaf)
        guard purpose == .server || purpose == .client else { return }
        if purpose == .server { judgeUse(of: leaf) }
        for (depth, one) in path.enumerated() { check(!one.hasNegativeNumber, .serialNumber, at: depth) }
        guard path.count > 1 else { return }
        judgeForm(of: leaf)
        for depth in 1..<path.count { judgeAuthority(depth) }
        for depth in path.indices.dropLast() { judgeIssued(depth) }
        judgeAnchor(path.count - 1)
    }

    private mutating func check(_ isMet: Bool, _ rule: PathRule, at depth: Int) {
        if !isMet { broken.append(.init(depth: depth, code: rule.rawValue)) }
    }
}

// MARK: Servers

extension PathRules {
    private mutating func judgeUse(of leaf: CertificateInPath) {
        let purposes = leaf.purposes ?? []
        check(purposes.contains(.serverPurpose) && !purposes.contains(.anyPurpose), .serverPurpose, at: 0)
        for (depth, one) in path.enumerated() { judgeKey(of: one, depth) }
        guard path.count > 1 else { return }
        check(leaf.criticality(of: .extendedKeyUsage) != true, .criticality, at: 0)
        check(!leaf.isAuthority, .authorityAsServer, at: 0)
        check(!leaf.hasSubject || leaf.criticality(of: .subjectAlternativeName) != true, .criticalityOfNames, at: 0)
        judgeCommonNames(of: leaf)
        judgePublicSuffix(of: leaf)
    }

    /// Edwards curves are accepted: the only objection to them is that no public authority uses them.
    private mutating func judgeKey(of one: CertificateInPath, _ depth: Int) {
        guard let key = try? one.fields.publicKey else { return check(false, .kindOfKey, at: depth) }
        switch key.name {
        case "RSA", "RSA-PSS":
            let node = try? ASN1Reading.value(in: key.bits, .der, limit: 8)
            let modulus = (try? node?.parts(2...2)[0].bytes())?.drop { $0 == 0 } ?? []
            let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
            check(bits > 0 && bits.isMultiple(of: 8), .lengthOfKey, at: depth)
        case "P-256", "P-384", "P-521", "Ed25519", "Ed448": break
        default: check(false, .kindOfKey, at: depth)
        }
    }

    /// A common name that is also an alternative name must have the same letter case. An address must be one of the
    /// alternative names.
    /// Any other common name is ignored, because it names nothing here.
    private mutating func judgeCommonNames(of leaf: CertificateInPath) {
        let names = leaf.names
        let hosts = Set(names.filter { $0.kind == 2 }.map { String(decoding: $0.bytes, as: UTF8.self) })
        let addresses = Set(names.filter { $0.kind == 7 }.map { AddressText.of($0.bytes) })
        let lowercased = Set(leaf.hosts)
        let isKept = leaf.commonNames.allSatisfy { name in
            Self.isAddress(name)
                ? addresses.contains(name) : hosts.contains(name) || !lowercased.contains(name.lowercased())
        }
        check(isKept, .commonName, at: 0)
    }

    /// Whether a text can only be an address: with colons, or as numbers, decimal or hexadecimal.
    private static func isAddress(_ name: String) -> Bool {
        let last = name.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
        let isNumber = last.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let isHexadecimal = name.allSatisfy { $0 == ":" || $0 == "." || $0.isHexDigit }
        return isHexadecimal && name.contains(":") || !last.isEmpty && isNumber || name.lowercased().hasPrefix("0x")
    }

    /// Applies if only a wildcard covers the host.
    private mutating func judgePublicSuffix(of leaf: CertificateInPath) {
        let suffix = host.drop { $0 != "." }.dropFirst()
        let hosts = Set(leaf.hosts)
        guard !suffix.isEmpty, !hosts.contains(host), hosts.contains("*.\(suffix)") else { return }
        check(!PublicSuffixes.contain(String(suffix)), .publicSuffix, at: 0)
    }
}

// MARK: Form

extension PathRules {
    private mutating func judgeForm(of leaf: CertificateInPath) {
        check(leaf.isAuthority || !leaf.mayIssue, .issuingWithoutAuthority, at: 0)
        check(!leaf.has(.nameConstraints), .constraintsOfNoAuthority, at: 0)
        check(leaf.hasSubject || leaf.criticality(of: .subjectAlternativeName) == true, .criticalityOfNames, at: 0)
        check(leaf.names.allSatisfy { AlternativeName.isWellFormed($0.bytes, kind: $0.kind) }, .malformedName, at: 0)
    }

    private mutating func judgeAuthority(_ depth: Int) {
        let authority = path[depth]
        check(authority.hasSubject, .authorityWithoutSubject, at: depth)
        check(authority.has(.basicConstraints), .authorityWithoutBasicConstraints, at: depth)
        guard authority.has(.nameConstraints) else { return }
        let constraints = NameConstraints(authority.structure(.nameConstraints))
        let hosts = constraints?.hosts.values.joined()
        check(hosts?.allSatisfy { !$0.hasPrefix(".") } ?? false, .malformedConstraints, at: depth)
    }

    private static let critical: [ASN1ObjectIdentifier] = [.policyConstraints, .inhibitAnyPolicy]

    /// The rules for certificates below an anchor.
    private mutating func judgeIssued(_ depth: Int) {
        let one = path[depth]
        let number = one.fields.serialNumber.drop { $0 == 0 }
        check((1...20).contains(number.count) || one.hasNegativeNumber, .serialNumber, at: depth)
        check(one.issuersKey != nil, .issuersKeyIdentifier, at: depth)
        check(depth == 0 || one.fields.subjectKeyIdentifier != nil, .ownKeyIdentifier, at: depth)
        check(Self.critical.allSatisfy { one.criticality(of: $0) != false }, .criticality, at: depth)
        guard one.has(.authorityInformationAccess) else { return }
        let descriptions = (try? one.structure(.authorityInformationAccess)?.parts()) ?? []
        let areRead = descriptions.allSatisfy { description in
            guard let parts = try? description.parts(2...2) else { return false }
            return (try? parts[0].objectIdentifier()) != nil && parts[1].identifier.tagClass == .contextSpecific
        }
        check(!descriptions.isEmpty && areRead, .informationAccess, at: depth)
    }

    /// A root identifies its own key, or none.
    private mutating func judgeAnchor(_ depth: Int) {
        let anchor = path[depth]
        guard anchor.isSelfIssued else { return }
        if purpose == .server { check(!anchor.has(.extendedKeyUsage), .purposeOfRoot, at: depth) }
        guard anchor.has(.authorityKeyIdentifier) else { return }
        let own = anchor.fields.subjectKeyIdentifier
        check(anchor.issuersKey.map { own == nil || $0 == own } ?? false, .issuersKeyIdentifier, at: depth)
    }
}

// MARK: Names

extension PathRules {
    /// OpenSSL compares names with excluded names literally. `*.example.com` is not `bar.example.com`, and yet would be
    /// accepted for it.
    private mutating func judgeWildcards(of leaf: CertificateInPath) {
        let covered = Set(leaf.hosts.filter { $0.hasPrefix("*.") }.map { $0.dropFirst(2) })
        guard !covered.isEmpty else { return }
        let excluded = path.dropFirst().lazy.filter { $0.has(.nameConstraints) }
            .compactMap { NameConstraints($0.structure(.nameConstraints)) }.flatMap(\.excludedHosts)
        let parents = excluded.lazy.map { $0.drop { $0 != "." }.dropFirst() }
        check(!parents.contains { covered.contains($0) }, .excludedWildcard, at: 0)
    }
}

/// The form of names in subjectAltName.
private enum AlternativeName {
    static func isWellFormed(_ bytes: [UInt8], kind: UInt) -> Bool {
        switch kind {
        case 1: isMail(bytes[...])
        case 2: isHost(bytes.starts(with: Array("*.".utf8)) ? bytes.dropFirst(2) : bytes[...])
        case 7: bytes.count == 4 || bytes.count == 16
        default: true
        }
    }

    /// The preferred name syntax of RFC 1034, 3.5, with leading digits as in RFC 1123, 2.1.
    private static func isHost(_ bytes: ArraySlice<UInt8>) -> Bool {
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return bytes.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                    && label.allSatisfy { $0 == hyphen || isLetterOrDigit($0) }
            }
    }

    /// One @, apart from those in quotes.
    private static func isMail(_ bytes: ArraySlice<UInt8>) -> Bool {
        let at = UInt8(ascii: "@")
        let quote = UInt8(ascii: "\"")
        guard let last = bytes.lastIndex(of: at) else { return false }
        let (local, domain) = (bytes[..<last], bytes[(last + 1)...])
        let isQuoted = local.count > 2 && local.first == quote && local.last == quote
        return !local.isEmpty && (isQuoted || !local.contains(at))
            && (isHost(domain) || domain.first == UInt8(ascii: "["))
    }

    private static let hyphen = UInt8(ascii: "-")

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }
}

/// The list of public suffixes, if the system has it (publicsuffix of Debian, publicsuffix-list of Fedora). Without it
/// no suffix is known.
private enum PublicSuffixes {
    private static let file = URL(filePath: "/usr/share/publicsuffix/public_suffix_list.dat")

    /// Only suffixes of registries. Private owners may have wildcards for theirs.
    static func contain(_ name: String) -> Bool {
        guard let list = try? Data(contentsOf: file, options: .mappedIfSafe),
            let end = list.place(of: "===END ICANN DOMAINS===".utf8)
        else { return false }
        let registries = list[..<end.lowerBound]
        func has(_ line: some StringProtocol) -> Bool { registries.place(of: "\n\(line)\n".utf8) != nil }
        let parent = name.drop { $0 != "." }
        return has(name) || !parent.isEmpty && has("*\(parent)") && !has("!\(name)")
    }
}
