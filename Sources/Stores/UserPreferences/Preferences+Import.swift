// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
public import Foundation
import Readers
import Sealing

/// The source of an import.
public enum PreferencesSource: Sendable {
    /// A domain of UserDefaults: a suite's name or a bundle identifier. On Linux its file is read: values that this
    /// process has set are in it after `synchronize()`.
    case userDefaults(suiteName: String)
    /// A property list (XML or binary), or a keyed archive as the classic recipe writes it.
    case file(path: String)
}

/// The result of an import.
public struct PreferencesImport: Sendable, Equatable {
    /// A key that was left out.
    public struct Rejected: Sendable, Equatable {
        /// The key.
        public let key: String
        /// The class of the value, if it is not a property-list type.
        public let className: String?
        /// Why the value can't be stored, as text.
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
    /// Keys that already had a value and kept it, when existing values are kept.
    public let kept: [String]
    /// Keys that were left out.
    public let rejected: [Rejected]
}

extension Preferences {
    /// Imports all storable preferences in one transaction.
    ///
    /// Classes that no property list has, and names that are empty or longer than 4,096 bytes, are left out and
    /// reported. So are values over the limits of a preference: 16 MiB, 64 levels, a million values.
    ///
    /// - Parameters:
    ///   - source: A domain of UserDefaults, or a file.
    ///   - replacing: Whether imported values replace existing ones.
    ///   - progress: Called with the number of values that are done and their total, possibly on any thread.
    ///
    /// Errors: `.notReady`, `.unknownFormat` (not a property list, damaged, cyclic, or with an invalid date),
    /// `.tooLarge` (a file of more than 64 MiB, 64 levels or a million values), `.invalidArgument` (not a regular file,
    /// or no such domain), `.io`, `.diskFull`, `.cancelled`. Nothing is changed on an error.
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

    /// Checks that a source is readable, before a home is created for its content. Errors: those of
    /// ``importing(from:replacing:progress:)`` for the source.
    package static func check(_ source: PreferencesSource) throws(PreferencesError) {
        do { _ = try content(of: source) } catch { throw PreferencesError(error) }
    }

    fileprivate typealias Content = (values: [String: PropertyValue], rejected: [PreferencesImport.Rejected])

    private static func content(of source: PreferencesSource) throws -> Content {
        switch source {
        case .file(let path):
            return try list(of: try bytes(of: path))
        case .userDefaults(let suite):
            let domain = try Self.domain(suite)
            guard !domain.values.isEmpty || !domain.rejected.isEmpty else {
                throw PreferencesError(.invalidArgument, "there is no domain of that name, or it is empty")
            }
            return domain
        }
    }

    /// The values of a property list.
    fileprivate static func list(of bytes: [UInt8]) throws -> Content {
        let entries: PropertyListReader.Content
        do throws(ReadingError) { entries = try PropertyListReader.read(bytes) } catch {
            let isOtherText = bytes.first == UInt8(ascii: "<") && String(validUTF8: bytes) == nil
            guard error.code == .malformed, isOtherText else { throw error }
            throw PreferencesError(
                .unknownFormat, "the file can't be imported: \(PreferencesError.otherEncoding)", cause: error)
        }
        return (entries.values, entries.rejections.map { .init(key: $0.key, className: $0.type) })
    }

    /// Reads a regular file, and refuses pipes and devices. Opening a pipe doesn't block.
    fileprivate static func bytes(of path: String) throws -> [UInt8] {
        do {
            let file = try OpenFile.open(FileLocation(path), mode: .read, hooks: FileHooks())
            let status = try file.status()
            guard status.kind == .file else { throw PreferencesError(.invalidArgument, "that is no file") }
            return try file.read(count: min(status.size, PreferencesSchema.importLimit + 1), at: 0)
        } catch let error as Files.FileError {
            throw PreferencesError(.io, "the file can't be read: \(error.text)", cause: error)
        }
    }

    /// Files that can be imported: property lists and archives in `folder`, the current folder and Library/Preferences.
    public static func importableFiles(in folder: String? = nil) -> [String] {
        let manager = FileManager.default
        let home = URL.homeDirectory.path
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

    /// Writes all preferences to a new property-list file, mode 0600. The file is plaintext: every process that can
    /// read it can read all values.
    ///
    /// Nothing is written if an import could not read it back: XML can't represent some characters, and an import reads
    /// at most 64 MiB.
    ///
    /// Errors: `.fileExists` (never overwritten), `.notReady`, `.corrupt`, `.invalidArgument`, `.diskFull`, `.io`.
    public func exportPropertyList(
        to path: String, format: PropertyListSerialization.PropertyListFormat = .xml
    ) throws(PreferencesError) {
        let values = try store.loadAll()
        guard values.damaged == 0 else {
            throw PreferencesError(.corrupt, "\(values.damaged) preferences are damaged; run: zamok doctor")
        }
        do {
            let bytes = Array(try PropertyValue.propertyList(values.values, format))
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

#if canImport(Darwin)
extension Preferences {
    fileprivate static func domain(_ suite: String) throws -> Content {
        let domain =
            UserDefaults.standard.persistentDomain(forName: suite)
            ?? UserDefaults(suiteName: suite)?.persistentDomain(forName: suite)
        var content: Content = ([:], [])
        for (key, object) in domain ?? [:] {
            if let value = PropertyValue(propertyList: object) {
                content.values[key] = value
            } else {
                content.rejected.append(.init(key: key, className: "\(type(of: object))"))
            }
        }
        return content
    }
}
#else
extension Preferences {
    /// What Foundation has written for the domain, in the folder where it keeps them. Its class would bring all of
    /// Foundation into each program that imports preferences (Decision 0073).
    fileprivate static func domain(_ suite: String) throws -> Content {
        let environment = ProcessInfo.processInfo.environment
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let settings = folder("XDG_CONFIG_HOME") ?? "\(folder("HOME") ?? URL.homeDirectory.path)/.config"
        let path = "\(settings)/\(suite).plist"
        guard !suite.isEmpty, !suite.contains("/"), FileManager.default.fileExists(atPath: path) else {
            return ([:], [])
        }
        return try list(of: try bytes(of: path))
    }
}
#endif

/// A preference in a backup (Documentation/Formats/Export.md, "Records of a backup").
package struct PreferenceRecord {
    package let name: String
    package let value: PropertyValue

    /// The length-prefixed name, then the value.
    package var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.prefixed(Array(name.utf8))
        value.encode(into: &writer)
        return writer.bytes
    }

    /// Decodes a record. Errors: `SealingError.malformed`.
    package init(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        guard let name = String(validUTF8: try reader.prefixed(limit: PreferencesSchema.nameLimit)),
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
    /// All stored preferences, sorted by name, and the number of damaged rows. Errors: as `value(for:)`.
    package func records() throws(PreferencesError) -> (records: [PreferenceRecord], damaged: Int) {
        let all = try store.loadAll()
        let sorted = all.values.sorted { $0.key < $1.key }
        return (sorted.map { PreferenceRecord($0.key, $0.value) }, all.damaged)
    }

    /// Sets the preferences of a backup in one transaction. Errors: as `update`.
    package func set(_ records: [PreferenceRecord]) throws(PreferencesError) {
        try write(records.map { ($0.name, $0.value) })
    }
}
