// SPDX-License-Identifier: Apache-2.0
//
// The keychain and its keys, each in turn with a baseline in this process. Each goal on a line; status 1 if one is missed.
//
//   KeychainBenchmarks [lookups | writes | keys | identities]...    all of them without a word

import Foundation
import Meter

let goals = Goals()
let wanted = Set(CommandLine.arguments.dropFirst())
func isWanted(_ part: String) -> Bool { wanted.isEmpty || wanted.contains(part) }

/// So that nothing is left out because nobody looks at it.
@inline(never)
func keep<Value>(_ value: Value) {}

if isWanted("lookups") { try Stores(goals: goals).lookups() }
if isWanted("writes") { try Stores(goals: goals).writes() }
if isWanted("keys") { try Keys(goals: goals).signatures() }
if isWanted("identities") { try Keys(goals: goals).identities() }
exit(goals.missed == 0 ? 0 : 1)
