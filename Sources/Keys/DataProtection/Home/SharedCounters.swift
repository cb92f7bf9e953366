// SPDX-License-Identifier: Apache-2.0

/// The counters of a home's shared page that say whether what a store keeps in memory is still right. Read without a system call.
package struct SharedCounters: Sendable {
    /// What the counters were at one moment, for one process. Two equal stamps: nothing happened between them.
    package struct Stamp: Equatable, Sendable {
        /// Of the keybag.
        package let generation: UInt64
        /// How often the home was left or locked completely.
        package let leaves: UInt64
        /// Committed writes to the store.
        package let changes: UInt64
        /// A child after fork must not answer from what its parent read.
        let process: Int32
    }

    private let page: GenerationPage
    private let counter: ChangeCounter

    package init(_ keybag: Keybag, _ counter: ChangeCounter) {
        page = keybag.process.page
        self.counter = counter
    }

    package var stamp: Stamp {
        Stamp(
            generation: page.keybagGeneration, leaves: page.leaveCount, changes: page.changeCount(counter),
            process: ThisProcess.identifier)
    }
}
