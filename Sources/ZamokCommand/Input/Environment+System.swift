// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Variables of the environment, one at a time: `ProcessInfo` copies all of them.
enum Environment {
    static func value(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
