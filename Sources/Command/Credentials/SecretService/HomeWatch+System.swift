// SPDX-License-Identifier: Apache-2.0

import CSystemBus
package import DataProtection
import Foundation
import SecretMemory

/// Says when another process may have done something in a home: it closes files of it when it has. Whoever waits for that sleeps until then.
package final class HomeWatch {
    /// To be polled for reading; negative: nothing is heard on this system.
    package let descriptor: Int32

    private let path: String
    /// As it was when it was first seen.
    private var page: [UInt64]

    package init(_ home: Home) {
        path = home.keybag.folderPath
        descriptor = unsafe zamok_watch_folder(path)
        page = Self.page(path)
    }

    /// Whether the home is the one that it was: neither erased, nor moved away, nor another one in its place. Its shared page is made with a home and never replaced.
    package func isThere() -> Bool {
        let now = Self.page(path)
        if page.isEmpty { page = now }
        return now == page
    }

    /// What tells that file from any other; nothing where it isn't.
    private static func page(_ path: String) -> [UInt64] {
        var status = stat()
        guard unsafe stat("\(path)/generation", &status) == 0 else { return [] }
        return [UInt64(status.st_dev), UInt64(status.st_ino)]
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes all that was heard.
    package func drain() {
        guard descriptor >= 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 4096)
        while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
    }
}

/// What a process holds of memory while it waits.
package enum IdleMemory {
    /// Overwrites what freed blocks of this thread still hold, and gives back what can be had again. Data stays as it is.
    package static func release() {
        FreedMemory.clearKept()
        zamok_release_idle_memory()
    }
}
