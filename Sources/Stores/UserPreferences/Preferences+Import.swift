// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
public import Foundation
import Readers
import Sealing

/// Where preferences are imported from.
public enum PreferencesSource: Sendable {
    /// A domain of UserDefaults: a suite's name or a bundle identifier.
    case userDefaults(suiteName: String)
    /// A property list (XML or binary), or a keyed archive as the classic recipe writes it.
    case file(path: String)
}

/// What an import did.
public struct PreferencesImport: Sendable, Equatable {
    /// A key that was left out.
    public struct Rejected: Sendable, Equatable {
        /// The key.
        public let key: String
        /// The class that it held, where that is no property-list type.
        public let className: String?
        /// Why it can't be stored, in words.
        public let reason: String

        init(key: String, className: String) {
            self.key = key
            self.className = className
            reason = "of the class \(className)"
        }

        init(key: String, _ refusal: PreferencesError) {
            self.key = key
            className = nil
            reason = refusal.message
        }
    }
    /// Keys that were set.
    public let imported: [String]
    /// Keys that were there already and stayed as they are, when existing ones are kept.
    public let kept: [String]
    /// Keys that were left out.
    public let rejected: [Rejected]
}

extension Preferences {
    /// Imports preferences in one transaction: all that can be stored. Classes that no property list has, names without a byte or with more
    /// than 4,096, and values of more than 16 MiB are left out and reported.
    ///
    /// - Parameters:
    ///   - source: A domain of UserDefaults, or a file.
    ///   - replacing: Whether keys that have a value get the imported one.
    ///   - progress: Gets how many of how many were read; may be called on any thread.
    ///
    /// Errors: `.notReady`, `.invalidArgument` (not a property list, damaged, too large, cyclic, a date that is none), `.io`, `.diskFull`, `.cancelled`; nothing was
    /// changed then.
    public func importing(
        from source: PreferencesSource, replacing: Bool = true,
        progress: @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) async throws(PreferencesError) -> PreferencesImport {
        do {
            let content = try Self.content(of: source)
            try Task.checkCancellation()
            let existing = try store.loadAll().values
            var changes: [(name: String, value: PropertyValue?)] = []
            var kept: [String] = []
            var rejected = content.rejected
            for (name, value) in content.values.sorted(by: { $0.key < $1.key }) {
                try Task.checkCancellation()
                if !replacing, existing[name] != nil {
                    kept.append(name)
                } else if let refusal = Self.refusal(of: value, name) {
                    rejected.append(.init(key: name, refusal))
                } else {
                    changes.append((name, value))
                }
                progress(changes.count + kept.count, content.values.count)
            }
            try write(changes)
            return PreferencesImport(
                imported: changes.map(\.name), kept: kept, rejected: rejected)
        } catch {
            throw PreferencesError(error)
        }
    }

    /// Whether a source can be read at all: asked before a home is made for what is in it. Errors: those of ``importing(from:replacing:progress:)`` for the source.
    package static func check(_ source: PreferencesSource) throws(PreferencesError) {
        do { _ = try content(of: source) } catch { throw PreferencesError(error) }
    }

    private typealias Content = (values: [String: PropertyValue], rejected: [PreferencesImport.Rejected])

    private static func content(of source: PreferencesSource) throws -> Content {
        switch source {
        case .file(let path):
            let bytes = try bytes(of: path)
            let entries: PropertyListReader.Content
            do throws(ReadingError) { entries = try PropertyListReader.read(bytes) } catch {
                let isOtherText = bytes.first == UInt8(ascii: "<") && String(validating: bytes, as: UTF8.self) == nil
                guard error.code == .malformed, isOtherText else { throw error }
                throw PreferencesError(
                    .unknownFormat, "the file can't be imported: \(PreferencesError.otherEncoding)", cause: error)
            }
            return (entries.values, entries.rejections.map { .init(key: $0.key, className: $0.type) })
        case .userDefaults(let suite):
            let domain =
                UserDefaults.standard.persistentDomain(forName: suite)
                ?? UserDefaults(suiteName: suite)?.persistentDomain(forName: suite)
            // Foundation on Linux returns an empty one for a domain that does not exist.
            guard let domain, !domain.isEmpty else {
                throw PreferencesError(.invalidArgument, "there is no domain of that name, or it is empty")
            }
            var content: Content = ([:], [])
            for (key, object) in domain {
                if let value = PropertyValue(propertyList: object) {
                    content.values[key] = value
                } else {
                    content.rejected.append(.init(key: key, className: "\(type(of: object))"))
                }
            }
            return content
        }
    }

    /// Refuses pipes and devices, and opens the file so that a pipe doesn't keep it waiting.
    private static func bytes(of path: String) throws -> [UInt8] {
        do {
            let file = try OpenFile.open(FileLocation(path), mode: .read, hooks: FileHooks())
            let status = try file.status()
            guard status.kind == .file else { throw PreferencesError(.invalidArgument, "that is no file") }
            return try file.read(count: min(status.size, PreferencesSchema.importLimit + 1), at: 0)
        } catch let error as Files.FileError {
            throw PreferencesError(.io, "the file can't be read: \(error.text)", cause: error)
        }
    }

    /// Files that look like the classic recipe's: property lists and archives in `folder`, the current folder and Library/Preferences.
    public static func importableFiles(in folder: String? = nil) -> [String] {
        let manager = FileManager.default
        let home = manager.homeDirectoryForCurrentUser.path
        let folders = [folder, manager.currentDirectoryPath, "\(home)/Library/Preferences"].compactMap { $0 }
        var found: [String] = []
        for folder in folders {
            let names = (try? FileHooks().names(in: FileLocation(folder))) ?? []
            for name in names.map({ String(decoding: $0, as: UTF8.self) }) where name.hasSuffix(".plist") {
                let path = "\(folder)/\(name)"
                if let bytes = try? bytes(of: path), (try? PropertyListReader.read(bytes)) != nil { found.append(path) }
            }
        }
        return found
    }

    /// Writes all preferences to a new property-list file, mode 0600. The file is plaintext: whoever reads it reads everything.
    ///
    /// What could not be read again is not written: XML has no form for some characters, and an import reads at most 64 MiB.
    ///
    /// Errors: `.fileExists` (never written over), `.notReady`, `.corrupt`, `.invalidArgument`, `.io`.
    public func exportPropertyList(
        to path: String, format: PropertyListSerialization.PropertyListFormat = .xml
    ) throws(PreferencesError) {
        let values = try store.loadAll()
        guard values.damaged == 0 else {
            throw PreferencesError(.corrupt, "\(values.damaged) preferences are damaged; run: zamok doctor")
        }
        do {
            let list = values.values.mapValues(\.propertyList)
            let bytes = Array(try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0))
            guard bytes.count <= PreferencesSchema.importLimit, (try? PropertyListReader.read(bytes)) != nil else {
                throw PreferencesError(
                    .invalidArgument,
                    "nothing was written: in this format it could not be read again, for a character that XML has no form for or more than 64 MiB; for binary property lists: --format binary"
                )
            }
            try PlaintextFile.create(path, bytes)
        } catch {
            throw PreferencesError(error)
        }
    }
}

/// A preference as a backup holds it (Documentation/Formats/Export.md, "Records of a backup").
package struct PreferenceRecord {
    package let name: String
    package let value: PropertyValue

    /// The name with its length, and the value.
    package var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.prefixed(Array(name.utf8))
        value.encode(into: &writer)
        return writer.bytes
    }

    /// Throws `SealingError.malformed`.
    package init(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        guard let name = String(validating: try reader.prefixed(limit: PreferencesSchema.nameLimit), as: UTF8.self),
            !name.isEmpty
        else { throw SealingError.malformed }
        self.name = name
        value = try PropertyValue.decode(from: &reader)
        try reader.end()
    }

    fileprivate init(_ name: String, _ value: PropertyValue) {
        self.name = name
        self.value = value
    }
}

extension Preferences {
    /// Everything that is stored, in order of names, and how many rows are damaged. Errors: as `value(for:)`.
    package func records() throws(PreferencesError) -> (records: [PreferenceRecord], damaged: Int) {
        let all = try store.loadAll()
        let sorted = all.values.sorted { $0.key < $1.key }
        return (sorted.map { PreferenceRecord($0.key, $0.value) }, all.damaged)
    }

    /// Sets what a backup holds, in one transaction. Errors: as `update`.
    package func set(_ records: [PreferenceRecord]) throws(PreferencesError) {
        try write(records.map { ($0.name, $0.value) })
    }
}
