// SPDX-License-Identifier: Apache-2.0
//
// A program whose memory tests look into: secret-memory-victim SCENARIO ARGUMENT...

import SecretMemory

let arguments = CommandLine.arguments
let key = try Conversation.readKey()
ClearedScope.setClearing(arguments[2] == "clear")
try KeyWork(rawValue: arguments[1])?.run(with: key)
var here = 0
unsafe withUnsafePointer(to: &here) { Conversation.pause(at: "ready \(UInt(bitPattern: $0))") }
