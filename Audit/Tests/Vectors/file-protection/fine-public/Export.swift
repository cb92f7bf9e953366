// SPDX-License-Identifier: Apache-2.0

import Foundation

func export(password: String, log: String, to folder: URL) throws {
    try Data(log.utf8).write(to: folder.appendingPathComponent("log.txt"))
    try Data("\(password.count)".utf8).write(to: folder.appendingPathComponent("count.txt"))
}
