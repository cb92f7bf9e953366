// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import Files
public import KeychainEngine
public import SecretMemory

/// A file of keychain items under a passphrase, for moving them to another home (Documentation/Formats/Export.md).
///
/// What is bound to this device, asks for the person, is locked, damaged or without its key is left out, and is counted in
/// the result.
public enum KeychainExport {
    /// The first bytes of such a file.
    public static let magic = ExportHeader.magic

    /// Writes all items that the program may see to a new file of mode 0600; the file is whole and durable when this
    /// returns, or isn't there.
    ///
    /// - Parameters:
    ///   - home: Its keychain is exported, all of one moment.
    ///   - path: Must not exist yet.
    ///   - passphrase: At least 8 characters. It can be guessed offline: let it be long.
    ///   - progress: Items seen so far, and how many there are.
    ///
    /// Errors: `.parameter` (a short passphrase, a file that exists), `.locked` (before the first unlock), `.diskFull`,
    /// `.inputOutput`.
    public static func write(
        _ home: Home, to path: String, passphrase: borrowing SecretBytes,
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(KeychainError) -> KeychainTransfer {
        let file = try ExportFile(at: path)
        let transfer = try ItemStore.of(home).export(
            home, passphrase: passphrase, progress: progress, to: { try file.write($0) }, readingBack: file)
        try file.finish()
        return transfer
    }

    /// Adds the items of such a file in one transaction, after all of it was opened and read once: all that can be
    /// added, or none. Stored items of the same identity stay, and those that differ from them are counted as
    /// `KeychainTransfer.Reason.different`; `cdat` and `mdat` come along, persistent references are new.
    ///
    /// Errors: `.unknownFormat`, `.unsupportedFormat` (newer), `.authenticationFailed` (wrong passphrase), `.damaged`
    /// (nothing was added), `.locked` (unlock first), `.inputOutput`, `.diskFull`.
    public static func read(
        from path: String, into home: Home, passphrase: borrowing SecretBytes,
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(KeychainError) -> KeychainTransfer {
        let source = try FileSource(at: path)
        return try ItemStore.of(home).import(home, passphrase: passphrase, from: source, progress: progress)
    }

    /// The same, as an import of the command does it.
    package static func read(
        from path: String, into home: Home, passphrase: borrowing SecretBytes, as manner: ImportManner,
        notes: ImportNotes, progress: (_ done: Int, _ total: Int) -> Void
    ) throws(KeychainError) -> KeychainTransfer {
        let source = try FileSource(at: path)
        return try ItemStore.of(home).import(
            home, passphrase: passphrase, from: source, isTrial: manner.isTrial, twins: manner.twins,
            told: { notes.take(ItemRecord($0), $1, line: nil) }, restart: { notes.clear() }, progress: progress)
    }
}

extension Keychain {
    /// Adds many items in one transaction: all that can be added, or none. Those that exist already or break a rule are
    /// left out and counted: as `KeychainTransfer.Reason.duplicate` only if the stored one has the same secret and
    /// attributes.
    ///
    /// - Parameters:
    ///   - items: What to add.
    ///   - progress: Items seen so far.
    ///
    /// Errors: `.locked`, `.notAvailable`, `.diskFull` and others that concern all of them.
    public func add<Item: KeychainItem>(
        contentsOf items: some Collection<Item>, progress: (_ done: Int) -> Void = { _ in }
    ) throws(KeychainError) -> KeychainTransfer {
        var position = items.startIndex
        return try store.addMany(
            restart: { position = items.startIndex },
            next: {
                guard position < items.endIndex else { return nil }
                defer { position = items.index(after: position) }
                return completed(items[position])
            },
            progress: progress
        )
    }
}

/// An export in the making. It is read back before it gets its name, and has none until then.
package final class ExportFile: ExportSource {
    private let path: String
    private let file: NewFile
    private var size = 0

    package init(at path: String) throws(KeychainError) {
        self.path = path
        do { file = try NewFile(at: FileLocation(path)) } catch { throw .writing(path, error) }
    }

    package func write(_ bytes: [UInt8]) throws(KeychainError) {
        do { try file.write(bytes, at: size) } catch { throw .writing(path, error) }
        size += bytes.count
    }

    package var count: Int { size }

    package func read(_ count: Int, at offset: Int) throws -> [UInt8] { try file.read(count: count, at: offset) }

    /// Gives the file its name, durably; never replaces another one.
    package func finish() throws(KeychainError) {
        do { try file.finish() } catch { throw .writing(path, error) }
    }
}

extension KeychainError {
    fileprivate static func writing(_ path: String, _ error: FileError) -> KeychainError {
        if error.isPresentAlready {
            return KeychainError(
                .duplicateItem, "\(path): there is a file of that name already; nothing was written", cause: error)
        }
        return error.isFull
            ? KeychainError(.diskFull, "the disk is full; \(path) was not written", cause: error)
            : KeychainError(.inputOutput, "\(path) can't be written: \(error.text)", cause: error)
    }
}

/// A file that is read in pieces.
package struct FileSource: ExportSource {
    private let file: OpenFile

    package init(at path: String) throws(KeychainError) {
        do { file = try OpenFile.open(FileLocation(path), mode: .read, hooks: FileHooks()) } catch {
            guard !error.isMissing else {
                throw KeychainError(.itemNotFound, "\(path): there is no such file", cause: error)
            }
            throw KeychainError(.inputOutput, "\(path) can't be read", cause: error)
        }
        guard (try? file.status())?.kind == .file else {
            throw KeychainError(.inputOutput, "\(path) can't be read: it is no file")
        }
    }

    package var count: Int { get throws { try file.status().size } }

    package func read(_ count: Int, at offset: Int) throws -> [UInt8] { try file.read(count: count, at: offset) }
}
