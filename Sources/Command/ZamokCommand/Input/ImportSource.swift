// SPDX-License-Identifier: Apache-2.0

import Files
import Keychains
import Readers
import SecretMemory
import Statuses

/// What is to be imported.
enum ImportSource {
    /// A sealed export in a file.
    case export(String)
    /// Items written down as text.
    case listing(ItemListing)

    /// Bytes that a text may have.
    private static let limit = 256 << 20

    /// `path` may be `-`, standard input. Without a format the first bytes tell.
    init(_ path: String, _ format: ImportFormat?) throws {
        guard path != "-" else {
            guard format != .zamok else { throw CommandFailure.usage("an export is read from a file: name it") }
            self = .listing(try ItemListing(try Self.whole(0), form: format?.form))
            return
        }
        let (file, start): (OpenFile, [UInt8])
        do throws(FileError) {
            file = try OpenFile.open(FileLocation(path), .read, FileHooks())
            start = try file.read(count: KeychainExport.magic.count)
        } catch {
            throw CommandFailure.usage("\(path.printable) can't be read")
        }
        if format == .zamok || (format == nil && start == KeychainExport.magic) {
            self = .export(path)
        } else {
            self = .listing(try ItemListing(try Self.whole(file.number), form: format?.form))
        }
    }

    private static func whole(_ descriptor: Int32) throws -> Secret {
        do {
            guard let text = try Secret.read(from: descriptor, limit: limit) else {
                throw CommandFailure.status(.dataTooLarge, "the text is larger than 256 MiB; split it")
            }
            return text
        } catch let error as SecretMemoryError where error.code == .unreadable {
            throw StandardInput.unreadable
        }
    }
}
