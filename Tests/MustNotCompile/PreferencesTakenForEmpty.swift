// SPDX-License-Identifier: Apache-2.0
//
// A read that takes "not ready" for an empty answer, without saying so. `Scripts/snippets` sees the compiler refuse
// each such line.

import UserPreferences

func sizes(_ preferences: Preferences, _ key: PreferenceKey<Int>) {
    _ = preferences.value(for: key)  // refused: call can throw
    _ = preferences.integer(forKey: "fontSize")  // refused: call can throw
    _ = preferences.string(forKey: "theme") ?? "none"  // refused: call can throw
    _ = preferences.dictionaryRepresentation()  // refused: call can throw
    _ = (try? preferences.integer(forKey: "fontSize")) ?? 0
}
