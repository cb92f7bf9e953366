// SPDX-License-Identifier: Apache-2.0

import Files

/// A file whose content was read, to be replaced by a file made from it: exactly this file, as it was then.
struct ReadFile {
    private let held: HeldFile
    var file: OpenFile { held.file }
    var status: FileStatus { held.status }
    /// Of a protected file.
    let identifier: [UInt8]

    /// Its further names, which are to be replaced with it.
    private let others: ArraySlice<FileLocation>

    /// Called before its first byte is read. `names`: all that are to be replaced; the first is its path.
    init(_ file: OpenFile, _ names: [FileLocation]) throws {
        held = try Self.hold(file)
        identifier = []
        others = names.dropFirst()
        try checkLinks()
    }

    /// For a protected file, whose state goes with this status.
    init(_ sealed: inout SealedFile, _ names: [FileLocation]) throws {
        held = try Self.hold(sealed.file)
        _ = try sealed.reload()
        identifier = sealed.header.temporaryIdentifier
        others = names.dropFirst()
        try checkLinks()
    }

    private static func hold(_ file: OpenFile) throws -> HeldFile {
        if let held = try HeldFile.hold(file) { return held }
        throw ProtectedFileError(
            .busy,
            "\(file.path) is open for writing elsewhere, and what is written there would be lost; close it there and begin again"
        )
    }

    /// Throws if somebody wants to write to it; they wait no longer than until this is called. Called often while it is read.
    func checkUndisturbed() throws {
        guard !held.isUndisturbed else { return }
        held.letGo()
        throw changed
    }

    private var changed: ProtectedFileError {
        ProtectedFileError(.changed, "\(file.path) was changed meanwhile, and is as it was left; begin again")
    }

    private func checkLinks() throws {
        let given = others.count + 1
        guard status.links > given else { return }
        let what =
            given == 1
            ? "\(file.path) has other names (hard links, \(status.links - 1)) under which its content would stay as it is; give all of them, with --all-links"
            : "\(file.path) has \(status.links) names (hard links), of which \(given) were given; under the others its content would stay as it is"
        throw ProtectedFileError(.unsupported, "\(what). To find them: find FOLDER -xdev -inum \(status.inode)")
    }

    /// Replaces it by a whole file, durably. If `confirm` throws, the old file stays where it is.
    func isReplaced(by fresh: UnplacedFile, _ freshIdentifier: [UInt8], confirm: () throws -> Void) throws {
        // Handles commit under this lock. A plaintext file has none, and other people may lock it.
        if !identifier.isEmpty { try file.lock(waiting: .seconds(10)) }
        defer { if !identifier.isEmpty { file.unlock() } }
        var refusal: (any Error)?
        let obstacle = try fresh.placeInstead(
            of: held, others: Array(others), identifier: freshIdentifier, oldIdentifier: identifier
        ) {
            do { try confirm() } catch { refusal = error }
            return refusal == nil
        }
        switch obstacle {
        case nil: return
        case .unwanted: throw refusal ?? ProtectedFileError(.changed, "\(file.path) is as it was left; begin again")
        case .changed: throw changed
        case .changedTwice(let kept):
            throw ProtectedFileError(
                .changed,
                "\(file.path) was changed or moved meanwhile, the old file and the new one: both are there, one of them as \(kept); put together what belongs together, and begin again"
            )
        case .notExchangeable:
            throw ProtectedFileError(
                .unsupported,
                "\(file.path) has several names, which this file system can't exchange in one step each; nothing was done"
            )
        }
    }
}

extension FileHeader {
    /// Distinguishes a file in its state from every other one while it doesn't have its name.
    var temporaryIdentifier: [UInt8] {
        fileID + (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * UInt64($0))) }
    }
}
