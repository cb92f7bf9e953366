// SPDX-License-Identifier: Apache-2.0
//
// Preferences and users beside UserDefaults, plain GRDB and the recipe that apps use, in one run. Each goal on a line; status 1 if one is missed.
//
//   PreferencesBenchmarks [reading | durable | relaxed | batches | opening | switching | recipe]...    all of them without a word

import Foundation
import Meter

let goals = Goals()
let values = Values(goals: goals)
let switching = Switching(goals: goals)
let wanted = Set(CommandLine.arguments.dropFirst())
func isWanted(_ part: String) -> Bool { wanted.isEmpty || wanted.contains(part) }
if isWanted("reading") { try values.reading() }
if isWanted("durable") { try values.durable() }
if isWanted("relaxed") { try values.relaxed() }
if isWanted("batches") { try values.batches() }
if isWanted("opening") { try values.opening() }
if isWanted("switching") { try await switching.run() }
if isWanted("recipe") { try await switching.recipe() }
exit(goals.missed == 0 ? 0 : 1)
