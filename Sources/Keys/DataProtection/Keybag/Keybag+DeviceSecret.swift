// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing
import SecretMemory
import TPMs

/// How a keybag moves to a new device secret (`Documentation/Formats/TPMObjects.md`, "A move").
extension Keybag {
    /// Moves the keybag to the current device secret and recovery code. If the device secret is another one, draws new
    /// class keys: a copy of the former secret opens nothing new. The caller holds the lock.
    ///
    /// `material` receives what the passcode yields for the new keybag, before that keybag is renamed into place.
    func follow(
        _ opened: borrowing KeybagLocation.Opened, _ answer: borrowing PasscodeAnswer,
        material: (PasscodeMaterial) -> Void = { _ in }
    ) throws {
        let followed = try followedBinding(opened, answer.material)
        material(followed.material)
        try follow(opened, answer.root, followed.encoded) {
            try followed.material.root($0, isBound: !followed.encoded.isEmpty)
        }
    }

    private func follow(
        _ opened: borrowing KeybagLocation.Opened, _ root: borrowing SecretBytes, _ binding: [UInt8] = [],
        newRoot: (borrowing KeyRoots) throws -> SecretBytes
    ) throws {
        let limiter = try AttemptsFile(place: place, of: opened.file).read()
        try rekey(
            opened, root, to: Lock(opened.file.stretching, binding), rotating: opened.isBehind, newRoot: newRoot)
        if let limiter { try AttemptsFile(place: place, of: try place.read().file).write(limiter) }
    }

    /// Like `follow`, for a home that is always unlocked, when it is opened. A home that can't be written
    /// to stays unchanged.
    func followWithoutPasscode() {
        try? place.locked {
            let opened = try place.read()
            guard opened.isBehind, !opened.file.hasPasscode else { return }
            try follow(opened, try opened.checkedRootWithoutPasscode()) { try $0.passcodeRootWithoutPasscode() }
        }
        settleDeviceSecrets()
    }

    /// Removes the former device secrets that no keybag needs any more. Called without a lock held.
    func settleDeviceSecrets() {
        let root = place.rootFolder
        try? root.withLock(KeybagFile.lockName) {
            guard let record = try place.deviceSecret.record(), !record.formers.isEmpty,
                let needed = try DeviceSecretFollowers(root: root, place).needed()
            else { return }
            let kept = record.formers.filter { needed.contains($0.number) }
            guard kept.count < record.formers.count else { return }
            let secret = try place.deviceSecret.secret(of: record)
            try place.deviceSecret.rewrite(record, secret, recovery: record.recovery, formers: kept)
        }
    }

    /// Changes the recovery code of the device secret after checking the passcode, and seals the bound passcode's value
    /// to the new one.
    func changeRecovery(_ passcode: Secret, _ change: () throws -> Void) throws {
        try place.locked {
            let opened = try place.read()
            try checkIdentity(opened.file)
            let right = try passcode.withSecretBytes { try answer(try Passcode($0), opened) }
            try change()
            try follow(try place.read(), right)
        }
        countKeybag()
    }

    /// Draws a new device secret for `target`, replaces the current one, and moves this home to it. Its users' keybags
    /// follow by themselves. `passcode`: nil if none is set.
    func moveDeviceSecret(to target: DeviceSecretTarget, passcode: Secret?) throws {
        try makeRoomForSlots()
        _ = try view()
        // Otherwise the moves that one user did not follow would fill the file.
        settleDeviceSecrets()
        try place.locked {
            let opened = try place.read()
            try checkIdentity(opened.file)
            let followed: Result<Void, any Error>
            if opened.file.hasPasscode {
                guard let passcode else {
                    throw DataProtectionError(.locked, "the passcode is needed to move the device secret")
                }
                // First, so that a wrong passcode changes nothing.
                let right = try passcode.withSecretBytes { try answer(try Passcode($0), opened) }
                try place.deviceSecret.replace(by: target)
                followed = Result { try follow(try place.read(), right) }
            } else {
                let root = try opened.checkedRootWithoutPasscode()
                try place.deviceSecret.replace(by: target)
                followed = Result { try follow(try place.read(), root) { try $0.passcodeRootWithoutPasscode() } }
            }
            // The current file still contains the former secret for every keybag that did not follow.
            try place.deviceSecret.destroyReplaced()
            guard case .failure(let error) = followed else { return }
            throw DataProtectionError(
                DataProtectionError(error, about: place.folder.path).code,
                "the device secret has moved, and this home could not be brought under it, which its next unlock does; until then it needs the secret of before, which the file keeps"
            )
        }
        settleDeviceSecrets()
        countAgain(target)
        renewFreshness()
        countKeybag()
    }

    /// Makes a counter in a TPM that had no room for it beside the former one.
    private func countAgain(_ target: DeviceSecretTarget) {
        guard case .tpm = target, (try? place.deviceSecret.record())??.counter == nil else { return }
        try? place.locked {
            place.settleCounters()
            try place.deviceSecret.renewCounter(at: Freshness.clock.withLock { $0 }())
        }
    }
}

/// A home whose keybag follows a device secret.
package enum DeviceSecretFollower: Equatable, Sendable {
    /// The root home.
    case root
    /// A user's home.
    case user(UniqueIdentifier)
}

/// Which keybags of a root home and its users are under a former device secret.
struct DeviceSecretFollowers {
    let root: HomeFolder
    private let place: KeybagLocation

    /// `place`: of any home of this root home.
    init(root: HomeFolder, _ place: KeybagLocation) {
        self.root = root
        self.place = place
    }

    /// The homes that are behind. A keybag that can't be read counts as behind.
    func behind() throws -> [DeviceSecretFollower] {
        try keybags().filter { $0.isBehind }.map(\.follower)
    }

    /// The homes whose passcode is bound with another recovery code than that of this public key. Only the earlier code
    /// opens these without the TPM, until they are unlocked.
    func boundByOthers(than publicKey: [UInt8]) throws -> [DeviceSecretFollower] {
        try keybags().filter { $0.boundBy != nil && $0.boundBy != publicKey }.map(\.follower)
    }

    /// The numbers of the device secrets that keybags are under. Nil if a keybag can't be read: it may need any.
    func needed() throws -> Set<UInt32>? {
        let numbers = try keybags().map(\.number)
        return numbers.contains(nil) ? nil : Set(numbers.compactMap(\.self))
    }

    private typealias Standing = (
        follower: DeviceSecretFollower, number: UInt32?, isBehind: Bool, boundBy: [UInt8]?
    )

    private func keybags() throws -> [Standing] {
        let own = KeybagLocation(
            folder: root, epoch: Epoch(folder: root, name: Epoch.fileName), deviceSecret: place.deviceSecret,
            allowsInsecureKDF: place.allowsInsecureKDF, environment: place.environment)
        let home = try own.readSettledOutsideLock()
        let boundBy = try home.file.passcodeBinding?.recovery.publicKey
        var all: [Standing] = [(.root, home.file.deviceSecretNumber, home.isBehind, boundBy)]
        // From both folders: a user's part may be missing, on a disk that isn't mounted for example, and returns
        // with that disk.
        let users = try root.folder(Home.usersName, making: false)
        let epochs = try root.folder(Home.epochsName, making: false)
        let names = try Set((users?.names() ?? []) + (epochs?.names() ?? []))
        for name in names.sorted() {
            guard let user = UniqueIdentifier(text: name) else { continue }
            let epoch = epochs.map { Epoch(folder: $0, name: name) }
            if let found = try standing(of: user, try users?.folder(name, making: false), epoch, home.file) {
                all.append(found)
            }
        }
        return all
    }

    /// Nil for a user that was removed, or never created.
    private func standing(
        of user: UniqueIdentifier, _ folder: HomeFolder?, _ epoch: Epoch?, _ home: KeybagFile
    ) throws -> Standing? {
        let hasEpoch = try epoch?.exists() == true
        let hasKeybag = try folder?.exists(KeybagFile.fileName) == true
        guard hasEpoch || hasKeybag else { return nil }
        let unknown: Standing = (.user(user), nil, true, nil)
        guard let epoch, hasEpoch else { return unknown }
        if (try? epoch.isEmpty(.first) && epoch.isEmpty(.second)) == true { return nil }
        guard let folder, hasKeybag else { return unknown }
        let place = KeybagLocation(
            folder: folder, epoch: epoch, deviceSecret: place.deviceSecret,
            owner: home.homeIdentifier.bytes + user.bytes, allowsInsecureKDF: place.allowsInsecureKDF,
            environment: place.environment)
        guard let opened = try? place.readSettledOutsideLock() else { return unknown }
        let boundBy = try opened.file.passcodeBinding?.recovery.publicKey
        return (.user(user), opened.file.deviceSecretNumber, opened.isBehind, boundBy)
    }
}

extension KeybagLocation {
    /// The root home's folder: this home's, or the one that contains it.
    var rootFolder: HomeFolder {
        if case .home(let root) = deviceSecret.location { return root }
        return root ?? folder
    }

    /// Reads without the lock, which the caller may hold. A concurrent change by another process can look like damage.
    fileprivate func readSettledOutsideLock() throws -> Opened { try readWithoutWaiting() }
}
