// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing
import SecretMemory

/// The counter of the attempt limiter on the disk (Documentation/Formats/Keybag.md, `attempts`). The lock is held by the caller.
struct AttemptsFile {
    static let fileName = "attempts"
    private static let magic = Array("zamokatt".utf8)
    private static let size = 72

    let place: KeybagPlace
    let home: UniqueIdentifier

    private var folder: HomeFolder { place.folder }

    /// Nil if it is missing or invalid.
    func read() throws -> AttemptLimiter? {
        guard let bytes = try folder.read(Self.fileName, limit: Self.size), bytes.count == Self.size,
            try KeyDerivation.isValid(Array(bytes.suffix(32)), for: Array(bytes.prefix(40)), under: try key())
        else { return nil }
        var reader = ByteReader(bytes)
        guard try reader.read(12) == Self.magic + [1, 0, 0, 0] else { return nil }
        let failures: UInt32 = try reader.integer()
        let start = try reader.identifier()
        return AttemptLimiter(
            failures: failures, last: BootInstant(start: start, nanoseconds: try reader.integer())
        )
    }

    /// In place and durable; a new file where there is none.
    func write(_ limiter: AttemptLimiter) throws {
        var writer = ByteWriter()
        writer.append(Self.magic + [1, 0, 0, 0])
        writer.integer(limiter.failures)
        writer.append(limiter.last?.start.bytes ?? [UInt8](repeating: 0, count: 16))
        writer.integer(limiter.last?.nanoseconds ?? 0)
        writer.append(try KeyDerivation.authenticationCode(for: writer.bytes, under: try key()))
        guard let file = try folder.openFile(Self.fileName, .change),
            try file.status().size == Self.size
        else { return try folder.replace(Self.fileName, with: writer.bytes) }
        try file.write(writer.bytes)
        try file.syncData()
    }

    private func key() throws -> SecretBytes {
        try KeyDerivation.derive(from: try place.deviceSecret.read(), salt: home.bytes, label: .attemptsAuthentication)
    }
}
