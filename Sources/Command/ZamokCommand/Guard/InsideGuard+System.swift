// SPDX-License-Identifier: Apache-2.0

import CPlatform
import GuardChannels
import Guards
import KeychainEngine
import Readers

/// The first program of a guest: this one, started by bubblewrap, until it becomes the program that the person named.
enum InsideGuard {
    /// The word that starts it. Not a command: outside a guard it does nothing.
    static let word = "__inside-guard"

    /// `words`: the number of folders to write to, these, the ports of the proxy or `-`, then the program and its
    /// arguments. Returns the status if the program can't be started.
    static func run(_ words: [String]) -> Int32 {
        guard let guarded = CurrentItems.ofGuard, let first = words.first, let count = Int(first), count >= 0,
            words.count > count + 2
        else { return tell("this is started by zamok guard alone", ExitStatus.usage) }
        let folders = Array(words[1..<(count + 1)])
        let ports = words[count + 1].split(separator: ",").compactMap { Int32($0) }
        let program = Array(words[(count + 2)...])
        let listening = InsideNetwork.handOver(ports)
        guard listening == 0 else {
            return tell("the guard's proxy has no socket here: \(SystemCode.text(-listening))", ExitStatus.notStarted)
        }
        if count > 0 {
            let result = unsafe withTexts(folders) { texts in unsafe zamok_guard_confine(texts, Int32(count)) }
            // A kernel without Landlock: the mounts hold alone.
            guard result == 0 || result == -ENOSYS || result == -EOPNOTSUPP else {
                return tell(
                    "Landlock can't be had (\(SystemCode.text(-result))); leave it out with --without landlock",
                    ExitStatus.notStarted)
            }
        }
        do { try guarded.begin() } catch {
            return tell("the guard does not answer: \(error.message)", ExitStatus.notStarted)
        }
        _ = zamok_guard_close_from(3, 1)
        let number = unsafe -withTexts(program) { texts in unsafe zamok_guard_become(texts) }
        return number == ENOENT
            ? tell("there is no program \(program[0].printable) inside", ExitStatus.noProgram)
            : tell("\(program[0].printable) can't be started: \(SystemCode.text(number))", ExitStatus.notStarted)
    }

    private static func tell(_ text: String, _ status: Int32) -> Int32 {
        try? Channel.error.line("zamok: guard: \(text)")
        return status
    }
}
