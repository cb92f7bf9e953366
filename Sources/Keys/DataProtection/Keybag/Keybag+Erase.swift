// SPDX-License-Identifier: Apache-2.0

import SecretMemory

extension Keybag {
    /// Zeroes both slots of the epoch, durably: from then on nothing of this home can be opened by anyone, whatever the amount
    /// of data. The lock is held by the caller.
    func destroyEpoch(_ home: UniqueIdentifier) throws {
        // What is unlocked goes first: it can go even where the disk can't be written to.
        let roles = [KeyGroup.Role.complete, .firstUnlock]
        for role in roles { process.destroy(role, home) }
        let locker = HomeLocker(location: HomeLocation(environment: place.environment, files: place.folder.files))
        let told = Result { _ = try locker.lock(roles, place.folder, home: home, erasing: true) }
        try place.epoch.zero(.first)
        try place.epoch.zero(.second)
        // Whoever read the epoch in between has nothing that is good.
        process.page.setKeybagGeneration(0)
        try told.get()
    }
}
