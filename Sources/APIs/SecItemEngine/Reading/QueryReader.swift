// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainEngine
import LocalAuthentication
import SecItem

/// Reads a dictionary key by key. The length and first letter of a key decide its kind, and the error for an invalid
/// key: errSecNoSuchAttr if it could be an attribute, otherwise errSecParam.
struct QueryReader {
    private(set) var query: Query
    private let call: ItemCall
    private let table: AttributeTable

    /// The most keys and attributes together; Apple's limit.
    private static let limit = 128

    static func read(_ entries: Entries, for call: ItemCall) throws(KeychainError) -> Query {
        var reader = QueryReader(try entries.itemClass(), call)
        try reader.checkCount(of: entries)
        if entries.hasNumericKey { throw KeychainError(.noSuchAttribute, "no attribute has a number for a name") }
        for (key, value) in entries.values { try reader.read(key, value) }
        try reader.expandObject()
        try reader.checkAccessControl()
        return reader.query
    }

    private init(_ itemClass: ItemClass, _ call: ItemCall) {
        query = Query(itemClass: itemClass)
        table = AttributeTable.of(itemClass)
        self.call = call
    }

    private func checkCount(of entries: Entries) throws(KeychainError) {
        let others = entries.values.keys.count { table[AttributeName($0)] == nil }
        guard table.all.count + others <= Self.limit else {
            throw KeychainError(.parameter, "the dictionary has more entries than an item can have")
        }
    }

    private mutating func read(_ key: String, _ value: ReadValue) throws(KeychainError) {
        if key.utf16.count == 4 { return try readAttribute(key, value) }
        switch key.utf16.count > 1 ? key.first : nil {
        case "c" where key == Key.itemClass: break
        case "m": try readMatch(key, value)
        case "r": try readReturn(key, value)
        case "u": try readUse(key, value)
        case "v": try readValue(key, value)
        case "f": break
        default: throw KeychainError(.parameter, "the dictionary has a key that means nothing: \(key.prefix(40))")
        }
    }
}

// MARK: Attributes

extension QueryReader {
    private mutating func readAttribute(_ key: String, _ value: ReadValue) throws(KeychainError) {
        switch key {
        case Key.dataProtectionFlag: return
        case Key.accessControl: return try readAccessControl(value)
        case Key.synchronizable: return try readSynchronizable(value)
        case Key.tombstone: query.includesTombstones = true
        default: break
        }
        let name = AttributeName(key)
        query.attributes[name] = try table.coerce(key == Key.issuer ? value.givenIssuer : value.given, for: name)
    }

    /// Adds the attributes of the object in the query; given ones take precedence. A new item gets all of them, and
    /// the bytes.
    private mutating func expandObject() throws(KeychainError) {
        guard let object = query.object else { return }
        guard object.fits(query.itemClass, call) else {
            throw KeychainError(.noSuchAttribute, "the object in kSecValueRef is of another class")
        }
        // Attributes given with a new identity apply to both of its parts.
        if call == .add, query.itemClass == .identity { return }
        let own = call == .add ? object.itemAttributes : object.identifyingAttributes
        query.attributes.merge(own) { given, _ in given }
        if call == .add, query.secret == nil, object.tpmKey == nil { query.secret = object.data }
    }

    private mutating func readSynchronizable(_ value: ReadValue) throws(KeychainError) {
        if case .text(Key.synchronizableAny) = value {
            query.synchronizable = .any
            return
        }
        let name = AttributeName(Key.synchronizable)
        switch try table.coerce(value.given, for: name) {
        case .number(0): query.synchronizable = .exactly(false)
        case .number(1): query.synchronizable = .exactly(true)
        case let other:
            // Neither true nor false: an ordinary condition, which no item meets.
            query.synchronizable = .any
            query.attributes[name] = other
        }
    }

    private mutating func readAccessControl(_ value: ReadValue) throws(KeychainError) {
        guard case .other(let object) = value, let control = object as? SecAccessControl else {
            throw KeychainError(.parameter, "kSecAttrAccessControl takes a SecAccessControl")
        }
        query.accessControl = control
    }

    /// A search accepts an access control, but doesn't compare it.
    private mutating func checkAccessControl() throws(KeychainError) {
        guard call == .add, let control = query.accessControl else { return }
        try control.move(into: &query.attributes, synchronizable: query.synchronizable?.isTrue == true)
    }
}

extension ItemQuery.Synchronizable {
    var isTrue: Bool {
        if case .exactly(true) = self { return true }
        return false
    }
}

extension SecAccessControl {
    /// Moves it into the attributes of a new or changed item, with its accessibility.
    ///
    /// Errors: errSecParam with a different accessibility, or on a synchronizable item.
    func move(into attributes: inout Attributes, synchronizable: Bool) throws(KeychainError) {
        let name = AttributeName(Key.accessible)
        let own = AttributeValue.text(protection)
        // One made from the attributes of a found item adds nothing to its accessibility.
        guard attributes[name] == nil || (flags == nil && attributes[name] == own) else {
            throw KeychainError(.parameter, "kSecAttrAccessControl and kSecAttrAccessible exclude each other")
        }
        if flags != nil, synchronizable {
            throw KeychainError(.parameter, "an item with kSecAttrAccessControl can't be synchronizable")
        }
        attributes[name] = own
        // Also with no constraints, so that an update removes them.
        if let flags { attributes.constraints = AccessConstraints(rawValue: UInt64(flags.rawValue)) }
    }
}

// MARK: Everything else

extension QueryReader {
    private mutating func readMatch(_ key: String, _ value: ReadValue) throws(KeychainError) {
        query.matchCount += 1
        switch (key, value) {
        case ("m_Limit", _): query.limit = try Query.Limit(value)
        case ("m_Issuers", .array(let names)): query.certificateMatch.readIssuers(names)
        case ("m_Policy", .other(let object)) where object is SecPolicy: query.certificateMatch.hasPolicy = true
        case ("m_HostOrSubdomainOfHost", .text(let host)): query.hostOrSubdomain = host
        case ("m_ValidOnDate", .date(let date)): query.certificateMatch.validOn = date
        case ("m_ValidOnDate", .null): query.certificateMatch.validOn = Date()
        case ("m_TrustedOnly", .boolean(let isWanted)): query.certificateMatch.trustedOnly = isWanted
        case ("m_EmailAddressIfPresent", .text(let address)): query.certificateMatch.emailAddress = address
        case ("m_Policy", _), ("m_HostOrSubdomainOfHost", _), ("m_ValidOnDate", _), ("m_TrustedOnly", _),
            ("m_EmailAddressIfPresent", _):
            throw KeychainError(.parameter, "\(key) does not take a value of this kind")
        default: break
        }
    }

    private mutating func readReturn(_ key: String, _ value: ReadValue) throws(KeychainError) {
        guard let request = ResultRequest(key: key), case .boolean(let isWanted) = value else {
            throw KeychainError(.parameter, "\(key.prefix(40)) is not a return key, or its value not a Boolean")
        }
        if isWanted { query.requested.insert(request) }
    }

    private mutating func readUse(_ key: String, _ value: ReadValue) throws(KeychainError) {
        switch key {
        case "u_AuthUI":
            if case .text("u_AuthUIF") = value { query.mayAsk = false }
            guard case .text("u_AuthUIS") = value else { return }
            guard call == .copyMatching else {
                throw KeychainError(.parameter, "kSecUseAuthenticationUISkip is for SecItemCopyMatching alone")
            }
            query.skipsGuarded = true
        case "u_NoAuthUI":
            if value.isTrue { query.mayAsk = false }
        case "u_OpPrompt":
            if case .text(let reason) = value { query.reason = reason }
        case "u_AuthCtx":
            guard case .other(let object) = value, let context = object as? LAContext else {
                throw KeychainError(.parameter, "kSecUseAuthenticationContext takes an LAContext")
            }
            query.context = context
        default:
            throw KeychainError(.parameter, "\(key.prefix(40)) is not supported")
        }
    }

    private mutating func readValue(_ key: String, _ value: ReadValue) throws(KeychainError) {
        switch (key, value) {
        case (Key.valueData, .data(let data)): query.secret = data
        case (Key.persistentReference, .data(let data)):
            guard let reference = PersistentReference(bytes: data.byteArray) else {
                throw KeychainError(.parameter, "the persistent reference is malformed")
            }
            query.persistentReference = reference
        case (Key.reference, .other(let value)):
            guard let object = ItemObject(value) else {
                throw KeychainError(.parameter, "kSecValueRef takes a SecKey, SecCertificate or SecIdentity")
            }
            query.object = object
        default: throw KeychainError(.parameter, "\(key.prefix(40)) is unknown, or its value is of another kind")
        }
    }
}

extension Query.Limit {
    fileprivate init(_ value: ReadValue) throws(KeychainError) {
        switch value {
        case .text("m_LimitAll"), .number(-1): self = .all
        case .text("m_LimitOne"): self = .atMost(1)
        case .number(let number) where number >= 0: self = .atMost(Int(clamping: number))
        default: throw KeychainError(.parameter, "kSecMatchLimit takes a number or one of two words")
        }
    }
}
#endif
