// SPDX-License-Identifier: Apache-2.0

import Files
import Readers
import Sealing
public import SecretMemory
package import TPMs

extension Home {
    /// What the user should know about a home, for `zamok status`. It contains no secret.
    public struct Status: Sendable {
        /// Which holder keeps class keys.
        public enum Holder: Sendable, Equatable {
            /// The kernel keyring: an unlock applies to all processes of this user.
            case kernelKeyring
            /// This process alone, by choice.
            case process
            /// This process alone, because the kernel keyring can't be used, for this reason.
            case processInsteadOfKernelKeyring(reason: String)
        }

        /// The counter in the TPM that detects a rollback of the home.
        package struct Counter: Sendable, Equatable {
            package let value: UInt64
            /// When it was last increased, in seconds since 1970.
            package let time: Int64
            /// Whether the TPM itself refuses a passcode from before a change.
            package let isOfPasscode: Bool
        }

        /// Parameters of the KDF, scrypt.
        public struct KeyDerivation: Sendable, Equatable {
            /// N: rounds.
            public let rounds: Int
            /// r: the block size, in units of 128 bytes.
            public let blockSize: Int
            /// p: the parallelism.
            public let parallelism: Int
            /// Bytes of memory that one unlock needs.
            public var memory: Int { 128 * blockSize * rounds }
            /// Whether these are the weaker parameters, for machines with little memory.
            public var isLimited: Bool { rounds < 1 << 17 }
        }

        /// The home's folder.
        public let folder: String
        /// Whether class keys are available now.
        public let lockState: LockState
        /// How long the home stays unlocked; nil: until it is locked, or it is not unlocked.
        public let unlockedFor: Duration?
        /// Which holder keeps class keys.
        public let holder: Holder
        /// The parameters of the passcode's KDF; nil without a passcode.
        public let keyDerivation: KeyDerivation?
        /// Where the device secret is.
        public let deviceSecretPlace: String
        /// Whether a thief of the home's disk also has the device secret.
        public let isDeviceSecretOnDiskOfHome: Bool
        /// The TPM that holds the device secret; nil: it is in a file.
        public let deviceSecretTPM: String?
        /// The TPM that the passcode is bound to, and that counts wrong ones; nil: it is bound to none.
        package let passcodeTPM: String?
        /// How the TPM that holds the device secret, or else the passcode's, counts wrong attempts. Nil: there is none,
        /// or it doesn't answer.
        package let lockout: TPMLockout?
        /// The counter in the TPM that detects a rollback of the home; nil: there is none.
        package let counter: Counter?
        /// The TPM that holds the device secret, or else one that could; nil: none is available.
        package let tpmInReach: String?
        /// What a TPM could do for this home but doesn't yet, with the commands. One sentence each.
        package let better: [String]
        /// What is available for recovery if the device secret can't be read.
        package let recovery: RecoveryState
        /// The keybags that are still under a former device secret.
        package let behind: [DeviceSecretFollower]
        /// The keybags whose bound passcode is still under the former recovery code.
        package let boundByFormerCode: [DeviceSecretFollower]
        /// Wrong passcodes in a row; nil if the counter is missing or damaged, which counts as the longest delay.
        public let failedAttempts: Int?
        /// How long the attempt limiter makes the user wait. Zero: a passcode may be tried.
        public let nextAttempt: Duration
        /// After how many wrong passcodes in a row everything is erased; nil: never.
        public let erasesAfter: Int?
        /// Increased by every change of the keybag.
        public let generation: UInt64
        /// The number of keys from before passcode changes that items and files may still need.
        public let retiredKeys: Int
        /// How secrets are kept in memory.
        public let memory: SecretArena.Status
        /// What is less safe than possible, and what to do about it. One sentence each.
        public let warnings: [String]

        /// Whether a passcode is set.
        public var hasPasscode: Bool { keyDerivation != nil }
    }

    /// What the user should know about this home. Runs no KDF; reads the files.
    ///
    /// Errors: `.damaged`, `.erased`, `.restoredCopy`, `.missingDeviceSecret`, `.forked`, `.io`.
    public func status() throws(DataProtectionError) -> Status { try keybag.status(openFolder) }
}

extension Keybag {
    fileprivate func status(_ folder: HomeFolder) throws(DataProtectionError) -> Home.Status {
        try mapping {
            let view = try view()
            let file = view.file
            let now = process.clock.now()
            let attempts = try AttemptsFile(place: place, of: file).read()
            let deadline = file.hasPasscode ? try group(.complete, view)?.validity.deadline : nil
            let onDisk = try place.deviceSecret.isOnDisk(of: folder)
            let record = try place.deviceSecret.record()
            let memory = SecretArena.status
            let binding = try file.passcodeBinding
            let way = try place.deviceSecret.tpm() ?? binding.map { place.deviceSecret.way ?? $0.part.way }
            let lockout = way.flatMap { try? $0.lockout() }
            let (reach, counter) = (try tpmInReach(), try counter(binding))
            return Home.Status(
                folder: folder.path, lockState: lockState,
                unlockedFor: deadline.map {
                    .nanoseconds(Int64(clamping: $0 > now.nanoseconds ? $0 - now.nanoseconds : 0))
                },
                holder: holderInWords, keyDerivation: file.stretching.map(Home.Status.KeyDerivation.init),
                deviceSecretPlace: place.deviceSecret.place, isDeviceSecretOnDiskOfHome: onDisk,
                deviceSecretTPM: try place.deviceSecret.tpm()?.description,
                passcodeTPM: binding.map { (place.deviceSecret.way ?? $0.part.way).description }, lockout: lockout,
                counter: counter, tpmInReach: reach?.description,
                better: try better(file, reach, isCounted: counter != nil),
                recovery: RecoveryState(record?.recovery),
                behind: record?.formers.isEmpty == false
                    ? try DeviceSecretFollowers(root: place.rootFolder, place).behind() : [],
                boundByFormerCode: try boundByFormerCode(record),
                failedAttempts: attempts.map { Int($0.failures) },
                nextAttempt: .nanoseconds(Int64(clamping: (attempts ?? .unknown(now)).remaining(now))),
                erasesAfter: file.eraseAfter == 0 ? nil : Int(file.eraseAfter), generation: file.generation,
                retiredKeys: file.slots.count(where: \.isRetired), memory: memory,
                warnings: try warnings(file, folder: folder, isOnDisk: onDisk, memory: memory, attempts: attempts)
                    + tpmWarnings(file, lockout) + storeWarnings(folder)
            )
        }
    }

    private func counter(_ binding: PasscodeBinding?) throws -> Home.Status.Counter? {
        guard let freshness = freshness.withLock({ $0 }), let standing = try freshness.standing() else { return nil }
        return Home.Status.Counter(
            value: standing.value, time: standing.time, isOfPasscode: binding?.limit != nil)
    }

    /// Reported for a root home, for all of its users.
    private func boundByFormerCode(_ record: DeviceSecretRecord?) throws -> [DeviceSecretFollower] {
        guard place.owner.isEmpty, let recovery = record?.recovery else { return [] }
        return try DeviceSecretFollowers(root: place.rootFolder, place).boundByOthers(than: recovery.publicKey)
    }

    private func tpmWarnings(_ file: KeybagFile, _ lockout: TPMLockout?) throws -> [String] {
        guard file.isBound else { return [] }
        var warnings: [String] = []
        if lockout?.isGuarded == false {
            warnings.append(
                "any program that may use the TPM can undo its count of wrong passcodes; run: zamok device lockout")
        }
        if try isBindingBehind(file) {
            warnings.append(
                "the new recovery code doesn't stand for the TPM's part of the passcode yet: that follows at the next unlock; until then keep the code from before"
            )
        }
        return warnings
    }

    private func storeWarnings(_ folder: HomeFolder) throws -> [String] {
        try [StoreRecord.doubt(in: folder, self)?.explanation(folder)].compactMap(\.self)
            + StoreRecord.missing(in: folder, self).map { store in
                "\(folder.path)/\(store) is missing or empty, but this home had one; put it back, or look: \(folder.command("doctor"))"
            }
    }

    private var holderInWords: Home.Status.Holder {
        if let reason = holder.reason { return .processInsteadOfKernelKeyring(reason: reason.text) }
        return holder.choice == .process ? .process : .kernelKeyring
    }

    private func warnings(
        _ file: KeybagFile, folder: HomeFolder, isOnDisk: Bool, memory: SecretArena.Status,
        attempts: AttemptLimiter?
    ) throws -> [String] {
        var warnings: [String] = []
        if !file.hasPasscode {
            let both =
                "a copy of this disk opens everything: no passcode is set, and the device secret is stored beside the data; change that: \(folder.command("passcode set"))"
            warnings.append(isOnDisk ? both : "no passcode is set: the home is always unlocked")
        } else if isOnDisk {
            warnings.append(
                "the device secret is on the same disk as the home: a thief of the disk faces only scrypt and the passcode; lock, move the file to another disk, and name its new location in ZAMOK_DEVICE_SECRET for every program"
            )
        }
        if let recovery = try place.deviceSecret.record()?.recovery, recovery.state == .shown {
            warnings.append(
                "the recovery code was not typed back, so it is unknown whether it was written down; run: zamok device recovery --check"
            )
        }
        if let reason = holder.reason {
            warnings.append(
                "the kernel keyring can't be used (\(reason.text)): an unlock ends with its process; see zamok run")
        }
        if let stretching = file.stretching, Home.Status.KeyDerivation(stretching).isLimited {
            warnings.append(
                "scrypt runs with half the usual memory, as the machine had little when the passcode was set")
        }
        if file.hasPasscode, attempts == nil {
            let path = "\(folder.path)/\(AttemptsFile.fileName)"
            warnings.append(
                "the counter of wrong passcodes, \(path), is missing or damaged: the longest delay applies")
        }
        if try folder.isOpenToOthers {
            warnings.append("others can list the folder \(folder.path); run: chmod 700 \(folder.path.shellWord)")
        }
        if folder.kind.verdict == .odd {
            warnings.append(
                "the home lies on \(folder.kind.name), as \(HomeLocation.anyFileSystem) allows: other machines that use it don't learn of a lock, and two changes at once may lose one"
            )
        }
        if let refusal = memory.lockRefusal, memory.bytesUnlocked > 0 {
            warnings.append("secrets may reach swap space: \(refusal)")
        }
        return warnings
    }
}

extension Home.Status.KeyDerivation {
    fileprivate init(_ stretching: KeybagFile.Stretching) {
        self.init(
            rounds: stretching.parameters.rounds, blockSize: stretching.parameters.blockSize,
            parallelism: stretching.parameters.parallelism
        )
    }
}
