// SPDX-License-Identifier: Apache-2.0
//
// A program whose memory tests look into: secret-memory-victim SCENARIO ARGUMENT...
//
// It says a word for each point that it comes to, and goes on when told to. Keys come on standard input.

import CTestTools
import SecretMemory

let arguments = CommandLine.arguments
var number: (Int) -> Int { { arguments.indices.contains($0) ? Int(arguments[$0]) ?? 0 : 0 } }

switch arguments[1] {
case "work": try Scenario.work(arguments[2], isClearing: arguments[3] == "clearing", threads: number(4))
case "hold": try Scenario.hold(count: number(2))
case "limited": try Scenario.fill(limit: number(2), secrets: number(3), of: number(4))
case "refused": try Scenario.fill(refusing: arguments[2], with: Int32(number(3)))
case "failing": Scenario.failToFill(times: number(2))
case "fork": try Scenario.fork(isWipedBySystem: arguments[2] == "wiped")
case "overrun": try Scenario.overrun(arguments[2])
case "dump": try Scenario.dump()
case "undumpable": try Scenario.refuseDumps()
default: Conversation.say("no such scenario")
}
