// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecItem
import TestSupport
import Testing

/// The key functions as a program calls them, with the code of the error they left.
struct Keys {
    static func parameters(_ type: CFString, _ size: Int) -> Item {
        [kSecAttrKeyType: type, kSecAttrKeySizeInBits: size]
    }

    static func random(_ parameters: Item) -> (key: SecKey?, code: OSStatus) {
        var error: Unmanaged<CFError>?
        let key = unsafe SecKeyCreateRandomKey(parameters as CFDictionary, &error)
        return (key, unsafe code(error))
    }

    static func make(_ data: Data, _ type: CFString, _ keyClass: CFString) -> (key: SecKey?, code: OSStatus) {
        var error: Unmanaged<CFError>?
        let attributes = [kSecAttrKeyType: type, kSecAttrKeyClass: keyClass] as CFDictionary
        let key = unsafe SecKeyCreateWithData(data as CFData, attributes, &error)
        return (key, unsafe code(error))
    }

    static func sign(_ key: SecKey, _ algorithm: SecKeyAlgorithm, _ data: Data) -> (data: Data?, code: OSStatus) {
        var error: Unmanaged<CFError>?
        let result = unsafe SecKeyCreateSignature(key, algorithm, data as CFData, &error)
        return (result as Data?, unsafe code(error))
    }

    static func verify(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ data: Data, _ signature: Data
    ) -> (isValid: Bool, code: OSStatus) {
        var error: Unmanaged<CFError>?
        let result = unsafe SecKeyVerifySignature(key, algorithm, data as CFData, signature as CFData, &error)
        return (result, unsafe code(error))
    }

    static func encrypt(_ key: SecKey, _ algorithm: SecKeyAlgorithm, _ data: Data) -> (data: Data?, code: OSStatus) {
        var error: Unmanaged<CFError>?
        let result = unsafe SecKeyCreateEncryptedData(key, algorithm, data as CFData, &error)
        return (result as Data?, unsafe code(error))
    }

    static func decrypt(_ key: SecKey, _ algorithm: SecKeyAlgorithm, _ data: Data) -> (data: Data?, code: OSStatus) {
        var error: Unmanaged<CFError>?
        let result = unsafe SecKeyCreateDecryptedData(key, algorithm, data as CFData, &error)
        return (result as Data?, unsafe code(error))
    }

    static func exchange(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ peer: SecKey, size: Int? = nil, info: Data? = nil
    ) -> (data: Data?, code: OSStatus) {
        var error: Unmanaged<CFError>?
        var parameters: Item = [:]
        if let size { parameters[SecKeyKeyExchangeParameter.requestedSize.rawValue] = size }
        if let info { parameters[SecKeyKeyExchangeParameter.sharedInfo.rawValue] = info }
        let result = unsafe SecKeyCopyKeyExchangeResult(key, algorithm, peer, parameters as CFDictionary, &error)
        return (result as Data?, unsafe code(error))
    }

    private static func code(_ error: Unmanaged<CFError>?) -> OSStatus {
        guard let error = unsafe error?.takeRetainedValue() else { return errSecSuccess }
        return OSStatus(truncatingIfNeeded: CFErrorGetCode(error))
    }

    /// One pair of each kind; RSA takes long to make.
    static let rsa = random(parameters(kSecAttrKeyTypeRSA, 2048)).key
    static let curves = [256, 384, 521].compactMap {
        random(parameters(kSecAttrKeyTypeECSECPrimeRandom, $0)).key
    }
}

@Suite("Key functions") struct KeyFunctionTests {
    private let functions: Functions
    private let temporary = TemporaryHome()

    init() throws { functions = Functions(home: try temporary.open()) }

    private func random(_ parameters: Item) -> (key: SecKey?, code: OSStatus) {
        Home.withCurrent(functions.home) { Keys.random(parameters) }
    }

    @Test(arguments: [256, 384, 521])
    func `an elliptic-curve key has its type, class, size and label`(bits: Int) throws {
        let key = try #require(random(Keys.parameters(kSecAttrKeyTypeEC, bits)).key)
        let attributes = try #require(SecKeyCopyAttributes(key) as? [String: Any])
        #expect(attributes["kcls"] as? String == kSecAttrKeyClassPrivate as String)
        #expect(attributes["type"] as? String == kSecAttrKeyTypeEC as String && attributes["bsiz"] as? Int == bits)
        #expect((attributes["klbl"] as? Data)?.count == 20 && attributes["v_Data"] == nil)
        #expect(attributes["sign"] as? Bool == true && attributes["vrfy"] as? Bool == false)
        #expect(SecKeyGetBlockSize(key) == (bits + 7) / 8)
        let own = try #require(SecKeyCopyPublicKey(key))
        let others = try #require(SecKeyCopyAttributes(own) as? [String: Any])
        #expect(others["kcls"] as? String == "0" && others["klbl"] as? Data == attributes["klbl"] as? Data)
        #expect(SecKeyCopyPublicKey(own) == own && own != key)
    }

    @Test func `the representation makes the same key again`() throws {
        for key in Keys.curves + [try #require(Keys.rsa)] {
            let type = try #require((SecKeyCopyAttributes(key) as? [String: Any])?["type"] as? String) as CFString
            let data = try #require(representation(key))
            #expect(Keys.make(data, type, kSecAttrKeyClassPrivate).key == key)
            let own = try #require(SecKeyCopyPublicKey(key))
            let bytes = try #require(representation(own))
            #expect(Keys.make(bytes, type, kSecAttrKeyClassPublic).key == own)
            #expect(Keys.make(data.dropLast(), type, kSecAttrKeyClassPrivate).code == errSecParam)
            #expect(Keys.make(bytes, type, kSecAttrKeyClassPrivate).code == errSecParam)
        }
    }

    // Rule: RSA keys have 2048 bits at least | 512 allowed | another status
    @Test func `what can't be made is told why`() {
        #expect(random([kSecAttrKeyType: kSecAttrKeyTypeRSA]).code == errSecParam)
        #expect(random(Keys.parameters(kSecAttrKeyTypeRSA, 512)).code == errSecKeySizeNotAllowed)
        #expect(random(Keys.parameters(kSecAttrKeyTypeRSA, .max)).code == errSecKeySizeNotAllowed)
        #expect(random(Keys.parameters(kSecAttrKeyTypeEC, 192)).code == errSecKeySizeNotAllowed)
        #expect(random(Keys.parameters(kSecAttrKeyTypeAES, 256)).code == errSecUnimplemented)
        #expect(random([kSecAttrKeySizeInBits: 256]).code == errSecUnimplemented)
        #expect(random([:]).code == errSecUnimplemented)
        #expect(Keys.make(Data(count: 32), kSecAttrKeyTypeEC, kSecAttrKeyClassSymmetric).code == errSecUnimplemented)
        #expect(Keys.make(Data(), kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate).code == errSecParam)
        let halves: Item = [kSecPrivateKeyAttrs: "private"]
        #expect(random(Keys.parameters(kSecAttrKeyTypeEC, 256) + halves).code == errSecParam)
    }

    @Test func `a permanent key is stored, and found by its tag`() throws {
        let attributes: Item = [
            kSecAttrIsPermanent: true, kSecAttrApplicationTag: bytes("tag"), kSecAttrLabel: "Key",
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
        ]
        let parameters = Keys.parameters(kSecAttrKeyTypeEC, 256) + [kSecPrivateKeyAttrs: attributes]
        let key = try #require(random(parameters).key)
        let query: Item = [kSecClass: kSecClassKey, kSecAttrApplicationTag: bytes("tag")]
        #expect(functions.find(query + [kSecReturnRef: true]).object as? SecKey == key)
        let found = try #require(functions.list(query)?.first as? [String: Any])
        #expect(found["pdmn"] as? String == "ck" && found["labl"] as? String == "Key" && found["perm"] as? Int == 1)
        #expect(functions.list([kSecClass: kSecClassKey])?.count == 1)
        #expect((SecKeyCopyAttributes(key) as? [String: Any])?["atag"] as? Data == bytes("tag"))
    }

    @Test func `a pair that is permanent as a whole is stored as two keys, or none`() throws {
        let parameters = Keys.parameters(kSecAttrKeyTypeEC, 256) + [kSecAttrIsPermanent: true]
        #expect(random(parameters).key != nil)
        #expect(functions.list([kSecClass: kSecClassKey])?.count == 2)
        let wrong: Item = [kSecAttrIsPermanent: true, kSecPublicKeyAttrs: [kSecAttrAccessible: "never"] as Item]
        #expect(random(Keys.parameters(kSecAttrKeyTypeEC, 256) + wrong).code == errSecParam)
        #expect(functions.list([kSecClass: kSecClassKey])?.count == 2)
    }

    @Test func `a key that is not permanent is nowhere`() {
        #expect(random(Keys.parameters(kSecAttrKeyTypeEC, 256) + [kSecAttrApplicationTag: bytes("tag")]).key != nil)
        #expect(functions.status([kSecClass: kSecClassKey]) == errSecItemNotFound)
    }

    @Test func `a key from the keychain works after it was deleted there`() throws {
        let parameters =
            Keys.parameters(kSecAttrKeyTypeEC, 256) + [kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true] as Item]
        #expect(random(parameters).key != nil)
        let object = functions.find([kSecClass: kSecClassKey, kSecReturnRef: true]).object
        let key = try #require(object as? SecKey)
        #expect(functions.delete([kSecValueRef: key]) == errSecSuccess)
        #expect(Keys.sign(key, .ecdsaSignatureMessageX962SHA256, bytes("m")).data != nil)
    }
}

/// The representation of a key.
func representation(_ key: SecKey?) -> Data? { key.flatMap { SecKeyCopyExternalRepresentation($0, nil) as Data? } }
