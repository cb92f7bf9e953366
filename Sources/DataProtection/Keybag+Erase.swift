// SPDX-License-Identifier: Apache-2.0

import SecretMemory

extension Keybag {
    /// Zeroes both slots of the epoch, durably: from then on nothing of this home can be opened by anyone, whatever the amount
    /// of data. The lock is held by the caller.
    func destroyEpoch(_ home: UniqueIdentifier) throws {
        try place.epoch.zero(.first)
        try place.epoch.zero(.second)
        voidEverything()
        for role in [KeyGroup.Role.complete, .firstUnlock] { try holder.destroy(role, home) }
    }

    /// Every process reads the files again before its next step, and holds no group that is good.
    func voidEverything() {
        process.page.setKeybagGeneration(0)
        for role in [KeyGroup.Role.complete, .firstUnlock] { process.page.count(role) }
    }
}
