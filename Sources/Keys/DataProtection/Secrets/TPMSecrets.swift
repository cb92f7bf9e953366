// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import TPMs

/// Device secrets that a TPM gave to this process, cached so that it is asked once. Any process that may run as this
/// user may ask it too.
enum TPMSecrets {
    private static let most = 4
    /// How long a TPM that did not answer isn't asked again: several readers in a row would wait half a minute each.
    private static let rest = Duration.seconds(5)

    private struct State {
        var known: [(file: [UInt8], secret: Secret)] = []
        var recoveryCodes: [RecoveryCode] = []
        var silent: (file: [UInt8], since: ContinuousClock.Instant, waited: Duration)?
        var reading: (counter: TPMCounter, value: UInt64, at: ContinuousClock.Instant)?
    }

    /// How long a counter's value that was read together with the secret is current enough: for the opening that asked
    /// for the secret.
    private static let fresh = Duration.seconds(1)

    private static let state = Locked(State())

    /// Whether this process has opened a device secret, by a TPM or by the recovery code of one. If not, there is no
    /// reason to ask a TPM.
    static var hasOpenedAny: Bool { state.withLock { !$0.known.isEmpty } }

    /// The recovery codes that this process was given, which replace the TPM: the current one, and an earlier one to
    /// which a passcode's value is still sealed.
    static var recoveryCodes: [RecoveryCode] {
        get { state.withLock { $0.recoveryCodes } }
        set { state.withLock { $0.recoveryCodes = newValue } }
    }

    /// The counter's value that was read together with the secret just now; nil when asked again.
    static func takeReading(of counter: TPMCounter) -> UInt64? {
        state.withLock { state in
            guard let reading = state.reading, reading.counter == counter else { return nil }
            state.reading = nil
            return reading.at.duration(to: .now) < fresh ? reading.value : nil
        }
    }

    /// Discards the value that was read: the counter was raised since.
    static func forgetReading() { state.withLock { $0.reading = nil } }

    /// The secret of the file with these bytes; `verify` checks and copies it. `counter`: that of freshness, which is
    /// read in the same session.
    static func secret(
        _ file: [UInt8], _ sealed: SealedToTPM, over way: TPMAddress, counter: TPMCounter?,
        verify: (borrowing SecretBytes) throws -> SecretBytes
    ) throws -> SecretBytes {
        if let known = state.withLock({ $0.known.first { $0.file == file }?.secret }) {
            return try known.withSecretBytes { try $0.part(0..<$0.count) } ?? { throw SecretFault.short }()
        }
        if let silent = state.withLock({ $0.silent }), silent.file == file,
            way.patience <= silent.waited, silent.since.duration(to: .now) < rest
        {
            throw DataProtectionError(TPMError.silent, way)
        }
        do {
            guard let counter else {
                let secret = try verify(try way.open(sealed))
                try keep(secret, of: file)
                return secret
            }
            let asked = ContinuousClock.now
            let opened = try way.open(sealed) { secret in
                (counter, try secret.withSecretBytes { try counter.authorization($0) })
            }
            let secret = try verify(opened.secret)
            if let value = opened.value { state.withLock { $0.reading = (counter, value, asked) } }
            try keep(secret, of: file)
            return secret
        } catch let error as TPMError {
            if error == .silent { state.withLock { $0.silent = (file, .now, way.patience) } }
            throw DataProtectionError(error, way)
        }
    }

    /// Caches a secret that was verified.
    static func keep(_ secret: borrowing SecretBytes, of file: [UInt8]) throws {
        guard let copy = try secret.part(0..<secret.count) else { throw SecretFault.short }
        let kept = Secret(copy)
        state.withLock { state in
            state.known.removeAll { $0.file == file }
            state.known.append((file, kept))
            if state.known.count > most { state.known.removeFirst() }
        }
    }

    /// For tests, which are one process: resets this to the state of another process.
    static func forget() { state.withLock { $0 = State() } }

    private enum SecretFault: Error { case short }
}

extension DataProtectionError {
    /// The error for the user when the TPM at `way` gives no result. `hasSecret`: this TPM has the device secret.
    init(_ error: TPMError, _ way: TPMAddress, hasSecret: Bool = true) {
        let tpm = "the TPM \(way)"
        let recovery = "with the recovery code the home opens without it: zamok device file --recovery"
        let (code, message): (Code, String) =
            switch error {
            case .away(let number):
                (
                    .tpmUnreachable,
                    "\(tpm) can't be reached (\(TPMError.text(number)))\(hasSecret ? ", and it has the device secret" : ""); nothing was changed; \(TPMAddress.variable) names another way to it\(hasSecret ? "; \(recovery)" : "")"
                )
            case .silent:
                (
                    .tpmTimedOut,
                    "\(tpm) did not answer within \(way.patience.components.seconds) s; nothing was changed; try again"
                )
            case .garbage(let what):
                (.tpmFailed, "\(tpm) gave an answer that can't be used: \(what); nothing was changed")
            case .full:
                (
                    .tpmFailed,
                    "all places of \(tpm) for objects and sessions are taken; nothing was changed; end the programs that use it, or start it again, which loses nothing that it keeps"
                )
            case .lockedOut:
                (
                    .tpmFailed,
                    "\(tpm) is in dictionary-attack lockout after too many wrong tries; nothing was changed; try again later"
                )
            case .wrongAuthorization:
                (.tpmFailed, "\(tpm) refused the authorisation; nothing was changed")
            case .superseded, .counterGone, .counterReplaced:
                (.tpmFailed, "a counter of \(tpm) is not as it was; nothing was changed")
            case .noRoomForCounter:
                (.tpmFailed, "\(tpm) has no room for a counter; nothing was changed")
            case .refused(let number):
                (
                    .tpmFailed,
                    "\(tpm) refused with response code 0x\(String(number, radix: 16)); nothing was changed"
                )
            case .damagedBlob:
                (.damaged, "what \(tpm) once sealed is damaged; put the device secret's file back from a backup")
            case .otherTPM:
                (
                    .otherTPM,
                    "\(tpm) is not the one that has this home's device secret; nothing was changed; \(recovery)"
                )
            case .cleared:
                (
                    .tpmCleared,
                    hasSecret
                        ? "\(tpm) was cleared, and this home's device secret with it; nothing was changed; \(recovery)"
                        : "\(tpm) was cleared; nothing was changed"
                )
            case .otherMeasurements:
                (
                    .otherMeasurements,
                    "\(tpm) measured another start of the machine (PCRs) than the one that the device secret is bound to; nothing was changed; start the machine as before, or \(recovery)"
                )
            }
        self.init(code, message, cause: error)
    }
}
