// SPDX-License-Identifier: Apache-2.0

import Foundation

// The one file of the command that asks the kernel.

enum Terminal {
    /// The columns of the terminal that standard output goes to; nil where it is a pipe or a file, which get long lines.
    static let width: Int? = {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }()
}
