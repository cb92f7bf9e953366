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
    public static func run(_ words: [String], with keys: KeyHandOver?) -> Outcome {
        run(words, with: keys, as: nil).outcome
    }

    /// What takes the place of a piece of a program's output (descriptor 1) or errors (2); an empty piece is the end.
    package typealias Filter = @Sendable (_ descriptor: Int32, _ piece: [UInt8]) -> [UInt8]

    /// Why some of a program's filtered output was not passed on.
    package enum Undelivered: Sendable, Equatable {
        /// The program has ended, and a process that it started holds its output open: what that writes from now on is refused.
        case leftRunning
        /// It can't be written; the number is that of errno.h.
        case unwritten(errorNumber: Int32)
    }

    /// `user`: whose the program is, as `Home.userVariable` takes it; nil: as it would be anyway. `variables`: more of its environment, without zero bytes.
    /// `given`: what it reads at descriptors from 3 to 63, once and to its end. `filter`: what takes the place of its output and errors, which are then no
    /// terminals. What the program wrote before its end went through it when this returns.
    package static func run(
        _ words: [String], with keys: KeyHandOver?, as user: String?, variables: [(name: String, value: Secret)] = [],
        given: [(number: Int32, value: Secret)] = [],
        filter: Filter? = nil
    ) -> (outcome: Outcome, undelivered: Undelivered?) {
        guard !words.isEmpty else { return (.missing, nil) }
        removeEnvironmentValue(PasscodeFile.variable)
        if let user { setEnvironmentValue(Home.userVariable, user) }
        for (name, value) in variables { setEnvironmentValue(name, value) }
        if let (name, value) = keys?.environment { setEnvironmentValue(name, value) }
        let (result, undelivered) = withExtendedLifetime(keys) { runProgram(words, given: given, filter: filter) }
        guard result < 0 else { return (.ended(status: result), undelivered) }
        return (isMissing(-result) ? .missing : .refused(errorNumber: -result), undelivered)
    }
}
