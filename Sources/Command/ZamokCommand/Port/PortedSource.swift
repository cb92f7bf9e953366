// SPDX-License-Identifier: Apache-2.0

/// One file, word by word. Comments, string literals and what is not compiled on Linux are ignored.
struct PortedSource {
    private(set) var needs: [(line: Int, what: String)] = []
    /// Whether it calls Security without importing it, or anything that re-exports it.
    private(set) var callsSecurityUnseen = false
    private(set) var exportsSecurity = false

    init(_ text: String) {
        var calls = false
        var imports: Set<String> = []
        var told: Set<String> = []
        for (index, line) in PortedLines(text).lines.enumerated() {
            let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "@" || $0 == ".") }.map(
                String.init)
            if let at = words.firstIndex(of: "import"), at + 1 < words.count {
                let module = String(words[words.count - 1].prefix { $0 != "." })
                imports.insert(module)
                if module == "Security", words.contains("@_exported") { exportsSecurity = true }
                if let what = Self.modules[module] { needs.append((index + 1, what)) }
                continue
            }
            for word in words {
                let name = String(word.prefix { $0 != "." })
                if Self.isOfSecurity(name) { calls = true }
                guard let what = Self.need(of: name), told.insert(name).inserted else { continue }
                needs.append((index + 1, what))
            }
        }
        callsSecurityUnseen = calls && imports.isDisjoint(with: ["Security", "LocalAuthentication", "SecItem"])
    }

    /// Modules that Linux doesn't have, and what a file that imports one is told.
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

    private static func isOfSecurity(_ name: String) -> Bool {
        [
            "kSec", "errSec", "SecItem", "SecKey", "SecCertificate", "SecIdentity", "SecTrust", "SecPolicy",
            "SecAccess", "SecRandom", "SecCopy",
        ]
        .contains { name.hasPrefix($0) } || ["OSStatus", "CFTypeRef", "CFDictionary", "kCFBooleanTrue"].contains(name)
    }

    /// Names that are not declared here, by how they begin, and why.
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

    /// Types whose names alone are declared.
    private static let declared: Set = ["SecKeychain", "SecKeychainItem"]

    private static func need(of name: String) -> String? {
        if name == "@objc" || name == "@objcMembers" {
            return "\(name): there is no Objective-C here; leave it out, or under #if canImport(ObjectiveC)"
        }
        if name == "NSMapTable" || name == "NSHashTable" { return "\(name): not in Foundation here; use a dictionary" }
        guard !declared.contains(name), let found = missing.first(where: { name.hasPrefix($0.prefix) }) else {
            return nil
        }
        return "\(name): \(found.why)"
    }
}
