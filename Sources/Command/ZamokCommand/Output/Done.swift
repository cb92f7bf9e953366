// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// What a command has changed so far. A command that changes something and then prints notes the change between the
/// two: when the output can't be written, the error says what is done, and the status is 3 (done in part). Without a
/// note such an error means that nothing was changed.
enum Done {
    private static let noted = Locked<(done: String, lost: String)?>(nil)

    /// `done`: a clause, such as "the item is stored". `lost`: what is printed next.
    static func note(_ done: String, lost: String = "the output") { noted.withLock { $0 = (done, lost) } }

    /// The failure for output that can't be written; nil: nothing was changed.
    static func failure(_ reason: String) -> CommandFailure? {
        noted.withLock { $0 }.map {
            CommandFailure(
                exitStatus: ExitStatus.inPart, message: "\($0.done); \($0.lost) could not be written: \(reason)")
        }
    }
}
