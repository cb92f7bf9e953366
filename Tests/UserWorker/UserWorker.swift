// SPDX-License-Identifier: Apache-2.0

import AppUsers
import DataProtection
import Foundation
import SecretMemory
import TestHomes
import UserPreferences

/// Works on the users of a home for tests that kill it, cut it off from the disk or watch it from another process.
///
/// - `UserWorker work FOLDER FIRST-NUMBER`: switches between all users until it is killed; after each switch writes a batch of two preferences with
///   one number and one single preference. A line on standard output acknowledges each finished call: `switch NAME`, `batch NAME N`, `single NAME N`.
/// - `UserWorker obey FOLDER`: reads a command from each line of standard input and answers `ok`, what was asked for, or the code of the error.
@main
struct UserWorker {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else { exit(64) }
        switch (arguments[1], arguments.count) {
        case ("work", 4): try await work(arguments[2], Int(arguments[3]) ?? 0)
        case ("obey", 3): await Obedience(folder: arguments[2]).run()
        default: exit(64)
        }
    }

    private static func work(_ folder: String, _ first: Int) async throws {
        var number = first
        let directory = try UserDirectory(root: try Home(TemporaryHome.configuration(of: folder)))
        Home.setCurrent(directory.root)
        let users = try directory.users()
        while true {
            for user in users {
                number += 1
                try await directory.switch(to: user)
                acknowledge("switch \(user.name)")
                let preferences = try Preferences()
                try preferences.update { batch in
                    batch.set(.integer(Int64(number)), forKey: "left")
                    batch.set(.integer(Int64(number)), forKey: "right")
                    batch.set(.string(user.name), forKey: "owner")
                }
                acknowledge("batch \(user.name) \(number)")
                try preferences.set(number, forKey: "single")
                acknowledge("single \(user.name) \(number)")
            }
        }
    }

    static func acknowledge(_ line: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
    }
}
