// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Keychains
import LocalAuthentication
import SecItem
import SecretMemory
import TestSupport
import Testing

/// Keys in a TPM (`kSecAttrTokenIDSecureEnclave`). The TPM is swtpm.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed"))
struct TPMKeyTests {
    let tpm: SoftwareTPM
    let temporary = TemporaryHome()
    let prompter = ScriptedPrompter()
    let functions: Functions
    /// What the home's environment says of the way to the TPM.
    private let way: Way

    private final class Way: Sendable {
        let text: Locked<String>
        init(_ text: String) { self.text = Locked(text) }
    }

    init() throws {
        let tpm = try SoftwareTPM()
        self.tpm = tpm
        let prompter = prompter
        let way = Way("swtpm:\(tpm.socket)")
        self.way = way
        functions = Functions(
            home: try temporary.open { configuration in
                configuration.prompter = prompter
                configuration.environment = { $0 == "ZAMOK_TPM" ? way.text.withLock { $0 } : nil }
            })
    }

    private static var size: Item { [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256] }
    private static var token: Item { size + [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave] }
    private static let tag = Data("com.example.key".utf8)
    private static var query: Item { [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag] }

    private func make(_ parameters: Item) -> (key: SecKey?, status: Int) {
        unsafe result { unsafe SecKeyCreateRandomKey(parameters as CFDictionary, $0) }
    }

    private func result<R>(_ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> R?) -> (key: R?, status: Int) {
        var error: Unmanaged<CFError>?
        let made = Home.withCurrent(functions.home) { unsafe body(&error) }
        return (made, unsafe error.map { unsafe CFErrorGetCode($0.takeRetainedValue()) } ?? 0)
    }

    private func stored(_ attributes: Item = [:]) throws -> SecKey {
        let half: Item = [kSecAttrIsPermanent: true, kSecAttrApplicationTag: Self.tag] + attributes
        let made = make(Self.token + [kSecPrivateKeyAttrs: half])
        return try #require(made.key, "\(made.status)")
    }

    private func held(_ attributes: Item = [:]) throws -> SecKey {
        let made = make(Self.token + [kSecPrivateKeyAttrs: attributes])
        return try #require(made.key, "\(made.status)")
    }

    /// What signing with it ends with; 0: with a signature that the public half takes.
    private func sign(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm = .ecdsaSignatureMessageX962SHA256, _ data: Data = bytes("message")
    ) -> Int {
        let signed = unsafe result { unsafe SecKeyCreateSignature(key, algorithm, data as CFData, $0) }
        guard let signature = signed.key else { return signed.status }
        guard let publicKey = SecKeyCopyPublicKey(key) else { return -1 }
        let isRight = unsafe result {
            unsafe SecKeyVerifySignature(publicKey, algorithm, data as CFData, signature, $0)
        }
        return isRight.key == true ? 0 : isRight.status
    }

    private func found() throws -> SecKey {
        let found = functions.find(Self.query + [kSecReturnRef: true])
        return try #require(found.object as? SecKey, "\(found.status)")
    }

    // MARK: What it does

    @Test func `it signs messages and digests in every way that keys of P-256 do`() throws {
        for key in [try stored(), try held(), try found()] {
            for (algorithm, size) in Self.algorithms {
                let data = size == 0 ? bytes("message") : Data((0..<size).map { UInt8($0) })
                #expect(SecKeyIsAlgorithmSupported(key, .sign, algorithm))
                #expect(sign(key, algorithm, data) == 0, "\(algorithm.rawValue)")
            }
            #expect(sign(key, .ecdsaSignatureDigestX962SHA256, Data(count: 20)) == Int(errSecParam))
            #expect(sign(key, .rsaSignatureMessagePKCS1v15SHA256) == Int(errSecParam))
        }
    }

    private static let algorithms: [(SecKeyAlgorithm, Int)] = [
        (.ecdsaSignatureMessageX962SHA1, 0), (.ecdsaSignatureMessageX962SHA256, 0),
        (.ecdsaSignatureMessageX962SHA384, 0), (.ecdsaSignatureMessageX962SHA512, 0),
        (.ecdsaSignatureMessageRFC4754SHA256, 0), (.ecdsaSignatureDigestX962SHA1, 20),
        (.ecdsaSignatureDigestX962SHA256, 32), (.ecdsaSignatureDigestX962SHA384, 48),
        (.ecdsaSignatureDigestX962SHA512, 64), (.ecdsaSignatureDigestRFC4754SHA256, 32),
    ]

    @Test func `it agrees with a key in software, and opens what was encrypted to it`() throws {
        let key = try stored()
        let other = try #require(make(Self.size).key)
        let (own, peer) = (try #require(SecKeyCopyPublicKey(key)), try #require(SecKeyCopyPublicKey(other)))
        let parameters: Item = [
            SecKeyKeyExchangeParameter.requestedSize.rawValue: 80,
            SecKeyKeyExchangeParameter.sharedInfo.rawValue: bytes("info"),
        ]
        for algorithm: SecKeyAlgorithm in [
            .ecdhKeyExchangeStandard, .ecdhKeyExchangeStandardX963SHA1, .ecdhKeyExchangeStandardX963SHA256,
            .ecdhKeyExchangeCofactorX963SHA384, .ecdhKeyExchangeStandardX963SHA512,
        ] {
            let here = unsafe result {
                unsafe SecKeyCopyKeyExchangeResult(key, algorithm, peer, parameters as CFDictionary, $0)
            }
            let there = unsafe result {
                unsafe SecKeyCopyKeyExchangeResult(other, algorithm, own, parameters as CFDictionary, $0)
            }
            #expect(here.key != nil && here.key == there.key, "\(algorithm.rawValue)")
        }
        let algorithm = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
        let box = unsafe result { unsafe SecKeyCreateEncryptedData(own, algorithm, bytes("secret") as CFData, $0) }
        let sealed = try #require(box.key)
        let opened = unsafe result { unsafe SecKeyCreateDecryptedData(key, algorithm, sealed, $0) }
        #expect(opened.key as Data? == bytes("secret"))
    }

    // Nothing gives the bytes of a private key in a TPM, as there are none.
    @Test func `its private half is given by nothing, its public half is`() throws {
        for key in [try stored(), try held(), try found()] {
            #expect(
                unsafe result { unsafe SecKeyCopyExternalRepresentation(key, $0) }.status == Int(errSecUnimplemented))
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            let point = unsafe result { unsafe SecKeyCopyExternalRepresentation(publicKey, $0) }.key as Data?
            #expect(point?.count == 65 && point?.first == 4)
            let told = SecKeyCopyAttributes(key) as? [String: Any]
            #expect(told?["tkid"] as? String == "com.apple.setoken" && told?["extr"] as? Bool == false)
            #expect(told?["v_Data"] == nil)
        }
        #expect(functions.find(Self.query + [kSecReturnData: true]).object == nil)
        let all: Item = [kSecReturnData: true, kSecReturnAttributes: true, kSecReturnRef: true]
        let item = functions.find(Self.query + all).object as? [String: Any]
        #expect(item?["tkid"] as? String == "com.apple.setoken" && item?["v_Data"] == nil && item?["v_Ref"] != nil)
        #expect(functions.status(Self.query + [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]) == errSecSuccess)
        #expect(functions.status(Self.query + [kSecAttrTokenID: "other"]) == errSecItemNotFound)
    }

    // Rule: no bytes become a key in a TPM, and none in a TPM another | updates not looked at | errSecSuccess, 4 times
    @Test func `no item becomes one, and none of them becomes another`() throws {
        _ = try stored()
        let fake: Item = [
            kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrKeyType: kSecAttrKeyTypeEC,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecValueData: Data(count: 97),
        ]
        #expect(functions.add(fake) == errSecParam)
        #expect(functions.update(Self.query, [kSecValueData: Data(count: 97)]) == errSecParam)
        #expect(functions.update(Self.query, [kSecAttrTokenID: "other"]) == errSecParam)
        #expect(functions.update(Self.query, [kSecAttrSynchronizable: true]) == errSecParam)
        #expect(functions.update(Self.query, [kSecAttrLabel: "label"]) == errSecSuccess)
        #expect(sign(try found()) == 0)
        let soft = try #require(make(Self.size).key)
        let plain: Item = [kSecValueRef: soft, kSecAttrApplicationTag: bytes("soft")]
        #expect(functions.add(plain) == errSecSuccess)
        let query: Item = [kSecClass: kSecClassKey, kSecAttrApplicationTag: bytes("soft")]
        #expect(functions.update(query, [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]) == errSecParam)
        let parameters = Self.token + [kSecAttrKeyClass: kSecAttrKeyClassPrivate]
        let given = unsafe result {
            unsafe SecKeyCreateWithData(Data(count: 97) as CFData, parameters as CFDictionary, $0)
        }
        #expect(given.status == Int(errSecUnimplemented))
    }

    @Test func `it is deleted as any item, and its reference then says that there is none`() throws {
        let key = try stored()
        #expect(functions.delete(Self.query) == errSecSuccess)
        #expect(functions.status(Self.query) == errSecItemNotFound)
        #expect(sign(key) == Int(errSecItemNotFound))
        #expect(SecKeyCopyPublicKey(key) != nil)
    }

    // MARK: Locks and people

    // A lock applies to a key in a TPM too, also for a SecKey made before.
    @Test func `while locked it signs nothing, and after the unlock again`() throws {
        try functions.home.keybag.setPasscode(secret("1234"))
        let keys = [try stored(), try held(), try found()]
        let always = try held([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])
        try functions.home.keybag.lock()
        for key in keys {
            #expect(sign(key) == Int(errSecInteractionNotAllowed))
            #expect(SecKeyCopyPublicKey(key) != nil)
        }
        #expect(sign(always) == 0)
        #expect(functions.find(Self.query + [kSecReturnRef: true]).status == errSecInteractionNotAllowed)
        #expect(functions.status(Self.query) == errSecSuccess)
        try functions.home.keybag.unlock(passcode: secret("1234"))
        for key in keys { #expect(sign(key) == 0) }
    }

    private func guarded(_ flags: SecAccessControlCreateFlags) throws -> Item {
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
        return [kSecAttrAccessControl: try #require(control)]
    }

    // A key with access control asks at each use. Finding it does not ask.
    @Test(arguments: [true, false])
    func `with access control each use asks, and wrong answers count`(isStored: Bool) throws {
        try functions.home.keybag.setPasscode(secret("1234"))
        let control = try guarded([.privateKeyUsage, .devicePasscode])
        let key = isStored ? try stored(control) : try held(control)
        let keys = isStored ? [key, try found()] : [key]
        #expect(prompter.asked.isEmpty)
        for key in keys {
            prompter.add(.text("1234"), .cancels, .text("wrong"))
            #expect(sign(key) == 0)
            #expect(sign(key) == Int(errSecUserCanceled))
            #expect(sign(key) == Int(errSecAuthFailed))
        }
        // A right answer sets the count back.
        #expect(try functions.home.status().failedAttempts == 1)
        #expect(prompter.asked.count == 3 * keys.count)
    }

    @Test func `a context's answer counts for the uses of what it found`() throws {
        try functions.home.keybag.setPasscode(secret("1234"))
        _ = try stored(try guarded([.privateKeyUsage, .devicePasscode]))
        let context = LAContext()
        let found = functions.find(Self.query + [kSecReturnRef: true, kSecUseAuthenticationContext: context])
        let key = try #require(found.object as? SecKey)
        prompter.add(.text("1234"))
        for _ in 0..<3 { #expect(sign(key) == 0) }
        #expect(prompter.asked.count == 1)
        context.invalidate()
        #expect(sign(key) != 0)
    }

    // MARK: The TPM

    // A TPM that is away, another or cleared is never "not found", and the key signs again once its own is back.
    @Test func `without its TPM it says so, and nothing is lost`() throws {
        let keys = [try stored(), try held(), try found()]
        let wrong = Int(errSecNotAvailable)
        tpm.stop()
        for key in keys { #expect(sign(key) == wrong) }
        #expect(functions.status(Self.query) == errSecSuccess)
        let other = try SoftwareTPM()
        try FileManager.default.createSymbolicLink(atPath: tpm.socket, withDestinationPath: other.socket)
        for key in keys { #expect(sign(key) == wrong) }
        try FileManager.default.removeItem(atPath: tpm.socket)
        try tpm.start()
        try tpm.lockOut()
        for key in keys { #expect(sign(key) == 0) }
        try tpm.clear()
        for key in keys { #expect(sign(key) == wrong) }
        #expect(functions.status(Self.query) == errSecSuccess)
    }

    // Rule: the TPM address that a home's environment names is used at each use, in place of the one at which the key
    //   was made | the process's environment asked | errSecNotAvailable
    @Test func `it is used over the way that its home names`() throws {
        let (stored, held) = (try stored([kSecAttrLabel: "moved"]), try held())
        let elsewhere = "\(tpm.folder)/elsewhere"
        try FileManager.default.moveItem(atPath: tpm.socket, toPath: elsewhere)
        for key in [stored, held, try found()] { #expect(sign(key) == Int(errSecNotAvailable)) }
        way.text.withLock { $0 = "swtpm:\(elsewhere)" }
        for key in [stored, held, try found()] { #expect(sign(key) == 0) }
        let keychain = Keychain(home: functions.home)
        let item = try keychain.item(
            matching: KeychainQuery<KeyItem>().with(\.label, "moved").with(\.keyClass, .private))
        #expect(try !item.signature(for: Data("message".utf8), .ecdsaSHA256).isEmpty)
    }

    @Test func `where there is no TPM none is made, and never in software`() throws {
        tpm.stop()
        #expect(make(Self.token).status == Int(errSecNotAvailable))
        try tpm.start()
        let base: Item = [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecAttrIsPermanent: true]
        let ec = base + [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom]
        #expect(make(ec + [kSecAttrKeySizeInBits: 384]).status == Int(errSecKeySizeNotAllowed))
        #expect(
            make(base + [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048]).status
                == Int(errSecUnimplemented))
        #expect(make(Self.size + [kSecAttrTokenID: "com.example.token"]).status == Int(errSecUnimplemented))
        #expect(functions.status([kSecClass: kSecClassKey]) == errSecItemNotFound)
    }

    @Test func `its public half is an item like any other`() throws {
        let tag: Item = [kSecAttrIsPermanent: true, kSecAttrApplicationTag: Self.tag]
        _ = try #require(make(Self.token + tag).key)
        let query = Self.query + [kSecAttrKeyClass: kSecAttrKeyClassPublic]
        let found = functions.find(query + [kSecReturnData: true, kSecReturnAttributes: true]).object as? [String: Any]
        #expect((found?["v_Data"] as? Data)?.count == 65 && found?["tkid"] == nil)
    }
}
