// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import KeychainEngine
public import SecretMemory

/// A file of keychain items under a passphrase, for moving them to another home (Documentation/Formats/Export.md).
///
/// What is bound to this device, asks for the person, is locked, damaged or without its key stays, and is counted in
/// the answer.
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
    /// added, or none. Stored items of the same identity stay; `cdat` and `mdat` come along, persistent references are
    /// new.
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
}

extension Keychain {
    /// Adds many items in one transaction: all that can be added, or none. Those that exist already or break a rule are
    /// left out and counted.
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
