// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ProcessSetup {
    /// The system assigns the lowest free descriptor next.
    static func occupyIfClosed(_ descriptor: Int32, forReading: Bool) {
        guard fcntl(descriptor, F_GETFD) < 0 else { return }
        _ = unsafe open("/dev/null", forReading ? O_RDONLY : O_WRONLY)
    }

    /// Installs a handler, which `exec` resets. A signal that was ignored from the start stays ignored.
    static func outliveBrokenPipes() {
        var before = sigaction()
        unsafe sigaction(SIGPIPE, nil, &before)
        guard unsafe before.__sigaction_handler.sa_handler == nil else { return }
        signal(SIGPIPE) { _ in }
    }
}

/// Single environment variables: `ProcessInfo` copies all of them.
enum Environment {
    static func value(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
