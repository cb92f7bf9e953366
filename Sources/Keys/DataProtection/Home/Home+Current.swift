// SPDX-License-Identifier: Apache-2.0

import SecretMemory

extension Home {
    private static let shared = Locked<Home?>(nil)

    @TaskLocal private static var override: Home?

    /// The home that SecItem, LAContext and `Keychain(service:)` use unless given another.
    ///
    /// Opened when first asked for, from the environment, and kept for the life of the process: that of the user who was switched to, or whom `zamok
    /// run --user` names. After the home was erased it is opened anew. In a child after fork there are no secrets and so no home: `.forked`. Errors:
    /// those of `init`.
    public static var current: Home {
        get throws(DataProtectionError) {
            if let override { return override }
            if let known = shared.withLock({ $0 }), known.keybag.isUsable { return known }
            let opened = try Home(Configuration()).homeOfUserAtStart()
            return shared.withLock { shared in
                if let known = shared, known.keybag.isUsable { return known }
                shared = opened
                return opened
            }
        }
    }

    /// The same, but nil where none was asked for yet: nothing is opened.
    package static var openCurrent: Home? {
        override ?? shared.withLock { $0 }.flatMap { $0.keybag.isUsable ? $0 : nil }
    }

    /// Makes `home` the current one of this process, for all threads.
    public static func setCurrent(_ home: Home) { shared.withLock { $0 = home } }

    /// Runs `body` with `home` as `Home.current` in this task; for tests and for servers with several homes.
    public static func withCurrent<R>(_ home: Home, _ body: () throws -> R) rethrows -> R {
        try $override.withValue(home, operation: body)
    }

    /// The same for asynchronous work.
    public static func withCurrent<R>(_ home: Home, _ body: () async throws -> R) async rethrows -> R {
        try await $override.withValue(home, operation: body)
    }
}
