// SPDX-License-Identifier: Apache-2.0

import AppUsers
import DataProtection
import Foundation
import SecretMemory
import TestSupport
import UserPreferences

/// Works on the users of a home for tests that kill it, cut it off from the disk or watch it from another process.
///
/// - `test-worker users work HOME FIRST-NUMBER`: switches between all users until it is killed. After each switch it
///   writes a batch with one number in two preferences and the user's name in a third, and then one single preference.
///   A line on standard output acknowledges each finished call: `switch NAME`, `batch NAME N`, `single NAME N`.
/// - `test-worker users obey HOME`: reads a command from each line of standard input and answers `ok`, the requested
///   value, or the code of the error.
enum UserWorker {
    static func run(_ arguments: [String]) async throws {
        switch (arguments.first, arguments.count) {
        case ("work", 3): try await work(arguments[1], Int(arguments[2]) ?? 0)
        case ("obey", 2): await Obedience(folder: arguments[1]).run()
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
                Conversation.say("switch \(user.name)")
                let preferences = try Preferences()
                try preferences.update { batch in
                    batch.set(.integer(Int64(number)), forKey: "left")
                    batch.set(.integer(Int64(number)), forKey: "right")
                    batch.set(.string(user.name), forKey: "owner")
                }
                Conversation.say("batch \(user.name) \(number)")
                try preferences.set(number, forKey: "single")
                Conversation.say("single \(user.name) \(number)")
            }
        }
    }
}
