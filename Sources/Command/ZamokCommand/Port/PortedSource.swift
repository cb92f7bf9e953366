// SPDX-License-Identifier: Apache-2.0

/// One source file, read word by word. Comments, string literals and code that is not compiled on Linux are ignored.
struct PortedSource {
    private(set) var needs: [(line: Int, what: String)] = []
    /// Whether the file uses Security without importing it or a module that re-exports it. On Apple's systems
    /// Foundation and LocalAuthentication re-export it.
    private(set) var callsSecurityUnseen = false
    private(set) var exportsSecurity = false
    /// The products of this package that the file needs.
    private(set) var products: Set<String> = []

    private var imports: Set<String> = []
    private var told: Set<String> = []
    private var isAllowed = false
    private var line = 0
    /// Names of data protection, with the call that uses them.
    private var protections: [(line: Int, name: String, call: Call)] = []
    private var call = Call.other

    /// The kind of call that protects a file.
    private enum Call {
        /// `write(to:)` of Data and similar types.
        case ofData
        /// `createFile` and `setAttributes`, of FileManager or of a `ProtectedFileStore`.
        case ofFileManager
        case other
    }

    init(_ text: String) {
        var lines = PortedLines(text)
        while let next = lines.next() {
            line += 1
            let isAbove = isAllowed
            isAllowed = next.isAllowed || isAbove
            read(next.code)
            isAllowed = next.isAllowed
        }
        finish()
    }

    private mutating func read(_ code: String) {
        var words = PortedWords(code)
        var isExported = false
        while let word = words.next() {
            if word == "@_exported" { isExported = true }
            guard word != "import" else {
                readImport(&words, isExported)
                continue
            }
            for name in word.split(separator: ".") { take(String(name), of: word, words) }
        }
    }

    private mutating func readImport(_ words: inout PortedWords, _ isExported: Bool) {
        let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor"]
        guard var word = words.next() else { return }
        if kinds.contains(String(word)), let next = words.next() { word = next }
        let module = String(word.prefix { $0 != "." })
        imports.insert(module)
        if module == "Security", isExported { exportsSecurity = true }
        if Self.ofThisPackage.contains(module) { products.insert(module) }
        if let what = Self.modules[module] { need(what) }
    }

    private mutating func take(_ name: String, of word: Substring, _ words: PortedWords) {
        if Self.isOfSecurity(name) { products.insert("Security") }
        if Self.isOfLocalAuthentication(name) { products.insert("LocalAuthentication") }
        switch name {
        case "write" where words.isCall(of: "to"): call = .ofData
        case "createFile" where words.isCall(), "setAttributes" where words.isCall(): call = .ofFileManager
        case "write" where words.isCall(): call = .other
        case "FileManager": told.insert(name)
        default: break
        }
        if Self.isProtection(name) {
            if !isAllowed { protections.append((line, name, call)) }
        } else if let what = Self.need(of: name), told.insert(name).inserted {
            need(what)
        }
    }

    private mutating func need(_ what: String) {
        guard !isAllowed else { return }
        needs.append((line, what))
    }

    private mutating func finish() {
        let callsSecurity = products.contains("Security")
        callsSecurityUnseen = callsSecurity && imports.isDisjoint(with: ["Security", "SecItem"])
        let hasStore = !imports.isDisjoint(with: ["ProtectedFiles", "Zamok"])
        for (line, name, call) in protections {
            let isOfStore = hasStore && (call == .other || (call == .ofFileManager && !told.contains("FileManager")))
            guard !isOfStore, told.insert(name + (call == .ofData ? "(to:)" : "")).inserted else { continue }
            needs.append((line, "\(name): \(Self.store)"))
        }
        needs.sort { $0.line < $1.line }
    }

    private static let store =
        "Foundation ignores it here, and the file is in clear; ProtectedFileStore of the product ProtectedFiles has the same words"

    /// Modules that are products of this package.
    static let ofThisPackage: Set = [
        "Security", "SecItem", "LocalAuthentication", "Keychains", "DataProtection", "ProtectedFiles",
        "UserPreferences",
        "AppUsers", "KeychainSync", "SecretMemory", "InterfaceProtection", "TerminalPrivacy", "ProvisioningProfiles",
        "Zamok",
    ]

    /// Whether the name concerns data protection of files. Foundation on Linux declares some of these names and
    /// implements none.
    private static func isProtection(_ name: String) -> Bool {
        name.hasPrefix("completeFileProtection") || name.hasPrefix("NSFileProtection") || name == "FileProtectionType"
            || name == "protectionKey" || name == "fileProtection" || name == "fileProtectionKey"
            || name.hasPrefix("NSDataWritingFileProtection") || name == "NSPersistentStoreFileProtectionKey"
            || name.hasPrefix("URLFileProtection")
    }

    private static func isOfLocalAuthentication(_ name: String) -> Bool {
        ["LAContext", "LAPolicy", "LAError", "LABiometryType", "LAAccessControlOperation", "LACredentialType"]
            .contains(name)
    }

    /// Modules that Linux doesn't have, and the message for a file that imports one.
    static let modules = [
        "CryptoKit": "import CryptoKit: use Crypto of swift-crypto, which has the same names",
        "CommonCrypto": "import CommonCrypto: use Crypto and CryptoExtras of swift-crypto",
        "os": "import os: use Logger of swift-log",
        "OSLog": "import OSLog: use Logger of swift-log",
        "UIKit": "import UIKit: only on Apple's systems; put it under #if canImport(UIKit)",
        "AppKit": "import AppKit: only on Apple's systems; put it under #if canImport(AppKit)",
        "SwiftUI": "import SwiftUI: only on Apple's systems; put it under #if canImport(SwiftUI)",
        "Combine": "import Combine: only on Apple's systems; put it under #if canImport(Combine)",
    ]

    private static let prefixesOfSecurity = [
        "kSec", "errSec", "SecItem", "SecKey", "SecCertificate", "SecIdentity", "SecTrust", "SecPolicy", "SecAccess",
        "SecRandom", "SecCopy",
    ]

    private static func isOfSecurity(_ name: String) -> Bool {
        prefixesOfSecurity.contains { name.hasPrefix($0) }
            || ["OSStatus", "CFTypeRef", "CFDictionary", "kCFBooleanTrue"].contains(name)
    }

    /// Prefixes of names that are not declared here, and the reasons.
    private static let missing: [(prefix: String, why: String)] = [
        (
            "SecTask",
            "what says which program calls: not declared, because an answer that is always right would be dangerous"
        ),
        ("SecCode", "code signing: not declared, because an answer that is always valid would be dangerous"),
        ("SecStaticCode", "code signing: not declared, because an answer that is always valid would be dangerous"),
        ("SecRequirement", "code signing: not declared, because an answer that is always valid would be dangerous"),
        ("SecKeychain", "file keychains of macOS: use the SecItem functions"),
        ("SecACL", "access lists of file keychains: use SecAccessControl"),
        ("SecTransform", "transforms: use Crypto of swift-crypto"),
        ("SecTrustSettings", "the person's own settings of trust: use SecTrustSetAnchorCertificates"),
        ("SecTrustedApplication", "access lists of file keychains: use access groups"),
        ("CMSEncoder", "CMS: not here"), ("CMSDecoder", "CMS: not here"),
        ("SSLContext", "Secure Transport: use swift-nio-ssl"),
        ("SSLCreateContext", "Secure Transport: use swift-nio-ssl"),
        ("AuthorizationRef", "rights of macOS: not here"), ("AuthorizationCreate", "rights of macOS: not here"),
    ]

    /// Types of which only the name is declared.
    private static let declared: Set = ["SecKeychain", "SecKeychainItem"]

    private static func need(of name: String) -> String? {
        if name == "@objc" || name == "@objcMembers" {
            return "\(name): there is no Objective-C here; leave it out, or under #if canImport(ObjectiveC)"
        }
        if ["UserDefaults", "NSUserDefaults", "@AppStorage", "AppStorage", "NSUbiquitousKeyValueStore"].contains(name) {
            return
                "\(name): a property list in clear; what is confidential belongs into Preferences of the product UserPreferences, or into the keychain"
        }
        if name == "NSMapTable" || name == "NSHashTable" { return "\(name): not in Foundation here; use a dictionary" }
        guard !declared.contains(name), let found = missing.first(where: { name.hasPrefix($0.prefix) }) else {
            return nil
        }
        return "\(name.prefix(100)): \(found.why)"
    }
}

/// The words of a line, in order: letters, digits, `_`, `@` and `.`.
struct PortedWords {
    private let code: String
    private var position: String.Index

    init(_ code: String) {
        self.code = code
        position = code.startIndex
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "@") || byte == UInt8(ascii: ".")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    mutating func next() -> Substring? {
        guard let start = code.utf8[position...].firstIndex(where: Self.isPart) else {
            position = code.endIndex
            return nil
        }
        position = code.utf8[start...].firstIndex { !Self.isPart($0) } ?? code.endIndex
        return code[start..<position]
    }

    /// Whether the last word is called, with that label if one is given.
    func isCall(of label: String = "") -> Bool {
        let rest = code.utf8[position...].drop { $0 == 0x20 }
        guard rest.first == UInt8(ascii: "(") else { return false }
        // If the first argument is on the next line, the label is assumed to match.
        let argument = rest.dropFirst().drop { $0 == 0x20 }
        return argument.isEmpty || argument.starts(with: label.utf8)
    }
}
