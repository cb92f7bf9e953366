// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Thread {
    /// Starts a thread that runs `body`, with a stack of so many bytes.
    static func start(stack: Int = 1 << 20, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.stackSize = stack
        thread.start()
    }
}
