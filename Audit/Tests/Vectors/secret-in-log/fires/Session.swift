// SPDX-License-Identifier: Apache-2.0

import Foundation
import os

struct Tokens: Codable {
    let accessToken: String
    let expiresIn: Int
}

final class Session {
    let logger = Logger(subsystem: "example", category: "session")

    func signIn(password: String) {
        let body = "user=a&password=\(password)"
        print("sends \(body)")  // finds
        NSLog("%@", password)  // finds
        logger.info("signs in with \(password, privacy: .public)")  // finds
        log(password)  // finds
    }

    func read(_ data: Data) throws {
        print(String(decoding: data, as: UTF8.self))  // finds
        let answer = try JSONDecoder().decode(Tokens.self, from: data)
        print("got \(answer)")  // finds
        print("expires in \(answer.expiresIn)")
    }

    func log(_ message: String) { print("[session] \(message)") }
}
