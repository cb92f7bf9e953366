// SPDX-License-Identifier: Apache-2.0

package import SecretMemory

/// Starts a program and represents it until it ends: passes signals on, and returns its status. For launchers that hand
/// keys over (``KeyHandOver``).
public enum Launcher {
    /// How running a program ended.
    public enum Outcome: Sendable, Equatable {
        /// It exited with this status, or was ended by a signal: 128 + the signal's number.
        case ended(status: Int32)
        /// There is no such program.
        case missing
        /// The system refuses to start it, with this errno value.
        case refused(errorNumber: Int32)
    }

    /// Runs `words`: a program, found along `PATH`, and its arguments.
    ///
    /// The program inherits the environment, the open descriptors, and with `keys` what unlocks it. It does not inherit
    /// the name of the passcode file (`PasscodeFile.variable`), with which it could unlock again after a lock.
    ///
    /// As process 1, the first of a container, this reaps every child of this process that ends in the meantime.
    public static func run(_ words: [String], with keys: KeyHandOver?) -> Outcome {
        run(words, with: keys, as: nil).outcome
    }

    /// Replaces a piece of a program's output (descriptor 1) or errors (2). An empty piece is the end.
    package typealias Filter = @Sendable (_ descriptor: Int32, _ piece: [UInt8]) -> [UInt8]

    /// Why some of a program's filtered output was not passed on.
    package enum Undelivered: Sendable, Equatable {
        /// The program has ended, but a process that it started holds its output open. What that process writes from
        /// now on is refused.
        case leftRunning
        /// Writing failed with this errno value.
        case unwritten(errorNumber: Int32)
    }

    /// Runs `words` like the public `run`, with more options.
    ///
    /// - `user`: whose home the program uses, in the form of `Home.userVariable`; nil: unchanged.
    /// - `variables`: additional environment variables, without zero bytes.
    /// - `given`: values that the program reads at descriptors 3 to 63, once and to their end.
    /// - `filter`: replaces the program's output and errors, which are then not terminals. When this returns,
    ///   everything that the program wrote before its end has passed through the filter.
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
