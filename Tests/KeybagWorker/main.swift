// SPDX-License-Identifier: Apache-2.0
//
// keybag-worker HOME [--umask OCTAL] [--environment]: one process of several, for tests. Reads a command a line, answers a line each:
// "done", a value, or "error CODE". It ends with its input. Keys are made and used with the package's own API, and never printed.

import CPlatform
import CTestTools
import DataProtection
import Foundation
import SecretMemory

var arguments = Array(CommandLine.arguments.dropFirst())
guard let folder = arguments.first else { exit(64) }
if let place = arguments.firstIndex(of: "--umask"), let mask = Int(arguments[place + 1], radix: 8) {
    umask(mode_t(mask))
}

let worker = Worker(folder, readsEnvironment: arguments.contains("--environment"))
while let line = readLine() {
    let answer = worker.answer(line.split(separator: " ").map(String.init))
    FileHandle.standardOutput.write(Data("\(answer)\n".utf8))
}
