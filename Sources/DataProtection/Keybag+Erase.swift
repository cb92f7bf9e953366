// SPDX-License-Identifier: Apache-2.0

import SecretMemory

extension Keybag {
    /// Zeroes both slots of the epoch, durably: from then on nothing of this home can be opened by anyone, whatever the amount of data. The
    /// lock is held by the caller.
    func destroyEpoch(_ home: UniqueIdentifier) throws {
        try place.epoch.zero(.first)
        try place.epoch.zero(.second)
        process.page.setKeybagGeneration(0)
        for role in [KeyGroup.Role.complete, .firstUnlock] { process.page.count(role) }
        for role in [KeyGroup.Role.complete, .firstUnlock] { try holder.destroy(role, home) }
    }
}
