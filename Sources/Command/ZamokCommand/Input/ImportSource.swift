// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import Keychains
import Readers
import SecretMemory
import Statuses

/// The source of an import.
enum ImportSource {
    /// A sealed export in a file.
    case export(String)
    /// Items in a text format.
    case listing(ItemListing)

    /// Whether a passphrase opens the source.
    var isExport: Bool { if case .export = self { true } else { false } }

    /// The maximum size of a text from a pipe, in bytes.
    private static let limit = 256 << 20

    /// Opens the source. `path` may be `-`, standard input. Without a format the first bytes decide. `service` is that
    /// of the variables in an environment file.
    init(_ path: String, _ format: ImportFormat?, service: String = "env", bar: ProgressBar) throws {
        if let foreign = try format.map({ $0.isForeign ? $0 : nil }) ?? ForeignSource.format(path) {
            self = .listing(try ForeignSource.listing(path, format: foreign, service: service, bar: bar))
            return
        }
        guard path != "-" else {
            guard format != .zamok else { throw CommandFailure.usage("an export is read from a file: name it") }
            self = .listing(try Self.listing(.standardInput, format))
            return
        }
        guard !NamedPipe.isPipe(at: path) else {
            let pipe = try NamedFile.open(path)
            self = .listing(try Self.once(pipe.fileDescriptor, format, or: NamedFile.unreadable(path)))
            return
        }
        let file: OpenFile
        let start: [UInt8]?
        do throws(FileError) {
            file = try OpenFile.open(FileLocation(path), mode: .read, hooks: FileHooks())
            start = try file.status().kind == .file ? file.read(count: KeychainExport.magic.count) : nil
        } catch {
            throw NamedFile.unreadable(path)
        }
        if format == .zamok || (format == nil && start == KeychainExport.magic) {
            self = .export(path)
        } else if start != nil {
            self = .listing(
                try ItemListing(form: format?.form) { count, offset in
                    do { return try file.read(count: count, at: offset) } catch { throw Self.unreadable(error) }
                })
        } else {
            // A terminal, or another device.
            let pipe = try NamedFile.open(path)
            self = .listing(try Self.once(pipe.fileDescriptor, format, or: NamedFile.unreadable(path)))
        }
    }

    /// A seekable file is read while items are added, and again if the transaction starts over. Any other source is
    /// read first, so that no transaction waits for the writer of a pipe.
    private static func listing(_ file: FileHandle, _ format: ImportFormat?) throws -> ItemListing {
        // Standard input may be closed or unreadable.
        guard let start = try? file.offset(), (try? file.read(upToCount: 1)) != nil else {
            return try once(file.fileDescriptor, format, or: StandardInput.unreadable)
        }
        return try ItemListing(form: format?.form) { count, offset in
            do {
                try file.seek(toOffset: start + UInt64(offset))
                return try file.read(upToCount: count).map { Array($0) } ?? []
            } catch {
                throw unreadable(error)
            }
        }
    }

    private static func unreadable(_ cause: any Error) -> KeychainError {
        KeychainError(.inputOutput, "the text can't be read any more; nothing was added", cause: cause)
    }

    private static func once(
        _ descriptor: Int32, _ format: ImportFormat?, or failure: CommandFailure
    ) throws -> ItemListing {
        let text = try whole(descriptor, or: failure)
        return try ItemListing(form: format?.form) { count, offset in
            try text.withSecretBytes { try $0.exposingBytes(offset..<min(offset + count, $0.count)) } ?? []
        }
    }

    private static func whole(_ descriptor: Int32, or failure: CommandFailure) throws -> Secret {
        guard let text = try StandardInput.whole(descriptor, limit: limit, or: failure) else {
            throw CommandFailure.status(
                .dataTooLarge, "what comes through a pipe may have 256 MiB; write it to a file and import that")
        }
        return text
    }
}
