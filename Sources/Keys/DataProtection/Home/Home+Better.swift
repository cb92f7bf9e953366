// SPDX-License-Identifier: Apache-2.0

import TPMs

/// What the TPM could do for a home beyond what it already does
/// (`Documentation/Formats/TPMObjects.md`, "What status says").
extension Keybag {
    /// The TPM that holds the device secret, else the one that the environment names, else the machine's if a
    /// connection can be opened; nil if there is none. Sends no command to a TPM.
    func tpmInReach() throws -> TPMAddress? {
        let file = place.deviceSecret
        if let known = try file.tpm() { return known }
        let way = file.way ?? .usual
        return (try? way.isThere()) == true ? way : nil
    }

    /// One sentence for each improvement, with the command.
    func better(_ file: KeybagFile, _ reach: TPMAddress?, isCounted: Bool) throws -> [String] {
        guard let reach else { return [] }
        let record = try place.deviceSecret.record()
        guard case .tpm(_, let sealed) = record?.form else {
            // If the user put the file elsewhere, it isn't moved.
            guard case .home = place.deviceSecret.location else { return [] }
            let first = RecoveryState(record?.recovery) == .typedBack ? "" : "zamok device recovery, then "
            return [
                "the TPM \(reach) is here, and the device secret is in a file; to move it: \(first)zamok device tpm"
            ]
        }
        var sentences: [String] = []
        if record?.recovery == nil {
            sentences.append(
                "without a recovery code the home is lost with the TPM; to make one: zamok device recovery")
        }
        if file.hasPasscode, !file.isBound {
            sentences.append(
                "the TPM can count wrong passcodes, so that no guess is possible without it; to bind it: zamok passcode bind"
            )
        }
        if !isCounted {
            sentences.append(
                "the TPM has no counter for this home, so that an earlier state that is put back isn't told; once it has room: zamok device tpm"
            )
        }
        if sealed.measurements == .none {
            sentences.append(
                "the TPM gives the device secret however the machine was started; to bind it to secure boot's state, after whose updates the recovery code is needed: zamok device tpm --pcrs 7"
            )
        }
        return sentences
    }
}
