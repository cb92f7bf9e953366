// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Random moments at which a test kills a process: few in a normal run, more with `ZAMOK_LONG`, by hand as many as
/// `ZAMOK_KILLS` says. The seed is printed and can be given as `ZAMOK_FUZZ_SEED`.
package struct RandomKills {
    package let count: Int
    private let name: String
    private var generator: SeededGenerator
    private var inside = 0

    package init(_ name: String, bounded: Int, long: Int) {
        let environment = ProcessInfo.processInfo.environment
        let usual = environment["ZAMOK_LONG"] == nil ? bounded : long
        count = environment["ZAMOK_KILLS"].flatMap { Int($0) } ?? usual
        let seed = FuzzBudget.seed(environment: environment)
        generator = SeededGenerator(seed: seed)
        self.name = "\(name), seed \(seed)"
    }

    /// Gives the child, which is ready, all its commands, one a line. Lets it run for a random part of `time`, and
    /// kills it. Answers its output.
    package mutating func strike(_ child: Child, _ commands: [String], within time: Duration) throws -> [String] {
        try child.send((commands.joined(separator: "\n") + "\n").utf8)
        let most = max(1, Int(time / .microseconds(1)))
        usleep(UInt32(Int.random(in: 0..<most, using: &generator)))
        child.kill(SIGKILL)
        let said = try child.rest().text.split(separator: "\n").map(String.init)
        if said.count < commands.count { inside += 1 }
        return said
    }

    /// Says how many met a change under way.
    package func report() { print("\(name): \(count) kills, \(inside) of them before the last change was done") }

    /// Whether some came before the end: else the run shows nothing.
    package var hitSomething: Bool { inside > 0 }
}
