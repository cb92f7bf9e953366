// SPDX-License-Identifier: Apache-2.0

import AppUsers
import Credentials
import DataProtection
import Readers
import SecretMemory
import TPMs

/// The state of a home in the output for users and scripts.
enum StatusPrinter {
    static func lines(
        _ status: Home.Status, retired: RetiredKeys?, user: AppUser?, keys: PrivateKeyStorage
    ) -> [String] {
        var rows = [
            ("home", status.folder.printable),
            ("user", user?.name.printable ?? "none, the root home itself"),
            ("used by", "all programs of this account, which are not kept apart"),
            ("lock state", lockState(status)),
            ("passcode", passcode(status)),
            ("keys kept by", holder(status)),
            ("device secret", deviceSecret(status)),
        ]
        if status.recovery != .none {
            rows.append(("recovery code", status.recovery == .typedBack ? "written down" : "shown, not typed back"))
        }
        if let lockout = status.lockout { rows.append(("TPM's lockout", text(lockout))) }
        if status.deviceSecretTPM != nil { rows.append(("earlier states", earlierStates(status))) }
        if let text = keys.text { rows.append(("private keys", text)) }
        if !status.behind.isEmpty {
            let names = names(status.behind).joined(separator: ", ").printable
            rows.append(("under the device secret from before", "\(names); each follows when unlocked next"))
        }
        if let text = formerCode(status) { rows.append(text) }
        if status.hasPasscode {
            rows.append(("wrong passcodes", attempts(status)))
            rows.append(("erases after", status.erasesAfter.map { "\($0) wrong passcodes" } ?? "never"))
        }
        if let retired = retired.flatMap({ RetiredKeysPrinter.text($0) }) {
            rows.append(("retired keys", retired.printable))
        }
        rows.append(("memory", memory(status)))
        return rows.map { "\($0.0): \($0.1)" } + status.warnings.map { "warning: \($0.printable)" }
            + better(status, keys)
    }

    /// The locations of the secret, passcode, counters and keys. For the examination of a home that uses a TPM, or
    /// could use one; empty for another home.
    static func tpmTransports(_ status: Home.Status, _ keys: PrivateKeyStorage) -> [String] {
        guard usesTPM(status) else { return better(status, keys) }
        let lockout = status.lockout.map { ["TPM's lockout: \(text($0))"] } ?? []
        let earlier = status.deviceSecretTPM == nil ? [] : ["earlier states: \(earlierStates(status))"]
        return ["device secret: \(deviceSecret(status))", "passcode: \(passcode(status))"] + lockout + earlier
            + (formerCode(status).map { ["\($0.0): \($0.1)"] } ?? [])
            + (keys.text.map { ["private keys: \($0)"] } ?? []) + better(status, keys)
    }

    /// The same as JSON; nil: there is no TPM.
    static func tpmJSON(_ status: Home.Status, _ keys: PrivateKeyStorage) -> JSON? {
        guard usesTPM(status) || status.tpmInReach != nil else { return nil }
        return .object([("deviceSecret", .text(status.deviceSecretPlace))] + tpmMembers(status, keys))
    }

    private static func usesTPM(_ status: Home.Status) -> Bool {
        status.deviceSecretTPM != nil || status.passcodeTPM != nil
    }

    private static func better(_ status: Home.Status, _ keys: PrivateKeyStorage) -> [String] {
        sentences(status, keys).map { "better: \($0.printable)" }
    }

    private static func sentences(_ status: Home.Status, _ keys: PrivateKeyStorage) -> [String] {
        status.better + (status.tpmInReach.flatMap { keys.better($0) }.map { [$0] } ?? [])
    }

    /// What happens if an earlier state of the whole home is restored.
    private static func earlierStates(_ status: Home.Status) -> String {
        guard let counter = status.counter else {
            return "open; the TPM has no counter for this home"
        }
        let ofPasscode = counter.isOfPasscode ? ", and passcodes from before a change by the TPM itself" : ""
        return "refused, by the TPM's counter (\(counter.value))\(ofPasscode)"
    }

    private static func deviceSecret(_ status: Home.Status) -> String {
        status.deviceSecretPlace.printable + (status.isDeviceSecretOnDiskOfHome ? ", on the disk of the home" : "")
    }

    static func json(
        _ status: Home.Status, retired: RetiredKeys?, user: AppUser?, keys: PrivateKeyStorage
    ) -> JSON {
        var members: [(String, JSON)] = [
            ("home", .text(status.folder)),
            ("user", user.map { .text($0.name) } ?? .null),
            ("lockState", .text(status.lockState.rawValue)),
            ("unlockedFor", status.unlockedFor.map { .number($0.components.seconds) } ?? .null),
            ("passcode", .bool(status.hasPasscode)),
            ("scrypt", scrypt(status)),
            ("holder", .text(status.holder == .kernelKeyring ? "kernelKeyring" : "process")),
            ("holderReason", reason(status).map { .text($0) } ?? .null),
            ("deviceSecret", .text(status.deviceSecretPlace)),
            ("deviceSecretOnDiskOfHome", .bool(status.isDeviceSecretOnDiskOfHome)),
            ("failedAttempts", status.failedAttempts.map { .count($0) } ?? .null),
            ("nextAttemptIn", .number(status.nextAttempt.components.seconds)),
            ("erasesAfter", status.erasesAfter.map { .count($0) } ?? .null),
            ("generation", .number(Int64(clamping: status.generation))),
            ("retiredKeys", .count(status.retiredKeys)),
            ("retiredKeysOfFiles", .count(retired?.ofFiles ?? 0)),
            ("retiredKeysNeededBy", .array((retired?.needs ?? []).map { .text($0.store) })),
            ("memoryLocked", .bool(!status.memory.isDegraded)),
            ("warnings", .texts(status.warnings)),
        ]
        if usesTPM(status) || status.tpmInReach != nil || status.recovery != .none || !status.behind.isEmpty {
            members += tpmMembers(status, keys)
        }
        return .object(members)
    }

    private static func tpmMembers(_ status: Home.Status, _ keys: PrivateKeyStorage) -> [(String, JSON)] {
        [
            ("deviceSecretTPM", status.deviceSecretTPM.map { .text($0) } ?? .null),
            ("recoveryCode", .text(status.recovery.rawValue)),
            ("underFormerDeviceSecret", .texts(names(status.behind))),
            ("underFormerRecoveryCode", .texts(names(status.boundByFormerCode))),
            ("passcodeTPM", status.passcodeTPM.map { .text($0) } ?? .null),
            ("lockout", status.lockout.map { json($0) } ?? .null),
            ("counter", status.counter.map { json($0) } ?? .null),
            ("tpmInReach", status.tpmInReach.map { .text($0) } ?? .null),
            ("privateKeys", keys.json),
            ("better", .texts(sentences(status, keys))),
        ]
    }

    /// The names of the homes that have to be unlocked once.
    private static func names(_ followers: [DeviceSecretFollower]) -> [String] {
        followers.map { follower in
            switch follower {
            case .root: "the root home"
            case .user(let user): ChosenHome.name(ofUser: user) ?? user.text
            }
        }
    }

    private static func formerCode(_ status: Home.Status) -> (String, String)? {
        guard !status.boundByFormerCode.isEmpty else { return nil }
        let names = names(status.boundByFormerCode).joined(separator: ", ").printable
        return ("bound by the recovery code from before", "\(names); keep that code until each has unlocked once")
    }

    private static func lockState(_ status: Home.Status) -> String {
        let words =
            switch status.lockState {
            case .unlocked: "unlocked"
            case .locked: "locked"
            case .beforeFirstUnlock: "locked, and not unlocked yet since the start"
            }
        guard let left = status.unlockedFor else { return words }
        return "\(words) for \(time(left))"
    }

    private static func passcode(_ status: Home.Status) -> String {
        guard let scrypt = status.keyDerivation else { return "none" }
        let memory = scrypt.memory >> 20
        let bound = status.passcodeTPM.map { ", bound to the TPM \($0.printable), which counts wrong ones" }
        let parameters = "N \(scrypt.rounds), r \(scrypt.blockSize), p \(scrypt.parallelism)"
        return "set (scrypt: \(parameters); \(memory) MiB an attempt)" + (bound ?? "")
    }

    /// The dictionary-attack parameters of a TPM.
    static func text(_ lockout: TPMLockout) -> String {
        let now = lockout.isLockedOut ? "it waits now" : "\(lockout.tries) now"
        let who =
            lockout.isGuarded ? "undone only with its authorisation" : "undone by any program that may use the TPM"
        return "\(lockout.mostTries) wrong tries, then one every \(lockout.seconds) seconds; \(now); \(who)"
    }

    private static func json(_ lockout: TPMLockout) -> JSON {
        .object([
            ("mostTries", .count(lockout.mostTries)), ("tries", .count(lockout.tries)),
            ("secondsForATry", .count(lockout.seconds)), ("waits", .bool(lockout.isLockedOut)),
            ("guarded", .bool(lockout.isGuarded)),
        ])
    }

    private static func json(_ counter: Home.Status.Counter) -> JSON {
        .object([
            ("value", .number(Int64(clamping: counter.value))), ("raisedAt", .number(counter.time)),
            ("boundToPasscode", .bool(counter.isOfPasscode)),
        ])
    }

    private static func scrypt(_ status: Home.Status) -> JSON {
        guard let scrypt = status.keyDerivation else { return .null }
        let members = [("n", scrypt.rounds), ("r", scrypt.blockSize), ("p", scrypt.parallelism)]
        return .object(members.map { ($0.0, .count($0.1)) })
    }

    private static func holder(_ status: Home.Status) -> String {
        guard status.holder != .kernelKeyring else { return "the kernel's keyring" }
        return "each process itself" + (reason(status).map { ": \($0.printable)" } ?? "")
    }

    private static func reason(_ status: Home.Status) -> String? {
        guard case .processInsteadOfKernelKeyring(let reason) = status.holder else { return nil }
        return reason
    }

    private static func attempts(_ status: Home.Status) -> String {
        let count = status.failedAttempts.map(String.init) ?? "unknown"
        return status.nextAttempt > .zero ? "\(count), the next try in \(time(status.nextAttempt))" : count
    }

    private static func memory(_ status: Home.Status) -> String {
        status.memory.isDegraded ? "secrets may reach swap space or dumps" : "secrets are locked and left out of dumps"
    }

    /// Formats a duration as `1h 5m` or `59s`.
    private static func time(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")]
        let shown = parts.drop { $0.0 == 0 }.prefix(2).map { "\($0.0)\($0.1)" }
        return shown.isEmpty ? "0s" : shown.joined(separator: " ")
    }
}

/// Retired class keys: their number, and the stores that need them.
enum RetiredKeysPrinter {
    /// For example "12, needed by keychain 3; 5 kept for files: ..."; nil without retired keys. `looked`: files
    /// were examined.
    static func text(_ keys: RetiredKeys, looked: Bool = false) -> String? {
        guard keys.left > 0 else { return nil }
        let needs = keys.needs.map { need in
            need.keys.map { "\(need.store) \($0)" }
                ?? "\(need.store), perhaps all of them: \(need.reason ?? "that can't be told")"
        }
        var parts = needs.isEmpty ? [] : ["needed by " + needs.joined(separator: "; ")]
        if keys.ofFiles > 0, !looked { parts.append("\(keys.ofFiles) kept for files: \(keys.remedy)") }
        return "\(keys.left), " + (parts.isEmpty ? "needed by none" : parts.joined(separator: "; "))
    }

    /// The lines for the examination; after a removal also its result.
    static func lines(_ keys: RetiredKeys, removing: Bool) -> [String] {
        let done = removing ? ["retired keys removed: \(keys.removed)"] : []
        return done + (text(keys, looked: removing).map { ["retired keys: \($0.printable)"] } ?? [])
    }

    static func json(_ keys: RetiredKeys) -> JSON {
        .object([
            ("removed", .count(keys.removed)),
            ("left", .count(keys.left)),
            ("keptForFiles", .count(keys.ofFiles)),
            (
                "needs",
                .array(
                    keys.needs.map { need in
                        .object([
                            ("store", .text(need.store)), ("keys", need.keys.map { .count($0) } ?? .null),
                            ("reason", need.reason.map { .text($0) } ?? .null),
                        ])
                    })
            ),
        ])
    }
}
