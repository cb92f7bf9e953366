// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Crypto
import Foundation
import KeychainEngine
import SecItem

extension ItemRecord {
    /// The result of SecItemCopyMatching for this item; nil if there is none.
    func found(_ request: ResultRequest) throws(KeychainError) -> CFTypeRef? {
        let data = try secret.map { secret throws(KeychainError) in try secret.exposingData() }
        let object = request.contains(.reference) ? try object(data) : nil
        if let single = single(request, data: data, object: object) { return single.first }
        // With more than a reference requested, the attributes are also returned.
        var result = attributeDictionary
        if request.contains(.data) {
            result[Key.digest] = digest(data)
            if let certificate { result[Key.certificateData] = try certificate.exposingData() }
        }
        return dictionary(request, data: data, object: object, attributes: result) as NSDictionary
    }

    /// The result of SecItemAdd for this item.
    func added(
        _ request: ResultRequest, secret: NSData?, object given: ItemObject? = nil
    ) -> CFTypeRef? {
        let object = request.contains(.reference) ? given?.object ?? (try? object(secret)) : nil
        if let single = single(request, data: secret, object: object) { return single.first }
        var result = request.contains(.attributes) ? attributeDictionary : [:]
        for hidden in [Key.tombstone, Key.user] { result[hidden] = nil }
        return dictionary(request, data: secret, object: object, attributes: result) as NSDictionary
    }

    /// The result if it is not a dictionary: one object or none. nil if a dictionary is needed.
    private func single(_ request: ResultRequest, data: NSData?, object: CFTypeRef?) -> [CFTypeRef]? {
        switch request {
        case []: []
        case .reference: object.map { [$0] } ?? []
        case .data: data.map { [$0] } ?? []
        case .persistentReference: referenceData.map { [$0 as NSData] } ?? []
        default: nil
        }
    }

    private func dictionary(
        _ request: ResultRequest, data: NSData?, object: CFTypeRef?, attributes: [String: Any]
    ) -> [String: Any] {
        var result = attributes
        result[Key.reference] = object
        if request.contains(.data) { result[Key.valueData] = data }
        if request.contains(.persistentReference) { result[Key.persistentReference] = referenceData }
        if request.contains(.reference) { result[Key.itemClass] = itemClass.rawValue }
        return result
    }

    private var referenceData: Data? { persistentReference.map { Data($0.bytes) } }

    /// Only Swift values, so that every cast that works on Apple's systems works here.
    private var attributeDictionary: [String: Any] {
        var result: [String: Any] = [:]
        for (name, value) in attributes { result[name.text] = value.object }
        if let accessibility = Accessibility(attributes) {
            let flags = SecAccessControlCreateFlags(rawValue: UInt(attributes.constraints.rawValue))
            result[Key.accessControl] = SecAccessControl(
                protection: accessibility.rawValue, flags: flags.isEmpty ? nil : flags)
        }
        return result
    }
}

extension AttributeValue {
    fileprivate var object: Any {
        switch self {
        case .text(let text): text
        case .data(let bytes): Data(bytes)
        case .number(let number): Int(number)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        }
    }
}

extension ItemRecord {
    /// The object for a reference to this item; nil for passwords, symmetric keys and items without a secret.
    ///
    /// Errors: errSecDecode if the bytes contradict the attributes.
    func object(_ data: NSData?) throws(KeychainError) -> CFTypeRef? {
        if let tpmKey { return try object(tpmKey) }
        guard let data, !itemClass.isPassword else { return nil }
        switch itemClass {
        case .certificate: return try certificateObject(data)
        case .key: return try keyObject(data)
        case .identity:
            guard let der = try certificate?.exposingData(), let key = try keyObject(data) else { return nil }
            return SecIdentity(try certificateObject(der), key)
        case .genericPassword, .internetPassword, .syncRecord: return nil
        }
    }

    private func object(_ tpmKey: TPMKey) throws(KeychainError) -> CFTypeRef? {
        let key = SecKey(.tpm(tpmKey), attributes)
        guard itemClass == .identity else { return key }
        guard let der = try certificate?.exposingData() else { return nil }
        return SecIdentity(try certificateObject(der), key)
    }

    private func certificateObject(_ der: NSData) throws(KeychainError) -> SecCertificate {
        guard let object = SecCertificate(der: Data(referencing: der)) else {
            throw KeychainError(.damaged, "the item holds no X.509 certificate")
        }
        return object
    }

    private func keyObject(_ data: NSData) throws(KeychainError) -> SecKey? {
        do {
            return try KeyMaterial(attributes, Data(referencing: data)).map { SecKey($0, attributes) }
        } catch { throw KeychainError(.damaged, "the item does not hold a key of the type that its attributes name") }
    }
}

extension ItemRecord {
    /// The attribute `sha1`: 20 bytes that change with any change of the item. It distinguishes versions; it is not
    /// for security.
    func digest(_ secret: NSData?) -> Data {
        var hash = Insecure.SHA1()
        for (name, value) in attributes.sorted(by: { $0.key.text < $1.key.text }) {
            hash.update(field: Array(name.text.utf8))
            hash.update(field: value.digestedBytes)
        }
        if let secret { unsafe hash.update(bufferPointer: secret.byteBuffer) }
        return Data(hash.finalize())
    }
}

extension Insecure.SHA1 {
    /// Adds a field with its length, so that different lists of fields give different bytes.
    fileprivate mutating func update(field: [UInt8]) {
        update(data: Array("\(field.count):".utf8))
        update(data: field)
    }
}

extension AttributeValue {
    fileprivate var digestedBytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .data(let bytes): bytes
        case .number(let number): Array(String(number).utf8)
        case .date(let seconds): Array(String(seconds.bitPattern).utf8)
        }
    }
}
#endif
