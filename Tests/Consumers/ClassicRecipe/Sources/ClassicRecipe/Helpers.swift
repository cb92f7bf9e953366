// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

// Helpers as apps have them, one for each thing that the keychain is used for; `helpersThatFail` runs them all.

/// The keychain outlives an app that is deleted; one that starts for the first time begins with an empty one.
func wipeOnFirstLaunch(_ marker: URL) -> Bool {
    guard !FileManager.default.fileExists(atPath: marker.path) else { return false }
    for itemClass in [
        kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey, kSecClassIdentity,
    ] {
        let query = [kSecClass: itemClass, kSecAttrSynchronizable: kSecAttrSynchronizableAny] as [CFString: Any]
        let status = SecItemDelete(query as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { return false }
    }
    return FileManager.default.createFile(atPath: marker.path, contents: nil)
}

/// What a VPN's configuration keeps of its password.
enum VPNPassword {
    static func reference(adding password: String, account: String) -> Data? {
        var added: CFTypeRef?
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "vpn", kSecAttrAccount: account,
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock, kSecValueData: Data(password.utf8),
            kSecReturnPersistentRef: true,
        ]
        return SecItemAdd(item as CFDictionary, &added) == errSecSuccess ? added as? Data : nil
    }

    static func password(_ reference: Data) -> String? {
        var found: CFTypeRef?
        let query = [kSecValuePersistentRef: reference, kSecReturnData: true] as [CFString: Any]
        guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess else { return nil }
        return (found as? Data).flatMap { String(data: $0, encoding: .utf8) }
    }
}

/// Keys that stay in the keychain, found by their tags.
enum TaggedKey {
    static func make(_ type: CFString, _ bits: Int, tag: String) -> SecKey? {
        let own: [CFString: Any] = [kSecAttrIsPermanent: true, kSecAttrApplicationTag: Data(tag.utf8)]
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits, kSecPrivateKeyAttrs: own,
        ]
        return SecKeyCreateRandomKey(parameters as CFDictionary, nil)
    }

    static func find(_ type: CFString, tag: String) -> SecKey? {
        var found: CFTypeRef?
        let query: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrApplicationTag: Data(tag.utf8), kSecAttrKeyType: type,
            kSecReturnRef: true,
        ]
        guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess else { return nil }
        return found as? SecKey
    }

    static func isGood(_ own: SecKey, _ algorithm: SecKeyAlgorithm) -> Bool {
        let message = Data("message".utf8) as CFData
        guard let others = SecKeyCopyPublicKey(own), let text = SecKeyCreateSignature(own, algorithm, message, nil)
        else { return false }
        return SecKeyVerifySignature(others, algorithm, message, text, nil)
    }
}

/// A value that the person's face, finger or passcode opens; where none is set there is nothing to ask for.
func addGuarded(_ value: Data) -> OSStatus {
    guard
        let control = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .userPresence, nil)
    else { return errSecParam }
    let item: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "guarded", kSecAttrAccessControl: control,
        kSecValueData: value,
    ]
    return SecItemAdd(item as CFDictionary, nil)
}

/// `Always` is deprecated: what was stored so gets another class.
func migrateFromAlways(_ service: String) -> Bool {
    let item: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecValueData: Data("old".utf8),
        kSecAttrAccessible: kSecAttrAccessibleAlways,
    ]
    let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
    let change = [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock] as CFDictionary
    guard SecItemAdd(item as CFDictionary, nil) == errSecSuccess,
        SecItemUpdate(query as CFDictionary, change) == errSecSuccess
    else { return false }
    var found: CFTypeRef?
    let attributes = query.merging([kSecReturnAttributes: true]) { $1 }
    guard SecItemCopyMatching(attributes as CFDictionary, &found) == errSecSuccess else { return false }
    let accessible = (found as? [String: Any])?[kSecAttrAccessible as String] as? String
    return accessible == kSecAttrAccessibleAfterFirstUnlock as String
}

/// A group that the program may not use is refused; nothing goes elsewhere instead.
func addShared(_ group: String) -> OSStatus {
    let item: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "shared", kSecAttrAccessGroup: group,
        kSecValueData: Data("shared".utf8),
    ]
    return SecItemAdd(item as CFDictionary, nil)
}

/// A registry's login by server and port, as SwiftPM's KeychainAuthorizationProvider keeps it.
enum Registry {
    private static func query(_ server: String, _ port: Int) -> [String: Any] {
        [
            kSecClass as String: kSecClassInternetPassword, kSecAttrServer as String: server,
            kSecAttrPort as String: port, kSecAttrProtocol as String: kSecAttrProtocolHTTPS,
        ]
    }

    static func set(_ server: String, _ port: Int, _ account: String, _ password: Data) -> OSStatus {
        let item = query(server, port).merging([
            kSecAttrAccount as String: account, kSecValueData as String: password,
        ]) { $1 }
        var status = SecItemAdd(item as CFDictionary, nil)
        if status == errSecDuplicateItem {
            let changes = [kSecAttrAccount as String: account, kSecValueData as String: password] as [String: Any]
            status = SecItemUpdate(query(server, port) as CFDictionary, changes as CFDictionary)
        }
        return status
    }

    static func login(_ server: String, _ port: Int) -> (account: String, password: Data)? {
        var found: CFTypeRef?
        let wanted: [String: Any] = [
            kSecMatchLimit as String: kSecMatchLimitOne, kSecReturnAttributes as String: true,
            kSecReturnData as String: true,
        ]
        let query = query(server, port).merging(wanted) { $1 }
        guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess,
            let item = found as? [String: Any], let account = item[kSecAttrAccount as String] as? String,
            let password = item[kSecValueData as String] as? Data
        else { return nil }
        return (account, password)
    }
}

/// A server's own certificate and its key, as `openssl pkcs12 -export` writes them; the passphrase is "open".
private let ownIdentity = """
    MIIEXwIBAzCCBBUGCSqGSIb3DQEHAaCCBAYEggQCMIID/jCCAqIGCSqGSIb3DQEHBqCCApMwggKPAgEAMIICiAYJKoZIhvcNAQcBMFcGCSqG
    SIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjBxmENhZ5UNQICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEGHDDDhiRg4q84X5nAV4
    EdOAggIgrWtUMUEbYm0G2psd8/8KfWGccCcF9fBvwCbiOu7puj7K7RB3UUq9NX6qw+io+UFZBD0V1K2+Ng4HZ8qvTQZgOa1d9LJUNkLW4ZqM
    pToeEaXluZuKqCX+XqCypIkiinL93NQm3cBtqGhP6xnbhhMwI7F8K/698bzI97/cj/350NNv517R+RPNp0PO0nDpiK4Z5FHNgyHt0V+GqfLQ
    r1czwya3Ya3uceQkaE62lB/Zv0jZhg2FDQfMvOeWtDBEon3u4P/+POXNJW4DwNWmC0SF1KeqFWa+3q5sz03zVc2KN0XJMPJoVR0fQl8f/VR8
    CtmsHawInyOyE9rSjQN7YzJylWi3l9sOLoMSUwQHEUsWtq+g82wFCtK1jzerWBgvSLO6X2curur9WtldZxX2LSawwWg75xMQT4tw8kYAHmXs
    Con55SbzBBXtHLSgW6FadW07VCVUUAqxyJqogBJ66ot7WBgIbXd+7g+zIu6KMKq699um0aufmKjgci/WikYu6B49zJdVjmdrKaQmyja/IpEM
    wScu5q5PgT69O9h0ZENDox1g+HNfA5GtZ1Zoq7QxsjJk22dG6ip8xGslOiJ8N68TDKJjjDnuXzTx8hKKv/6M2sHKYJ5UcbBkxHvocd/OYqc8
    4BaLCLOxqkEicyfU36sgX5YJlzZO32Nfjl5kFLW3YgwVaiROApnBRiYbRgYwXTj8r5GVabTX0v5FZehcduKFoDCCAVQGCSqGSIb3DQEHAaCC
    AUUEggFBMIIBPTCCATkGCyqGSIb3DQEMCgECoIHvMIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgg7u/YlpP+wwICCAAwDAYI
    KoZIhvcNAgkFADAdBglghkgBZQMEASoEEHv95Ej5XSY/GYEb64sscoYEgZBnp6VSk7BVqPXIe7EqgsBlBVK5POZrH6FVxt9gGMtz++1LLIyY
    FO2oxKHsSwx7qUsmsDMn2cM/1I1evAlRL3ZZPUSszfxUBRc6FaJ0/JGD53LvUtichpT/COYpWOTradbR3USPudJZ67jKRh0OK2hbpVgvg84V
    8qX0OgSqSwTx7zsgIoZ33RL7E5Xq/pcpu3AxODARBgkqhkiG9w0BCRQxBB4CAHAwIwYJKoZIhvcNAQkVMRYEFH07aVkaMYD5obdqNKMUhctF
    dpmPMEEwMTANBglghkgBZQMEAgEFAAQgAuG4XPf/TEcbcCow/OMU3AqcdeLVdr+KZDYGf5DitRcECKShOaitppn8AgIIAA==
    """

/// The identity of a file, and what it trusts.
func identity(_ file: Data, _ passphrase: String) -> (status: OSStatus, identity: SecIdentity?) {
    var items: CFArray?
    let options = [kSecImportExportPassphrase: passphrase] as CFDictionary
    let status = SecPKCS12Import(file as CFData, options, &items)
    let first = (items as? [[String: Any]])?.first
    return (status, first?[kSecImportItemIdentity as String] as? SecIdentity)
}

/// Whether the certificate of the file is trusted for its host alone, where nothing else is trusted.
private func isPinned(_ file: Data) -> Bool {
    guard let own = identity(file, "open").identity else { return false }
    var found: SecCertificate?
    guard SecIdentityCopyCertificate(own, &found) == errSecSuccess, let pinned = found else { return false }
    func isTrusted(_ host: String, _ anchors: [SecCertificate]) -> Bool {
        (try? Pinning.judge([pinned], host: host, anchors: anchors)) == [pinned]
    }
    return isTrusted("example.org", [pinned]) && !isTrusted("example.com", [pinned]) && !isTrusted("example.org", [])
}

func randomBytes(_ count: Int) -> Data? {
    var bytes = [UInt8](repeating: 0, count: count)
    return SecRandomCopyBytes(kSecRandomDefault, count, &bytes) == errSecSuccess ? Data(bytes) : nil
}

func text(of status: OSStatus) -> String { SecCopyErrorMessageString(status, nil) as String? ?? "\(status)" }

/// The names of those that don't do what they are for.
func helpersThatFail() -> [String] {
    var failed: [String] = []
    func expect(_ isRight: Bool, _ name: String) { if !isRight { failed.append(name) } }
    let marker = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: marker) }
    expect(wipeOnFirstLaunch(marker) && !wipeOnFirstLaunch(marker), "wipe on reinstall")
    let reference = VPNPassword.reference(adding: "hidden", account: "anna")
    expect(reference.flatMap(VPNPassword.password) == "hidden", "persistent reference")
    for (type, bits, algorithm) in [
        (kSecAttrKeyTypeRSA, 2048, SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256),
        (kSecAttrKeyTypeECSECPrimeRandom, 256, .ecdsaSignatureMessageX962SHA256),
    ] {
        let made = TaggedKey.make(type, bits, tag: "org.example.\(bits)")
        let found = TaggedKey.find(type, tag: "org.example.\(bits)")
        expect(made != nil && found.map { TaggedKey.isGood($0, algorithm) } == true, "key of \(bits) bits by tag")
    }
    expect(addGuarded(Data("guarded".utf8)) == errSecNotAvailable, "guarded value without a passcode")
    expect(migrateFromAlways("old"), "migration from Always")
    expect(addShared("TEAM.other") == errSecMissingEntitlement, "shared group")
    expect(Registry.set("example.org", 8443, "anna", Data("one".utf8)) == errSecSuccess, "add a login")
    expect(Registry.set("example.org", 8443, "anna", Data("two".utf8)) == errSecSuccess, "change a login")
    expect(Registry.login("example.org", 8443).map { $0.password == Data("two".utf8) } == true, "login")
    expect(Registry.login("example.org", 443) == nil, "login at another port")
    expect(identity(Data("no file".utf8), "x").status == errSecDecode, "identity of no file")
    let file = Data(base64Encoded: ownIdentity, options: .ignoreUnknownCharacters) ?? Data()
    expect(
        [errSecPkcs12VerifyFailure, errSecAuthFailed].contains(identity(file, "wrong").status),
        "identity under a wrong passphrase")
    expect(isPinned(file), "certificate pin")
    expect(randomBytes(32)?.count == 32 && randomBytes(32) != randomBytes(32), "random bytes")
    expect(
        !text(of: errSecItemNotFound).isEmpty && text(of: errSecItemNotFound) != "\(errSecItemNotFound)", "error text")
    return failed
}
