// SPDX-License-Identifier: Apache-2.0

import Files

/// A file whose content was read, to be replaced with a file made from it. Only this very file, unchanged, is replaced.
struct ReadFile {
    private let held: HeldFile
    var file: OpenFile { held.file }
    var status: FileStatus { held.status }
    /// The identifier of a protected file; empty for a plaintext one.
    let identifier: [UInt8]

    /// Its other names, which are replaced together with it.
    private let others: ArraySlice<FileLocation>

    /// Called before the first byte is read. `names`: all names to replace; the first is the file's path.
    init(_ file: OpenFile, _ names: [FileLocation]) throws {
        held = try Self.hold(file)
        identifier = []
        others = names.dropFirst()
        try checkLinks()
    }

    /// For a protected file, whose state is reloaded after its status was taken.
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

    /// Throws if another process wants to write to the file, which blocks only until this is called. Called often while
    /// the file is read.
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

    /// Replaces the file with a complete new file, durably. If `confirm` throws, the old file stays in place.
    func isReplaced(by fresh: UnplacedFile, _ freshIdentifier: [UInt8], confirm: () throws -> Void) throws {
        // Handles commit under this lock. A plaintext file is not locked, since other users may lock it.
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
    /// Distinguishes a file in its present state from every other one until it is renamed into place.
    var temporaryIdentifier: [UInt8] {
        fileID + (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * UInt64($0))) }
    }
}
