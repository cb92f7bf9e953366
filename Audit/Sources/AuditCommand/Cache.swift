// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Crypto
import Findings
import Foundation

/// What the last audit of a folder found. Rules join the content of many files, so a change in one can change any finding: it is used when every file
/// holds what it held, and the program, its options and the configuration are the same.
enum Cache {
    private struct Entry: Codable {
        var key: String
        var result: RawResult
        /// What the settings of projects are made of beside the files of the folder, with a digest of each; nil for one that isn't there.
        var settings: [String: String?]
    }

    static func result(_ settings: Settings, _ contents: Contents) -> RawResult? {
        let file = file(settings)
        // What others could have written isn't believed.
        guard settings.usesCache, Disk.isOwn(file.deletingLastPathComponent().path), Disk.isOwn(file.path),
            let data = FileManager.default.contents(atPath: file.path),
            let entry = try? JSONDecoder().decode(Entry.self, from: data), entry.key == key(settings, contents),
            entry.settings.allSatisfy({ digest(of: $0.key) == $0.value })
        else { return nil }
        return entry.result
    }

    /// Without a word where it can't be written: the next audit takes a second more.
    static func keep(
        _ result: RawResult, _ signing: [SigningFile], _ settings: Settings, _ contents: Contents
    ) {
        // What a project is made of isn't known where its settings could not be read.
        guard settings.usesCache, signing.allSatisfy({ $0.problem == nil }) else { return }
        let digests = Dictionary(signing.flatMap(\.files).map { ($0, digest(of: $0)) }) { first, _ in first }
        guard
            let data = try? JSONEncoder().encode(
                Entry(key: key(settings, contents), result: result, settings: digests))
        else { return }
        let file = file(settings)
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try? data.write(to: file, options: .atomic)
    }

    /// Nil where there is no such file, or none that settings are read from.
    private static func digest(of path: String) -> String? {
        Disk.bytes(of: path, most: 8 << 20).map { hexadecimal(SHA256.hash(data: $0)) }
    }

    private static func file(_ settings: Settings) -> URL {
        let name = hexadecimal(SHA256.hash(data: Array(settings.absoluteRoot.utf8)).prefix(16))
        return folder(settings).appending(path: "\(name).json")
    }

    private static func folder(_ settings: Settings) -> URL {
        if let given = settings.cacheFolder { return URL(fileURLWithPath: given) }
        // XDG: a path that is not absolute is no path.
        let given = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let caches = given ?? FileManager.default.homeDirectoryForCurrentUser.path + "/.cache"
        return URL(fileURLWithPath: caches + "/zamok-audit")
    }

    private static func key(_ settings: Settings, _ contents: Contents) -> String {
        var hash = SHA256()
        hash.update(data: Array(program.utf8))
        hash.update(
            data: Array(
                "\(settings.options.includeThirdParty) \(settings.options.includeTests) \(settings.options.largestFile)"
                    .utf8))
        hash.update(data: SHA256.hash(data: settings.configurationText).withBytes)
        hash.update(data: contents.digest)
        return hexadecimal(hash.finalize())
    }

    /// Which program this is: another build can know other rules.
    private static let program: String = {
        let path = Bundle.main.executablePath ?? ""
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let size = attributes?[.size] as? Int ?? 0
        let date = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return "\(Version.text) \(size) \(date)"
    }()

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension SHA256Digest {
    fileprivate var withBytes: [UInt8] { Array(self) }
}
