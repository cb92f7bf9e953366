// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Files
import Foundation

extension OpenFile {
    /// Whether the file, or a folder's list of names, can't be changed or only added to (`chattr +i`, `+a`).
    var isFixed: Bool {
        // FS_IOC_GETFLAGS of Linux, which writes 32 bits.
        var flags = 0
        guard unsafe ioctl(number, 0x8008_6601, &flags) == 0 else { return false }
        // FS_IMMUTABLE_FL and FS_APPEND_FL.
        return flags & 0x30 != 0
    }

    /// Whether this user may make and rename files in the folder.
    var takesNames: Bool { unsafe faccessat(number, ".", W_OK | X_OK, 0) == 0 }
}
