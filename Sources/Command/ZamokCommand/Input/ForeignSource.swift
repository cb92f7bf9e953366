// SPDX-License-Identifier: Apache-2.0

import Credentials
import Files
import Foundation
import Keychains
import Readers
import SecretMemory
import Statuses

/// What other password managers wrote: read whole, since none of them reads piece by piece.
enum ForeignSource {
    /// Bytes that such a file may have.
    private static let limit = 64 << 20

    private static let keePassDatabase: [UInt8] = [0x03, 0xD9, 0xA2, 0x9A]

    /// Nil: it is none of these, by its name and first bytes.
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
        return text.hasPrefix("{") && text.contains("\"encrypted\"") ? .bitwarden : nil
    }

    static func listing(_ path: String, format: ImportFormat, service: String, bar: ProgressBar) throws -> ItemListing {
        if format == .pass { return try PassFolder.listing(path, bar: bar) }
        let file = path == "-" ? FileHandle.standardInput : try NamedPipe.open(path)
        let failure = CommandFailure.usage("\(path.printable) can't be read; is it a folder?")
        guard let file else { throw failure }
        let read = try withExtendedLifetime(file) {
            try StandardInput.whole($0.fileDescriptor, limit: limit, or: failure)
        }
        guard let read else {
            throw CommandFailure.status(.dataTooLarge, "\(path.printable) is larger than 64 MiB; nothing was added")
        }
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

/// A folder of `pass`, opened by gpg, file by file: its agent asks for the passphrase.
enum PassFolder {
    private static let mostFiles = 100_000
    private static let deepest = 32

    static func listing(_ path: String, bar: ProgressBar) throws -> ItemListing {
        let names = try names(path)
        guard !names.isEmpty else {
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
        for (number, name) in names.enumerated() {
            try Interruption.check()
            bar.update(number, of: names.count, isSlow: true)
            let text = try opened("\(path)/\(name)")
            parts += PassText.parts(
                number + 1, path: String(name.dropLast(4)), text: text,
                reason: "gpg can't open it; try: gpg --decrypt \(path.printable)/\(name.printable)")
        }
        return PassText.listing(parts)
    }

    private static func names(_ folder: String) throws -> [String] {
        guard let walk = FileManager.default.enumerator(atPath: folder) else {
            throw CommandFailure.usage("\(folder.printable) can't be read")
        }
        var names: [String] = []
        while let name = walk.nextObject() as? String {
            guard names.count < mostFiles, walk.level <= deepest else {
                throw CommandFailure.status(
                    .dataTooLarge,
                    "\(folder.printable) has more than \(mostFiles) entries, or is deeper than \(deepest) folders")
            }
            if name.hasPrefix(".git/") || name == ".git" { walk.skipDescendants() }
            // A pipe would be waited for.
            let isFile = walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular
            if name.hasSuffix(".gpg"), isFile { names.append(name) }
        }
        return names.sorted()
    }

    /// Nil: gpg refuses.
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
