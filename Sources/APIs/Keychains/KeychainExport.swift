// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import Files
public import KeychainEngine
public import SecretMemory

/// A file of keychain items under a passphrase, for moving them to another home (Documentation/Formats/Export.md).
///
/// Items that are bound to this device, that require the user, that are locked or damaged, or whose key is missing are
/// left out. The result counts them.
public enum KeychainExport {
    /// The first bytes of an export file.
    public static let magic = ExportHeader.magic

    /// Writes all items that the program has access to, to a new file of mode 0600. When this returns, the file is
    /// complete and durable. If it throws, there is no file.
    ///
    /// - Parameters:
    ///   - home: The home whose keychain is exported, in its state at one moment.
    ///   - path: The file, which must not exist yet.
    ///   - passphrase: At least 8 characters. It can be guessed offline, so choose a long one.
    ///   - progress: The number of items seen so far, and the total.
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

    /// Adds the items of an export file in one transaction, after opening and reading all of it once. It adds all that
    /// can be added, or none.
    ///
    /// Stored items of the same identity stay unchanged. Those that differ from the file are counted as
    /// `KeychainTransfer.Reason.different`. `cdat` and `mdat` are kept. Persistent references are new.
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

    /// Like the public method, with the options of the command's import.
    package static func read(
        from path: String, into home: Home, passphrase: borrowing SecretBytes, as manner: ImportManner,
        notes: ImportNotes, progress: (_ done: Int, _ total: Int) -> Void
    ) throws(KeychainError) -> KeychainTransfer {
        let source = try FileSource(at: path)
        return try ItemStore.of(home).import(
            home, passphrase: passphrase, from: source, isTrial: manner.isTrial, twins: manner.twins,
            told: { notes.take($0, $1, line: nil) }, restart: { notes.clear() }, progress: progress)
    }
}

extension Keychain {
    /// Adds many items in one transaction: all that can be added, or none.
    ///
    /// Items that exist already or break a rule are left out and counted. They count as
    /// `KeychainTransfer.Reason.duplicate` only if the stored one has the same secret and attributes.
    ///
    /// - Parameters:
    ///   - items: The items to add.
    ///   - progress: The number of items seen so far.
    ///
    /// Errors: `.locked`, `.notAvailable`, `.diskFull` and others that affect all items.
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

/// An export that is being written. It has no name until it has been read back.
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

    /// Gives the file its name, durably. Never replaces another file.
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
