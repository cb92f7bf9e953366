// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import LocalAuthentication
import SecItem
import TestSupport
import Testing

/// Functions that code calls beside those for items.
@Suite struct CalledFunctionTests {
    private let functions: Functions
    private let temporary = TemporaryHome()

    init() throws { functions = Functions(home: try temporary.open()) }

    private func status(
        _ input: Data, room: Int,
        _ body: (UnsafePointer<UInt8>, Int, UnsafeMutablePointer<UInt8>, inout Int) -> OSStatus
    ) -> (status: OSStatus, data: Data) {
        var output = [UInt8](repeating: 0, count: max(room, 1))
        var count = room
        let bytes = Array(input) + [0]
        let status = unsafe bytes.withUnsafeBufferPointer { given in
            unsafe output.withUnsafeMutableBufferPointer { result in
                guard let from = given.baseAddress, let to = result.baseAddress else { return errSecInternal }
                return unsafe body(from, input.count, to, &count)
            }
        }
        return (status, Data(output.prefix(count)))
    }

    private func sign(
        _ key: SecKey, _ padding: SecPadding, _ input: Data, room: Int = 600
    ) -> (status: OSStatus, data: Data) {
        unsafe status(input, room: room) { unsafe SecKeyRawSign(key, padding, $0, $1, $2, &$3) }
    }

    private func verify(_ key: SecKey, _ padding: SecPadding, _ input: Data, _ signature: Data) -> OSStatus {
        let signature = Array(signature) + [0]
        return unsafe status(input, room: 1) { from, count, _, _ in
            unsafe SecKeyRawVerify(key, padding, from, count, signature, signature.count - 1)
        }.status
    }

    @Test(arguments: [
        (SecPadding.PKCS1SHA1, 20), (.PKCS1SHA224, 28), (.PKCS1SHA256, 32), (.PKCS1SHA384, 48), (.PKCS1SHA512, 64),
        (.PKCS1, 9),
    ])
    func `a raw signature of RSA is the same as that of its algorithm`(padding: SecPadding, size: Int) throws {
        let key = try #require(Keys.rsa)
        let others = try #require(SecKeyCopyPublicKey(key))
        let digest = Data(repeating: 7, count: size)
        let signed = sign(key, padding, digest)
        #expect(signed.status == errSecSuccess && signed.data.count == 256)
        #expect(verify(others, padding, digest, signed.data) == errSecSuccess)
        #expect(verify(others, padding, digest, signed.data.dropLast() + [signed.data[255] ^ 1]) == errSSLCrypto)
        #expect(verify(others, padding, digest, Data()) == errSSLCrypto)
        if padding == .PKCS1SHA256 {
            #expect(signed.data == Keys.sign(key, .rsaSignatureDigestPKCS1v15SHA256, digest).data)
        }
        #expect(sign(key, padding, digest, room: 255).status == errSecParam)
        #expect(sign(key, .PKCS1MD5, digest).status == errSecUnimplemented)
    }

    @Test func `a raw signature of an elliptic curve is DER, or r and s`() throws {
        let key = try #require(Keys.curves.first)
        let others = try #require(SecKeyCopyPublicKey(key))
        let digest = Data(repeating: 7, count: 32)
        for (padding, algorithm): (SecPadding, SecKeyAlgorithm) in [
            (.PKCS1, .ecdsaSignatureDigestX962), (.PKCS1SHA256, .ecdsaSignatureDigestX962),
            (.sigRaw, .ecdsaSignatureDigestRFC4754),
        ] {
            let signed = sign(key, padding, digest)
            #expect(signed.status == errSecSuccess)
            #expect(Keys.verify(others, algorithm, digest, signed.data).isValid)
            #expect(verify(others, padding, digest, signed.data) == errSecSuccess)
        }
    }

    @Test func `a short message goes to a key of RSA and back`() throws {
        let key = try #require(Keys.rsa)
        let others = try #require(SecKeyCopyPublicKey(key))
        for padding: SecPadding in [.PKCS1, .OAEP] {
            let sent = unsafe status(bytes("message"), room: 256) {
                unsafe SecKeyEncrypt(others, padding, $0, $1, $2, &$3)
            }
            #expect(sent.status == errSecSuccess)
            let read = unsafe status(sent.data, room: 256) { unsafe SecKeyDecrypt(key, padding, $0, $1, $2, &$3) }
            #expect(read.status == errSecSuccess && read.data == bytes("message"))
            let tooSmall = unsafe status(sent.data, room: 6) { unsafe SecKeyDecrypt(key, padding, $0, $1, $2, &$3) }
            #expect(tooSmall.status == errSecParam)
        }
        let refused = unsafe status(bytes("m"), room: 256) { unsafe SecKeyEncrypt(others, .PKCS1SHA1, $0, $1, $2, &$3) }
        #expect(refused.status == errSecUnimplemented)
        let curve = try #require(Keys.curves.first)
        #expect(
            unsafe status(bytes("m"), room: 256) { unsafe SecKeyEncrypt(curve, .PKCS1, $0, $1, $2, &$3) }.status
                == errSecParam
        )
    }

    @Test func `a pair is made with both halves, or says why not`() throws {
        var (own, others): (SecKey?, SecKey?)
        let parameters = Keys.parameters(kSecAttrKeyTypeECSECPrimeRandom, 256) as CFDictionary
        #expect(unsafe SecKeyGeneratePair(parameters, &others, &own) == errSecSuccess)
        #expect(try SecKeyCopyPublicKey(#require(own)) == others)
        let wrong = Keys.parameters(kSecAttrKeyTypeECSECPrimeRandom, 255) as CFDictionary
        #expect(SecKeyGeneratePair(wrong, nil, nil) == errSecKeySizeNotAllowed)
    }

    @Test func `an identity is made of a certificate, its key in the keychain`() throws {
        let authority = try TestAuthority()
        let certificate = try authority.leaf("leaf")
        var identity: SecIdentity?
        let make = { unsafe SecIdentityCreateWithCertificate(nil, certificate, &identity) }
        #expect(Home.withCurrent(functions.home) { make() } == errSecItemNotFound)
        let pem = try authority.openssl.read("leaf.key")
        let key = try #require(imported(pem).items.first as? SecKey)
        #expect(functions.add([kSecValueRef: key]) == errSecSuccess)
        #expect(Home.withCurrent(functions.home) { make() } == errSecSuccess)
        var found: SecKey?
        #expect(try unsafe SecIdentityCopyPrivateKey(#require(identity), &found) == errSecSuccess && found == key)
        var publicKey: SecKey?
        #expect(unsafe SecCertificateCopyPublicKey(certificate, &publicKey) == errSecSuccess)
        #expect(publicKey != nil && publicKey == SecCertificateCopyPublicKey(certificate))
    }

    // MARK: Files

    private func imported(
        _ file: Data, _ format: SecExternalFormat = .formatUnknown, passphrase: String? = nil
    ) -> (status: OSStatus, items: [AnyObject], format: SecExternalFormat, type: SecExternalItemType) {
        var (format, type) = (format, SecExternalItemType.itemTypeUnknown)
        var items: CFArray?
        var parameters = unsafe SecItemImportExportKeyParameters()
        let text = passphrase.map { $0 as CFString }
        unsafe parameters.passphrase = text.map { unsafe Unmanaged<CFTypeRef>.passUnretained($0) }
        let status = unsafe SecItemImport(file as CFData, nil, &format, &type, [], &parameters, nil, &items)
        _ = text
        return (status, (items as? [AnyObject]) ?? [], format, type)
    }

    private func exported(
        _ item: CFTypeRef, _ format: SecExternalFormat, _ flags: SecItemImportExportFlags = []
    ) -> Data? {
        var data: CFData?
        return unsafe SecItemExport(item, format, flags, nil, &data) == errSecSuccess ? data as Data? : nil
    }

    @Test func `certificates and keys go to openssl and back`() throws {
        let authority = try TestAuthority()
        let certificate = try authority.leaf("leaf")
        #expect(try exported(certificate, .formatX509Cert) == authority.der("leaf"))
        let keys = [try #require(Keys.rsa)] + Keys.curves
        for key in keys + keys.compactMap(SecKeyCopyPublicKey) {
            for format: SecExternalFormat in [.formatUnknown, .formatOpenSSL, .formatRawKey, .formatPEMSequence] {
                let file = try #require(exported(key, format))
                let read = imported(file, format == .formatRawKey ? format : .formatUnknown)
                #expect(read.status == errSecSuccess && read.items.first as? SecKey == key)
                #expect(read.type == (SecKeyCopyPublicKey(key) == key ? .itemTypePublicKey : .itemTypePrivateKey))
            }
            let pem = try #require(exported(key, .formatOpenSSL, .pemArmour))
            try authority.openssl.write(pem, to: "ours.pem")
            let isPublic = SecKeyCopyPublicKey(key) == key
            try authority.openssl.run(["pkey", "-in", "ours.pem", "-noout"] + (isPublic ? ["-pubin"] : []))
        }
        let all = try #require(exported([certificate, keys[1]] as CFArray, .formatUnknown))
        let read = imported(all)
        #expect(read.items.count == 2 && read.type == .itemTypeAggregate && read.format == .formatPEMSequence)
        #expect(exported(certificate, .formatPKCS12) == nil && exported(keys[1], .formatX509Cert) == nil)
        #expect(exported("text" as CFString, .formatUnknown) == nil)
    }

    @Test func `a file says what it is, or that it is none`() throws {
        let authority = try TestAuthority()
        let certificate = try authority.leaf("leaf")
        #expect(imported(try authority.der("leaf")).items.first as? SecCertificate == certificate)
        #expect(imported(try authority.openssl.read("leaf.pem")).type == .itemTypeCertificate)
        let pass = ["-passout", "pass:word"]
        try authority.openssl.run(
            ["pkcs12", "-export", "-inkey", "leaf.key", "-in", "leaf.pem", "-out", "leaf.p12"] + pass)
        let file = try authority.openssl.read("leaf.p12")
        let identities = imported(file, passphrase: "word")
        #expect(identities.items.first is SecIdentity && identities.format == .formatPKCS12)
        #expect(imported(file).status == errSecPassphraseRequired)
        #expect(imported(file, passphrase: "other").status == errSecPkcs12VerifyFailure)
        try authority.openssl.run(["pkcs8", "-topk8", "-in", "leaf.key", "-out", "sealed.pem"] + pass)
        let sealed = try authority.openssl.read("sealed.pem")
        #expect(imported(sealed, passphrase: "word").items.first is SecKey)
        #expect(imported(sealed).status == errSecPassphraseRequired)
        for garbage in [Data(), bytes("text"), Data([0x30, 0]), Data(count: 100)] {
            #expect(imported(garbage).status == errSecUnknownFormat)
            #expect(imported(garbage, .formatRawKey).status == errSecUnknownFormat)
        }
    }

    @Test func `the parts of a certificate stand under their identifiers`() throws {
        let authority = try TestAuthority()
        let certificate = try authority.leaf(
            "leaf", TestAuthority.server + "\nkeyUsage=digitalSignature,keyEncipherment")
        let all = try #require(SecCertificateCopyValues(certificate, nil, nil) as? [String: [String: Any]])
        #expect(all["2.5.4.3"]?["value"] as? [String] == ["leaf"])
        #expect(all["2.5.4.10"]?["value"] as? [String] == ["Zamok"])
        #expect(all["2.5.29.15"]?["value"] as? Int == 5)
        let end = try #require(all[kSecOIDX509V1ValidityNotAfter as String]?["value"] as? Double)
        #expect(abs(end - CFAbsoluteTimeGetCurrent() - 3650 * 86_400) < 600)
        let names = try #require(all["2.5.29.17"]?["value"] as? [[String: Any]])
        #expect(names.contains { $0["label"] as? String == "DNS Name" && $0["value"] as? String == "example.org" })
        #expect(names.contains { $0["value"] as? String == "192.0.2.1" })
        let some = SecCertificateCopyValues(certificate, [kSecOIDCommonName] as CFArray, nil)
        #expect((some as? [String: Any])?.count == 1)
    }

    @Test func `errors, URLs and constants of Core Foundation and LocalAuthentication are there`() {
        let error: CFError = CFErrorCreate(
            nil, kCFErrorDomainOSStatus, -50, [kCFErrorLocalizedDescriptionKey as String: "why"] as CFDictionary)
        #expect(CFErrorGetCode(error) == -50 && CFErrorGetDomain(error) as String? == NSOSStatusErrorDomain)
        #expect(error.localizedDescription == "why")
        let url: CFURL = URL(fileURLWithPath: "/tmp") as CFURL
        #expect(url.path == "/tmp")
        #expect(kCFBundleIdentifierKey as String? == "CFBundleIdentifier")
        #expect(
            kLAErrorUserCancel == -2 && kLAErrorNotInteractive == -1_004
                && kLAErrorTouchIDLockout == kLAErrorBiometryLockout)
        #expect(Int(kLAPolicyDeviceOwnerAuthentication) == LAPolicy.deviceOwnerAuthentication.rawValue)
        #expect(LAPolicy(rawValue: 4) == .deviceOwnerAuthenticationWithBiometricsOrWatch)
    }
}
