// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// What a package for Apple's systems lacks for Linux: its files, read as text, and what each of them needs.
struct PortedPackage {
    /// One thing that a file needs.
    struct Need: Equatable {
        let path: String
        /// 0: the file as a whole.
        let line: Int
        let what: String
    }

    private(set) var needs: [Need] = []
    /// Folders of targets with files that call Security and import Foundation alone; each needs one line.
    private(set) var targetsWithoutLine: [String] = []
    private(set) var fileCount = 0
    /// Files that could not be read.
    private(set) var unreadable: [String] = []

    /// Files of sources that are read; more are some other folder.
    private static let fileLimit = 50_000
    private static let sizeLimit = 4 << 20
    private static let passedOver: Set = [".build", ".git", "Pods", "Carthage", "DerivedData", "node_modules"]

    static let line = "@_exported import Security"

    /// `root`: a folder. Throws if it is not one.
    init(_ root: String) throws {
        let files = try Self.sources(below: root)
        var targets: [String: (needsLine: Bool, hasLine: Bool)] = [:]
        for path in files {
            guard let data = FileManager.default.contents(atPath: root + "/" + path), data.count <= Self.sizeLimit,
                let text = String(data: data, encoding: .utf8)
            else {
                unreadable.append(path)
                continue
            }
            fileCount += 1
            let source = PortedSource(text)
            needs += source.needs.map { Need(path: path, line: $0.line, what: $0.what) }
            var target = targets[Self.target(of: path)] ?? (false, false)
            target.needsLine = target.needsLine || source.callsSecurityUnseen
            target.hasLine = target.hasLine || source.exportsSecurity
            targets[Self.target(of: path)] = target
        }
        targetsWithoutLine = targets.filter { $0.value.needsLine && !$0.value.hasLine }.keys.sorted()
    }

    private static func sources(below root: String) throws -> [String] {
        let values = try? URL(fileURLWithPath: root).resourceValues(forKeys: [.isDirectoryKey])
        guard values?.isDirectory == true, let all = FileManager.default.enumerator(atPath: root) else {
            throw CommandFailure(exitStatus: ExitStatus.notRun, message: "\(root.printable) is not a folder")
        }
        var found: [String] = []
        while let path = all.nextObject() as? String {
            if passedOver.contains((path as NSString).lastPathComponent) { all.skipDescendants() }
            if path.hasSuffix(".swift") { found.append(path) }
            guard found.count <= fileLimit else {
                throw CommandFailure(
                    exitStatus: ExitStatus.notRun,
                    message: "there are more than \(fileLimit) Swift files; name one package")
            }
        }
        return found.sorted()
    }

    /// `Sources/NAME` or `Tests/NAME`; otherwise the first folder, or the root.
    private static func target(of path: String) -> String {
        let folders = path.split(separator: "/").dropLast().map(String.init)
        guard let first = folders.first else { return "." }
        return ["Sources", "Tests"].contains(first) ? folders.prefix(2).joined(separator: "/") : first
    }

    /// Writes a file with the line into each target that needs it; returns their paths. Nothing is overwritten.
    func writeLines(_ root: String) throws -> [String] {
        try targetsWithoutLine.map { target in
            let path = (target == "." ? "" : target + "/") + "Security+Exported.swift"
            let text = "// On Apple's systems Foundation brings Security with it; here this line does.\n\(Self.line)\n"
            do {
                try Data(text.utf8).write(to: URL(fileURLWithPath: root + "/" + path), options: .withoutOverwriting)
            } catch {
                throw CommandFailure(
                    exitStatus: ExitStatus.notRun,
                    message: "\(path.printable) could not be written, or is there already")
            }
            return path
        }
    }
}

/// One file, word by word. Comments and string literals are ignored.
struct PortedSource {
    private(set) var needs: [(line: Int, what: String)] = []
    /// Whether it calls Security without importing it, or anything that re-exports it.
    private(set) var callsSecurityUnseen = false
    private(set) var exportsSecurity = false

    init(_ text: String) {
        var calls = false
        var imports: Set<String> = []
        var told: Set<String> = []
        for (index, line) in Self.withoutComments(text).enumerated() {
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

    private static let modules = [
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

    /// Its lines, without comments and without the content of string literals.
    private static func withoutComments(_ text: String) -> [String] {
        var depth = 0
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var kept = ""
            var isText = false
            var rest = line[...]
            while let character = rest.first {
                if depth > 0 {
                    if rest.hasPrefix("*/") { depth -= 1 } else if rest.hasPrefix("/*") { depth += 1 }
                    rest = rest.dropFirst(rest.hasPrefix("*/") || rest.hasPrefix("/*") ? 2 : 1)
                } else if !isText, rest.hasPrefix("//") {
                    return kept
                } else if !isText, rest.hasPrefix("/*") {
                    depth = 1
                    rest = rest.dropFirst(2)
                } else {
                    if character == "\"" { isText.toggle() } else if !isText { kept.append(character) }
                    rest = rest.dropFirst(character == "\\" && isText ? 2 : 1)
                }
            }
            return kept
        }
    }
}
