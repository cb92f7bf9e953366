// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory
import TPMs

/// The result of a correct passcode.
struct PasscodeAnswer: ~Copyable {
    /// The passcode root of the keybag.
    let root: SecretBytes
    let material: PasscodeMaterial
}

extension Keybag {
    /// The passcode root of the keybag. It opened every key that is wrapped under it.
    func rootByPasscode(_ passcode: borrowing Passcode, _ opened: borrowing KeybagLocation.Opened) throws -> SecretBytes
    {
        let right = try answer(passcode, opened)
        return right.root
    }

    /// One attempt with the passcode, through the attempt limiter. The caller holds the lock.
    ///
    /// The counter is raised and on disk *before* the KDF runs, so that killing the process then doesn't
    /// undo the attempt.
    func answer(_ passcode: borrowing Passcode, _ opened: borrowing KeybagLocation.Opened) throws -> PasscodeAnswer {
        let file = opened.file
        guard let stretching = file.stretching else {
            throw noPasscode()
        }
        let attempts = AttemptsFile(place: place, of: file)
        let (before, begun) = try admitted(attempts)
        var limiter = begun
        let material: PasscodeMaterial
        do {
            let stretched = Secret(try Self.stretch(passcode, salt: stretching.salt, parameters: stretching.parameters))
            material = PasscodeMaterial(stretched: stretched, value: try value(file, stretched))
        } catch TPMError.wrongAuthorization {
            throw try refused(limiter, file)
        } catch {
            // If no key could be made, or the TPM didn't judge the passcode, nothing was tried. The
            // attempt isn't counted.
            try attempts.write(before)
            guard let error = error as? TPMError, let way = try way(file) else { throw error }
            throw DataProtectionError(passcode: error, way, boundOver: try file.passcodeBinding?.part.way)
        }
        let root = try material.root(opened.roots, isBound: file.isBound)
        guard try opened.isRoot(root) else { throw try refused(limiter, file) }
        limiter.succeed()
        try attempts.write(limiter)
        try opened.file.checkAll(opened.roots, person: root)
        return PasscodeAnswer(root: root, material: material)
    }

    private func way(_ file: KeybagFile) throws -> TPMAddress? {
        try place.deviceSecret.way ?? file.passcodeBinding?.part.way
    }

    /// Raises the counter, or throws the time to wait.
    private func admitted(_ attempts: AttemptsFile) throws -> (before: AttemptLimiter, begun: AttemptLimiter) {
        let now = process.clock.now()
        let known = try attempts.read()
        var limiter = known ?? .unknown(now)
        limiter.noticeStart(now)
        let remaining = limiter.remaining(now)
        if remaining > 0 {
            if limiter != known { try attempts.write(limiter) }
            guard now.isKnown else {
                throw DataProtectionError(
                    .tooManyAttempts,
                    "too many wrong passcodes, and no delay passes here, where the machine's time can't be told (no /proc, or a time namespace); try again outside"
                )
            }
            throw DataProtectionError(
                .tooManyAttempts,
                "too many wrong passcodes; try again in \(Self.text(seconds: (remaining + 999_999_999) / 1_000_000_000))"
            )
        }
        let before = limiter
        limiter.begin(now)
        try attempts.write(limiter)
        return (before, limiter)
    }

    private func refused(_ limiter: AttemptLimiter, _ file: KeybagFile) throws -> DataProtectionError {
        if file.eraseAfter > 0, limiter.failures >= UInt32(file.eraseAfter) {
            try destroyEpoch(file.homeIdentifier)
            return DataProtectionError(
                .erased,
                "the passcode was wrong \(limiter.failures) times in a row: the home \(place.folder.path) was erased"
            )
        }
        let delay = AttemptLimiter.delay(after: limiter.failures)
        let next = delay == 0 ? "" : "; the next try is possible in \(Self.text(seconds: delay))"
        return DataProtectionError(.wrongPasscode, "wrong passcode\(next)")
    }

    private static func text(seconds: UInt64) -> String {
        switch seconds {
        case ...1: "1 second"
        case ...119: "\(seconds) seconds"
        default: "\((seconds + 59) / 60) minutes"
        }
    }
}

extension KeybagLocation.Opened {
    /// Whether `root` is the one that the passcode yields: the person's code verifies under it, or any key opens.
    /// Checking only one of them would report a modified keybag as a wrong passcode.
    borrowing func isRoot(_ root: borrowing SecretBytes) throws -> Bool {
        let file = file
        if try file.isSigned(person: root) { return true }
        for slot in file.slots where slot.root == .passcode {
            do {
                _ = try slot.unwrap(under: root, file.names)
                return true
            } catch SealingError.cannotOpen {
                continue
            } catch is KeybagFault {
                return true
            }
        }
        return false
    }

    /// The passcode root of a home without a passcode. It opened every key.
    borrowing func checkedRootWithoutPasscode() throws -> SecretBytes {
        let root = try roots.passcodeRootWithoutPasscode()
        try file.checkAll(roots, person: root)
        return root
    }
}
