// SPDX-License-Identifier: Apache-2.0

package import SecretMemory

/// Starts a program and stands in for it until it ends: signals are passed on, and its status is returned. For launchers that hand keys over
/// (``KeyHandOver``).
public enum Launcher {
    /// What became of a program.
    public enum Outcome: Sendable, Equatable {
        /// It ended with this status, or was ended by a signal: 128 + its number.
        case ended(status: Int32)
        /// There is no such program.
        case missing
        /// The system refuses to start it; the number is that of errno.h.
        case refused(errorNumber: Int32)
    }

    /// Runs `words`: a program, found along `PATH`, and its arguments. It inherits the environment and the open descriptors, and with `keys` what
    /// makes it unlocked; but not the name of the passcode's file (`PasscodeFile.variable`), with which it could unlock for itself after a lock.
    /// As process 1, the first of a container, it reaps every child of this process that ends meanwhile.
    public static func run(_ words: [String], with keys: KeyHandOver?) -> Outcome { run(words, with: keys, as: nil) }

    /// `user`: whose the program is, as `Home.userVariable` takes it; nil: as it would be anyway. `variables`: more of its environment, without zero bytes.
    /// `given`: what it reads at descriptors from 3 to 63, once and to its end. `filter`: what takes the place of its output and errors, which are then no
    /// terminals; called with each piece, and with none at the end.
    package static func run(
        _ words: [String], with keys: KeyHandOver?, as user: String?, variables: [(name: String, value: Secret)] = [],
        given: [(number: Int32, value: Secret)] = [],
        filter: (@Sendable (_ descriptor: Int32, _ piece: [UInt8]) -> [UInt8])? = nil
    ) -> Outcome {
        guard !words.isEmpty else { return .missing }
        removeEnvironmentValue(PasscodeFile.variable)
        if let user { setEnvironmentValue(Home.userVariable, user) }
        for (name, value) in variables { setEnvironmentValue(name, value) }
        if let (name, value) = keys?.environment { setEnvironmentValue(name, value) }
        let result = withExtendedLifetime(keys) { runProgram(words, given: given, filter: filter) }
        guard result < 0 else { return .ended(status: result) }
        return isMissing(-result) ? .missing : .refused(errorNumber: -result)
    }
}
