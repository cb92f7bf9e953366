// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Tells when files in folders are written, as the kernel says it. Where it doesn't, nothing is told.
final class FolderChanges: Sendable {
    private let descriptor: Int32
    /// Told, and not taken up yet: more of the same is not told.
    private let pending = Mutex<Set<Int>>([])

    /// Watches folders on a thread of its own, and calls `tell` of each: when a file of one of these names is written;
    /// without names, when a file is created or moved in.
    init(_ folders: [(path: String, names: Set<String>, tell: @Sendable () -> Void)]) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC))
        var watched: [Int32: Int] = [:]
        for (place, folder) in folders.enumerated() {
            // Where there are names, only written content counts: opening a keychain creates its -wal, and closing it
            // removes that.
            let mask = UInt32(folder.names.isEmpty ? IN_CREATE | IN_MOVED_TO : IN_MODIFY)
            let number = unsafe inotify_add_watch(descriptor, folder.path, mask)
            if number >= 0 { watched[number] = place }
        }
        let (descriptor, known) = (descriptor, watched)
        let thread = Thread { [weak self] in
            while let events = Self.read(descriptor) {
                guard let self else { return }
                for place in Set(events.compactMap { known[$0.watch] }) {
                    let names = folders[place].names
                    guard
                        names.isEmpty || events.contains(where: { known[$0.watch] == place && names.contains($0.name) })
                    else { continue }
                    if self.pending.withLock({ $0.insert(place).inserted }) { folders[place].tell() }
                }
            }
        }
        thread.stackSize = 256 << 10
        thread.start()
    }

    /// From now on changes are told again.
    func taken() { pending.withLock { $0 = [] } }

    private static func read(_ descriptor: Int32) -> [(watch: Int32, name: String)]? {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = unsafe Foundation.read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return count < 0 && errno == EINTR ? [] : nil }
        var events: [(watch: Int32, name: String)] = []
        var at = 0
        while at + 16 <= count {
            let watch = unsafe buffer.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: at, as: Int32.self) }
            let length = unsafe buffer.withUnsafeBytes {
                unsafe $0.loadUnaligned(fromByteOffset: at + 12, as: UInt32.self)
            }
            let end = at + 16 + Int(length)
            guard end <= count else { break }
            events.append((watch, String(decoding: buffer[at + 16..<end].prefix { $0 != 0 }, as: UTF8.self)))
            at = end
        }
        return events
    }
}
