// SPDX-License-Identifier: Apache-2.0

import CSystemBus
package import DataProtection
import Foundation
import SecretMemory

/// Watches for changes of a home by other processes, which close its files after a change.
/// A process that polls the descriptor sleeps until then.
package final class HomeWatch {
    /// The descriptor to poll for reading. Negative: this system reports no changes.
    package let descriptor: Int32

    private let path: String
    /// The identity of the shared page when it was first seen.
    private var page: [UInt64]

    package init(_ home: Home) {
        path = home.keybag.folderPath
        descriptor = unsafe zamok_watch_folder(path)
        page = Self.page(path)
    }

    /// Whether the home is still the same: neither erased, nor moved away, nor replaced.
    /// A home's shared page is created with it and never replaced.
    package func isThere() -> Bool {
        let now = Self.page(path)
        if page.isEmpty { page = now }
        return now == page
    }

    /// The device and inode of the shared page. Empty if it doesn't exist.
    private static func page(_ path: String) -> [UInt64] {
        var status = stat()
        guard unsafe stat("\(path)/generation", &status) == 0 else { return [] }
        return [UInt64(status.st_dev), UInt64(status.st_ino)]
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Discards all pending notifications.
    package func drain() {
        guard descriptor >= 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 4096)
        while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
    }
}

/// The memory that a process holds while it waits.
package enum IdleMemory {
    /// Overwrites the remains in freed blocks of this thread, and returns unneeded memory to the system.
    /// Data in use stays unchanged.
    package static func release() {
        FreedMemory.clearKept()
        zamok_release_idle_memory()
    }
}
