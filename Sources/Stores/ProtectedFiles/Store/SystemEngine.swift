// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files

/// The engine `.system`: files in the system's own form, under its data protection. Where the system has none, every
/// call says so.
struct SystemEngine {
    let store: ProtectedFileStore

    static var isAvailable: Bool { OpenFile.systemProtects }

    private func check(_ path: FileLocation) throws(ProtectedFileError) {
        guard Self.isAvailable else {
            throw ProtectedFileError(
                .unsupported, "\(path): this system protects no files by itself; use the engine .sealed"
            )
        }
    }

    func write(
        _ bytes: RawSpan, to path: FileLocation, _ protection: ProtectionClass,
        _ options: ProtectedFileStore.WritingOptions
    ) throws {
        try check(path)
        let fresh = try store.temporaries.make(for: path)
        try fresh.file.setSystemProtection(protection.rawValue)
        try fresh.file.write(bytes, at: 0)
        try fresh.file.sync()
        if options.contains(.withoutOverwriting) {
            try fresh.place()
        } else {
            try fresh.placeOver(identifier: FreshFile.randomIdentifier())
        }
    }

    func read(_ path: FileLocation) throws -> [UInt8] {
        try check(path)
        let file = try OpenFile.open(path, .read, store.hooks)
        return try file.read(count: try file.status().size, at: 0)
    }

    func set(_ protection: ProtectionClass, of path: FileLocation) throws {
        try check(path)
        try OpenFile.open(path, .change, store.hooks).setSystemProtection(protection.rawValue)
    }

    func protection(of path: FileLocation) throws -> ProtectionClass? {
        try check(path)
        return ProtectionClass(rawValue: try OpenFile.open(path, .read, store.hooks).systemProtection())
    }

    /// For what Zamok's format alone can do.
    func refuse(_ path: FileLocation) throws(ProtectedFileError) {
        try check(path)
        throw ProtectedFileError(
            .unsupported,
            "\(path): files under the system's data protection are used with its own calls; or use the engine .sealed"
        )
    }
}

extension ProtectedFileStore {
    /// Nil where Zamok's format is used.
    var systemEngine: SystemEngine? { configuration.engine == .system ? SystemEngine(store: self) : nil }
}
