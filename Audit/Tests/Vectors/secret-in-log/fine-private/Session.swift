// SPDX-License-Identifier: Apache-2.0

import os

final class Session {
    let logger = Logger(subsystem: "example", category: "session")

    func signIn(password: String, error: any Error) {
        logger.info("signs in with \(password)")
        os_log("password %@", password)
        logger.error("\(error.localizedDescription, privacy: .public)")
        print(error)
    }
}
