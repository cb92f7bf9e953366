// SPDX-License-Identifier: Apache-2.0

import AppUsers
import DataProtection
import Foundation
import TestHomes
import UserPreferences

/// Works on the users of a home until it is killed: `UserWorker FOLDER FIRST-NUMBER`.
///
/// Switches between all users; after each switch writes a batch of two preferences with one number and one single preference. A line on
/// standard output acknowledges each finished call: `switch NAME`, `batch NAME N`, `single NAME N`.
@main
struct UserWorker {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, var number = Int(arguments[2]) else { exit(64) }
        let directory = try UserDirectory(root: try Home(TemporaryHome.configuration(of: arguments[1])))
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

    private static func acknowledge(_ line: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
    }
}
