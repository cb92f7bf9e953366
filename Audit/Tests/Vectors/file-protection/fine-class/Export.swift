// SPDX-License-Identifier: Apache-2.0

import Foundation

func export(password: String, to folder: URL) throws {
    let text = "password: \(password)"
    let file = folder.appendingPathComponent("export.txt")
    try Data(text.utf8).write(to: file, options: [.atomic, .completeFileProtection])
}
