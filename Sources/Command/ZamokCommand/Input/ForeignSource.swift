// SPDX-License-Identifier: Apache-2.0

import Credentials
import Files
import Foundation
import Keychains
import Readers
import SecretMemory
import Statuses

/// Files of other password managers. They are read as a whole.
enum ForeignSource {
    /// The maximum size of such a file in bytes.
    private static let limit = 64 << 20

    private static let keePassDatabase: [UInt8] = [0x03, 0xD9, 0xA2, 0x9A]

    /// The format, by the file's name and first bytes; nil: none of these.
    static func format(_ path: String) throws -> ImportFormat? {
        guard path != "-", let status = try? OpenFile.status(of: FileLocation(path), FileHooks()) else { return nil }
        if status.kind == .folder { return .pass }
        let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        if name.hasSuffix(".csv") { return .csv }
        if name == ".env" || name.hasPrefix(".env.") || name.hasSuffix(".env") { return .env }
        guard !NamedPipe.isPipe(at: path),
            let file = try? OpenFile.open(FileLocation(path), mode: .read, hooks: FileHooks()),
            (try? file.status().kind) == .file, let start = try? file.read(count: 4096)
        else { return nil }
        guard !start.starts(with: keePassDatabase) else {
            throw KeychainError(
                .unsupportedFormat,
                "\(path.printable) is KeePass's own database, which is not read; in KeePass or KeePassXC export it as XML, and import that"
            )
        }
        let text = String(decoding: start, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if text.hasPrefix("<?xml") || text.hasPrefix("<KeePassFile") { return .keepass }
        guard text.hasPrefix("{") else { return nil }
        if text.contains("\"exporterRpId\"") { return .cxf }
        return text.contains("\"encrypted\"") ? .bitwarden : nil
    }

    static func listing(_ path: String, format: ImportFormat, service: String, bar: ProgressBar) throws -> ItemListing {
        if format == .pass { return try PassFolder.listing(path, bar: bar) }
        let file = path == "-" ? FileHandle.standardInput : try NamedPipe.open(path)
        let failure = NamedFile.unreadable(path)
        guard let file else { throw failure }
        let read = try withExtendedLifetime(file) {
            try StandardInput.whole($0.fileDescriptor, limit: limit, or: failure)
        }
        guard let read else {
            throw CommandFailure.status(.dataTooLarge, "\(path.printable) is larger than 64 MiB; nothing was added")
        }
        // Its items are parsed one by one, from secret memory.
        if format == .cxf { return try ExchangeText.listing(read) }
        var bytes = try [UInt8](exposing: read)
        defer { for index in bytes.indices { bytes[index] = 0 } }
        return switch format {
        case .bitwarden: try BitwardenText.listing(bytes)
        case .keepass: try KeePassText.listing(bytes)
        case .env: try EnvironmentText.listing(bytes, service: service)
        default: try CSVListing.listing(bytes)
        }
    }
}

/// A folder of `pass`. `gpg` decrypts each file, and its agent asks for the passphrase.
enum PassFolder {
    private static let mostFiles = 100_000
    private static let deepest = 32

    static func listing(_ path: String, bar: ProgressBar) throws -> ItemListing {
        let entries = try entries(path)
        guard !entries.isEmpty else {
            throw CommandFailure.status(.itemNotFound, "\(path.printable) holds no files that end with .gpg")
        }
        guard Programs.isThere("gpg") else {
            throw CommandFailure(
                exitStatus: ExitStatus.noProgram,
                message:
                    "the entries of pass are opened by gpg, which is not here; install it (apt install gpg), or export the folder where it is, as CSV"
            )
        }
        var parts: [ItemListing.Part] = []
        for (number, entry) in entries.enumerated() {
            try Interruption.check()
            bar.update(number, of: entries.count, isSlow: true)
            let file = "\(path)/\(entry.name)"
            let name = entry.name.hasSuffix(".gpg") ? String(entry.name.dropLast(4)) : entry.name
            parts += PassText.parts(
                number + 1, path: name, text: entry.refusal == nil ? try opened(file) : nil,
                reason: entry.refusal ?? "gpg can't open it; try: gpg --decrypt \(file.printable.shellWord)")
        }
        return PassText.listing(parts)
    }

    /// A file in the folder; `refusal`: the reason why it can't be read.
    private struct Entry {
        let name: String
        var refusal: String?
    }

    /// All entries of the folder, except hidden ones, which are git's and pass's own files. Skipped entries have to
    /// be named.
    private static func entries(_ folder: String) throws -> [Entry] {
        guard (try? FileManager.default.contentsOfDirectory(atPath: folder)) != nil else {
            throw CommandFailure.status(.inputOutput, "\(folder.printable) can't be read")
        }
        var found: [Entry] = []
        var pending = [(path: "", level: 0)]
        while let (path, level) = pending.popLast() {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(path)") else {
                found.append(Entry(name: path, refusal: "the folder can't be read"))
                continue
            }
            for name in names where !name.hasPrefix(".") || name.hasSuffix(".gpg") {
                guard found.count < mostFiles, level <= deepest else {
                    throw CommandFailure.status(
                        .dataTooLarge,
                        "\(folder.printable) has more than \(mostFiles) entries, or is deeper than \(deepest) folders")
                }
                let place = path.isEmpty ? name : "\(path)/\(name)"
                let type = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(place)")[.type]
                switch type as? FileAttributeType {
                case .typeDirectory: pending.append((place, level + 1))
                case .typeRegular where name.hasSuffix(".gpg"): found.append(Entry(name: place))
                case .typeRegular: found.append(Entry(name: place, refusal: "it is no file that gpg sealed"))
                case .typeSymbolicLink:
                    found.append(Entry(name: place, refusal: "it is a link; import what it leads to"))
                // Reading a pipe would block.
                default: found.append(Entry(name: place, refusal: "it is not a regular file"))
                }
            }
        }
        return found.sorted { $0.name < $1.name }
    }

    /// `nil`: `gpg` refuses the file.
    private static func opened(_ path: String) throws -> [UInt8]? {
        let gpg = Process()
        gpg.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        gpg.arguments = ["gpg", "--quiet", "--batch", "--decrypt", "--", path]
        let output = Pipe()
        gpg.standardOutput = output
        gpg.standardError = FileHandle.nullDevice
        do { try gpg.run() } catch {
            throw CommandFailure(exitStatus: ExitStatus.notStarted, message: "gpg can't be started")
        }
        let text = try? StandardInput.whole(
            output.fileHandleForReading.fileDescriptor, limit: 1 << 20, or: StandardInput.unreadable)
        if text == nil { gpg.terminate() }
        gpg.waitUntilExit()
        guard let text, gpg.terminationStatus == 0 else { return nil }
        return try [UInt8](exposing: text)
    }
}
