// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Files

extension FileError {
    /// A pipe, socket or terminal, which has no offsets, where a file should be.
    var isOfPipe: Bool { number == ESPIPE }
}
