// SPDX-License-Identifier: Apache-2.0
//
// A process that works on a home for a test: one command per line, fields separated by tabs; one answer per line, "ok"
// with a value, or "error" with the OSStatus.

import Foundation

guard CommandLine.arguments.count >= 2 else { exit(64) }
var worker = try Worker(path: CommandLine.arguments[1])
say("ready")
while let line = readLine() {
    say(worker.answer(line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)))
}
