// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/statuses from Statuses.tsv.

extension ExitStatus {
    /// `doctor`, `profiles`, `files verify`, `files audit`, `port`, `audit`, `sweep`: there are findings. `credential
    /// docker`: what docker calls a failure, told on standard output.
    static let findings: Int32 = 1
    /// Those with findings: something could not be read, so that the findings may not be all.
    static let notRun: Int32 = 2
    /// Some of it was done, and some was not; each part that was not was told.
    static let inPart: Int32 = 3
    /// The words of the command line are wrong; nothing was done.
    static let usage: Int32 = 64
    /// The system does not say with which words the command was started.
    static let notSetUp: Int32 = 71
    /// `run`, `audit`, `sync`: the program is there and can't be started.
    static let notStarted: Int32 = 126
    /// `run`, `audit`, `sync`: there is no such program.
    static let noProgram: Int32 = 127

    /// Those that no OSStatus comes down to.
    static let own: [(status: Int32, meaning: String)] = [
        (0, "Done; of what looks for findings: there are none."),
        (
            1,
            "`doctor`, `profiles`, `files verify`, `files audit`, `port`, `audit`, `sweep`: there are findings. `credential docker`: what docker calls a failure, told on standard output."
        ),
        (2, "Those with findings: something could not be read, so that the findings may not be all."),
        (3, "Some of it was done, and some was not; each part that was not was told."),
        (64, "The words of the command line are wrong; nothing was done."),
        (71, "The system does not say with which words the command was started."),
        (126, "`run`, `audit`, `sync`: the program is there and can't be started."),
        (127, "`run`, `audit`, `sync`: there is no such program."),
    ]
}
