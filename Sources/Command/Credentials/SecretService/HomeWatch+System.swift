// SPDX-License-Identifier: Apache-2.0

import CSystemBus
package import DataProtection
import Foundation

/// Says when another process may have done something in a home: it closes files of it when it has. Whoever waits for that sleeps until then.
package final class HomeWatch {
    /// To be polled for reading; negative: nothing is heard on this system.
    package let descriptor: Int32

    package init(_ home: Home) { descriptor = unsafe zamok_watch_folder(home.keybag.folderPath) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes all that was heard.
    package func drain() {
        guard descriptor >= 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 4096)
        while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
