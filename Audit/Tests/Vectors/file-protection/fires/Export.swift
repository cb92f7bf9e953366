// SPDX-License-Identifier: Apache-2.0

import Foundation

func export(password: String, to folder: URL) throws {
    let text = "password: \(password)"
    try Data(text.utf8).write(to: folder.appendingPathComponent("export.txt"), options: .atomic)  // finds
}
