// SPDX-License-Identifier: Apache-2.0

/// Which holder keeps class keys between calls.
public enum HolderChoice: Sendable {
    /// The kernel keyring where it works, else this process.
    case automatic
    /// The kernel keyring or an error.
    case kernelKeyring
    /// This process alone.
    case process
}

/// The holder of a keybag, as chosen and as the system allows.
struct HolderSelection: Sendable {
    let choice: HolderChoice
    let process: HomeProcess

    init(_ choice: HolderChoice, _ process: HomeProcess) {
        self.choice = choice
        self.process = process
    }

    func group(_ role: KeyGroup.Role, _ home: UniqueIdentifier, generation: UInt64) throws -> KeyGroup? { nil }
}
