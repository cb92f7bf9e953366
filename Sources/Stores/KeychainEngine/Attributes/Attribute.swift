// SPDX-License-Identifier: Apache-2.0

import Sealing

/// The name of an attribute, as in Apple's dictionaries ("acct", "svce", ...).
package struct AttributeName: Hashable, Sendable, ExpressibleByStringLiteral {
    package let text: String
    /// The last eight bytes of the name as a number, which for nearly every name is all of it. It is hashed in place of
    /// the text.
    private let code: UInt

    package init(_ text: String) {
        self.text = text
        code = text.utf8.reduce(0) { ($0 << 8) | UInt($1) }
    }

    /// Nil for bytes that are not UTF-8.
    init?(bytes: ArraySlice<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding replaces invalid bytes, so a repaired text has other bytes.
        guard bytes.isASCII || text.utf8.elementsEqual(bytes) else { return nil }
        self.text = text
        code = bytes.reduce(0) { ($0 << 8) | UInt($1) }
    }

    package init(stringLiteral text: String) { self.init(text) }

    package static func == (left: Self, right: Self) -> Bool { left.code == right.code && left.text == right.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// Whether its bytes come before those of `other`.
    func precedes(_ other: Self) -> Bool {
        text.utf8.count == other.text.utf8.count && text.utf8.count <= UInt.bitWidth / 8
            ? code < other.code : text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }
}

/// The names that the code uses. The others are only in the table.
extension AttributeName {
    package static let accessGroup: Self = "agrp"
    package static let synchronizable: Self = "sync"
    package static let user: Self = "musr"
    package static let tokenID: Self = "tkid"
    /// The public half of a private key in a TPM, in X9.63 form.
    package static let tokenObject: Self = "toid"
    package static let viewHint: Self = "vwht"
    package static let sharingGroup: Self = "ggrp"
    package static let label: Self = "labl"
    package static let alias: Self = "alis"
    package static let accessible: Self = "pdmn"
    package static let accessControl: Self = "accc"
    package static let creationDate: Self = "cdat"
    package static let modificationDate: Self = "mdat"
    package static let tombstone: Self = "tomb"
    package static let digest: Self = "sha1"
    package static let account: Self = "acct"
    package static let service: Self = "svce"
    package static let generic: Self = "gena"
    package static let description: Self = "desc"
    package static let comment: Self = "icmt"
    package static let creator: Self = "crtr"
    package static let type: Self = "type"
    package static let isInvisible: Self = "invi"
    package static let isNegative: Self = "nega"
    package static let securityDomain: Self = "sdmn"
    package static let server: Self = "srvr"
    package static let transport: Self = "ptcl"
    package static let authenticationType: Self = "atyp"
    package static let port: Self = "port"
    package static let path: Self = "path"
    package static let certificateType: Self = "ctyp"
    package static let issuer: Self = "issr"
    package static let serialNumber: Self = "slnr"
    package static let certificateEncoding: Self = "cenc"
    package static let subject: Self = "subj"
    package static let subjectKeyID: Self = "skid"
    package static let publicKeyHash: Self = "pkhh"
    package static let keyClass: Self = "kcls"
    package static let applicationLabel: Self = "klbl"
    package static let applicationTag: Self = "atag"
    /// For keys Apple's attribute; for passwords ours: the time when they expire.
    package static let endDate: Self = "edat"
    package static let keySize: Self = "bsiz"
    package static let effectiveKeySize: Self = "esiz"
    /// The name of a record of sync.
    static let recordName: Self = "name"
}

/// The value of an attribute. A blob keeps the type that it was given as; two blobs are equal if their UTF-8 bytes are.
package enum AttributeValue: Hashable, Sendable {
    case text(String)
    case data([UInt8])
    case number(Int64)
    /// Seconds since 2001-01-01 00:00 UTC.
    case date(Double)
}

/// One row of the attribute table: everything that the engine knows about an attribute.
package struct Attribute: Sendable {
    /// Which values it accepts (`AttributeTable.coerce`) and how they compare (`AttributeValue.canonicalBytes`).
    package enum Kind: Sendable {
        /// Text or bytes, compared by their UTF-8 bytes.
        case blob
        case data
        case number
        case synchronizable
        case tombstone
        case string
        /// One of the codes of `Accessibility`.
        case accessible
        case accessControl
        case date
        case uuid
    }

    package struct Traits: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Part of an item's identity; unset counts as empty.
        package static let primary = Self(rawValue: 1)
        /// Set by the engine. A value from an app is overwritten on add.
        package static let automatic = Self(rawValue: 2)
        /// Accepted in dictionaries, never stored and never compared.
        package static let ignored = Self(rawValue: 4)
        /// Reserved for Apple's own programs; using it gives `errSecMissingEntitlement`.
        package static let restricted = Self(rawValue: 8)
        /// Not part of the result of add.
        package static let hiddenFromAdd = Self(rawValue: 16)
    }

    package let name: AttributeName
    package let kind: Kind
    package let traits: Traits
    /// The value for a new item that has none.
    package let defaultValue: AttributeValue?
    let classes: [ItemClass]

    init(
        _ name: AttributeName, kind: Kind, classes: [ItemClass], traits: Traits = [],
        default defaultValue: AttributeValue? = nil
    ) {
        self.name = name
        self.kind = kind
        self.classes = classes
        self.traits = traits
        self.defaultValue = defaultValue
    }
}
