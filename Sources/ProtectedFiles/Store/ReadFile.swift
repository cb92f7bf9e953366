// SPDX-License-Identifier: Apache-2.0

import Files

/// A file whose content was read, to be replaced by what was made of it: exactly this file, as it was then.
struct ReadFile {
    let file: OpenFile
    let status: FileStatus
    /// Of a protected file.
    let identifier: [UInt8]

    /// Before the first byte of it is read.
    init(_ file: OpenFile, allLinks: Bool) throws {
        self.file = file
        status = try file.statusBeforeReading()
        identifier = []
        try checkLinks(allLinks)
    }

    /// Of a protected file: its state is the one that has this status.
    init(_ sealed: inout SealedFile) throws {
        file = sealed.file
        status = try file.statusBeforeReading()
        _ = try sealed.reload()
        identifier = sealed.header.temporaryIdentifier
        try checkLinks(false)
    }

    private func checkLinks(_ allLinks: Bool) throws {
        guard status.links > 1, !allLinks else { return }
        throw ProtectedFileError(
            .unsupported,
            "\(file.path) has other names (hard links, \(status.links - 1)) under which its content would stay as it is"
        )
    }

    /// Puts a whole file in its place, durably.
    func isReplaced(by fresh: UnplacedFile, _ freshIdentifier: [UInt8]) throws {
        // Handles commit under this lock.
        try file.lock(waiting: .seconds(10))
        defer { file.unlock() }
        let obstacle = try fresh.placeInstead(
            of: file, asRead: status, identifier: freshIdentifier, oldIdentifier: identifier)
        switch obstacle {
        case nil: return
        case .changed:
            throw ProtectedFileError(.changed, "\(file.path) was changed meanwhile, and is as it was left; begin again")
        case .inUse:
            throw ProtectedFileError(
                .busy,
                "\(file.path) is open for writing elsewhere, and what is written there would be lost; close it there and begin again"
            )
        }
    }
}

extension FileHeader {
    /// What tells a file, and its state, from every other one while it has not its place.
    var temporaryIdentifier: [UInt8] {
        fileID + (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * UInt64($0))) }
    }
}
