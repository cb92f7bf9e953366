// SPDX-License-Identifier: Apache-2.0

import DataProtection
public import Files

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension FileLocation {
    /// The path of a file URL. Throws `.invalidArgument` for any other URL.
    public init(_ url: URL) throws(ProtectedFileError) {
        guard url.isFileURL else {
            throw ProtectedFileError(.invalidArgument, "\(url.scheme ?? "this") is not a scheme of files")
        }
        self.init(bytes: Self.path(of: url))
    }

    // Decodes the percent-encoded path, so that bytes that are not UTF-8 stay unchanged.
    private static func path(of url: URL) -> [UInt8] {
        let encoded = Array(url.path(percentEncoded: true).utf8)
        var bytes: [UInt8] = []
        var position = 0
        while position < encoded.count {
            if encoded[position] == UInt8(ascii: "%"), position + 2 < encoded.count,
                let byte = UInt8(String(decoding: encoded[position + 1...position + 2], as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                position += 3
            } else {
                bytes.append(encoded[position])
                position += 1
            }
        }
        return bytes
    }
}

/// Foundation's API. An unsupported option throws and is never ignored.
extension ProtectedFileStore {
    /// Like `Data.write(to:options:)`, including its protection options. Without one the folder's default class is
    /// used, otherwise the store's. Always atomic.
    public func write(
        _ data: Data, to url: URL, options: Data.WritingOptions = []
    ) throws(ProtectedFileError) {
        let protection = try Self.protection(of: options)
        let path = try FileLocation(url)
        var own: WritingOptions = []
        if options.contains(.withoutOverwriting) { own.insert(.withoutOverwriting) }
        try write(Array(data), to: path, protection: protection, options: own)
    }

    /// Like `write(_:to:options:)` with a class of `FileProtectionType`.
    public func write(_ data: Data, to url: URL, protection: FileProtectionType) throws(ProtectedFileError) {
        try write(Array(data), to: try FileLocation(url), protection: try ProtectionClass(protection))
    }

    /// Like `Data(contentsOf:)`.
    public func read(from url: URL) throws(ProtectedFileError) -> Data { Data(try read(from: try FileLocation(url))) }

    /// Like `FileManager.createFile(atPath:contents:attributes:)`. Supports only `.protectionKey`; any other attribute
    /// throws `.unsupported`.
    public func createFile(
        atPath path: String, contents: Data? = nil, attributes: [FileAttributeKey: Any] = [:]
    ) throws(ProtectedFileError) {
        let protection = try Self.protection(of: attributes)
        try write(Array(contents ?? Data()), to: FileLocation(path), protection: protection)
    }

    /// Like `FileManager.setAttributes(_:ofItemAtPath:)`: changes the class of a protected file, protects a plaintext
    /// one, or sets a folder's default class. Supports only `.protectionKey`; any other attribute throws
    /// `.unsupported`. An empty dictionary does nothing.
    public func setAttributes(
        _ attributes: [FileAttributeKey: Any], ofItemAtPath path: String
    ) throws(ProtectedFileError) {
        guard let protection = try Self.protection(of: attributes) else { return }
        let path = FileLocation(path)
        if try isFolder(path) {
            try setDefaultProtection(protection, forFolder: path)
        } else if try self.protection(of: path) == nil {
            try protect(contentsOf: path, protection: protection)
        } else {
            try reclassify(path, to: protection)
        }
    }

    /// Like `FileManager.attributesOfItem(atPath:)`, with only `.protectionKey`, which is absent for a plaintext file.
    public func attributesOfItem(atPath path: String) throws(ProtectedFileError) -> [FileAttributeKey: Any] {
        let path = FileLocation(path)
        let found = try isFolder(path) ? defaultProtection(forFolder: path) : protection(of: path)
        return found.flatMap { FileProtectionType($0) }.map { [.protectionKey: $0] } ?? [:]
    }

    private func isFolder(_ path: FileLocation) throws(ProtectedFileError) -> Bool {
        try reaching(path, following: true) { try OpenFile.status(of: $0, hooks)?.kind == .folder }
    }

    static func protection(of options: Data.WritingOptions) throws(ProtectedFileError) -> ProtectionClass? {
        let known: [(Data.WritingOptions, ProtectionClass)] = [
            (.noFileProtection, .none), (.completeFileProtection, .complete),
            (.completeFileProtectionUnlessOpen, .completeUnlessOpen),
            (.completeFileProtectionUntilFirstUserAuthentication, .completeUntilFirstUserAuthentication),
        ]
        // A field of four bits that has one value at a time, not a set.
        let mask: UInt = 0xF000_0000
        let field = options.rawValue & mask
        let rest = options.subtracting([.atomic, .withoutOverwriting]).rawValue & ~mask
        guard rest == 0 else {
            let bits = String(rest, radix: 16)
            throw ProtectedFileError(.unsupported, "the writing options 0x\(bits) can't be honoured here")
        }
        guard field != 0 else { return nil }
        guard let found = known.first(where: { $0.0.rawValue == field }) else {
            throw ProtectedFileError(
                .unsupported, "the protection option 0x\(String(field, radix: 16)) can't be honoured here"
            )
        }
        return found.1
    }

    private static func protection(
        of attributes: [FileAttributeKey: Any]
    ) throws(ProtectedFileError) -> ProtectionClass? {
        let others = attributes.keys.filter { $0 != .protectionKey }.map(\.rawValue).sorted()
        guard others.isEmpty else {
            let names = others.joined(separator: ", ")
            throw ProtectedFileError(.unsupported, "these attributes can't be honoured here: \(names)")
        }
        switch attributes[.protectionKey] {
        case nil: return nil
        case let type as FileProtectionType: return try ProtectionClass(type)
        case let text as String: return try ProtectionClass(FileProtectionType(rawValue: text))
        default: throw ProtectedFileError(.unsupported, "the value of protectionKey is not a FileProtectionType")
        }
    }
}
