// SPDX-License-Identifier: Apache-2.0

package import Files
import SecretMemory
import TPMs

/// The environment that Zamok works in: folder, device secret, keybag, holder, application identity, prompter, flavour.
///
/// A final Sendable class. Open it once and keep it. Any number of processes may have a home open at the same time.
public final class Home: Sendable {
    /// How to open a home.
    public struct Configuration: Sendable {
        /// The folder, an absolute path; nil: `$ZAMOK_HOME`, otherwise `$XDG_DATA_HOME/zamok`,
        /// otherwise `~/.local/share/zamok`.
        public var folder: String?
        /// The program's identity and access groups; nil: `ApplicationIdentity.discover()`.
        public var identity: ApplicationIdentity?
        /// Prompts the user for a passcode. Default: the terminal.
        public var prompter: any Prompter
        /// The flavour of the SecItem functions.
        public var flavour: SecItemFlavour
        /// Which holder keeps class keys between calls.
        public var holder: HolderChoice
        /// Whether a home is made if there is none. If not, or with `ZAMOK_CREATE=no` in the environment (also 0,
        /// false, off), opening throws `.noHome`.
        public var makesHome = true
        /// Whether a home that was restored to an earlier state is opened, so that a command can accept it.
        package var toleratesRollback = false
        /// For tests of everything but the KDF.
        package var usesInsecureKDF = false
        /// The file system hooks. Tests let single steps fail.
        package var fileSystem = FileHooks()
        /// The time limit of a command to the TPM that the environment names.
        package var tpmPatience = TPMAddress.usualPatience
        /// The boot clock. Tests replace it.
        package var clock = BootClock.system
        /// The environment's variables. Tests replace them.
        package var environment: @Sendable (String) -> String? = Places.environmentValue

        /// The path of the home, or where it would be made. Errors: `.notAvailable` (no folder is
        /// named), `.invalidArgument`.
        package var place: String {
            get throws(DataProtectionError) {
                if let folder { return folder }
                do { return try HomeLocation(self).homePath() } catch { throw DataProtectionError(error, about: "") }
            }
        }

        /// Sets every property to its default.
        public init() {
            prompter = TerminalPrompter()
            flavour = .macOS
            holder = .automatic
        }
    }

    /// The folder.
    public let folder: String
    /// The set of class keys.
    public let keybag: Keybag
    /// The identity of the program.
    public let identity: ApplicationIdentity
    /// Prompts the user for a passcode or password.
    public let prompter: any Prompter
    /// The flavour of the SecItem functions.
    public let flavour: SecItemFlavour
    /// The folder, open.
    let openFolder: HomeFolder
    /// How it was opened.
    let configuration: Configuration
    /// The root home that contains this home of a user; nil: this is a root home.
    package let root: Home?
    let stores = HomeStores()

    /// Opens the home, and makes it if there is none. Runs no KDF.
    ///
    /// Errors: `.unsafeHome` (of another owner, writable by others, on a network file system, a symbolic link inside, a
    /// folder that contains other things), `.noHome` (there is none, and none is to be made), `.missingDeviceSecret`,
    /// `.damaged`, `.restoredCopy`, `.erased`, `.newerFormat`, `.invalidArgument`, `.diskFull`, `.readOnly`, `.io`.
    public convenience init(_ configuration: Configuration) throws(DataProtectionError) {
        let location = HomeLocation(configuration)
        let path: String
        do {
            path = try configuration.folder ?? location.homePath()
        } catch {
            throw DataProtectionError(error, about: "")
        }
        do {
            guard path.hasPrefix("/") else {
                throw DataProtectionError(
                    .invalidArgument, "the home's folder must be an absolute path, but is: \(path)")
            }
            try location.refuseLongPath(path)
            let makes = try location.makesHomes() && configuration.makesHome
            let folder = try location.openFolder(path, making: makes)
            var place = KeybagLocation(root: folder, try location.deviceSecret(folder), configuration)
            place.makesHome = makes
            try self.init(configuration, place, root: nil)
        } catch {
            throw location.explained(DataProtectionError(error, about: path))
        }
    }

    /// `root`: the root home that contains this home of a user.
    init(_ configuration: Configuration, _ place: KeybagLocation, root: Home?) throws {
        self.configuration = configuration
        self.root = root
        folder = place.folder.path
        openFolder = place.folder
        keybag = try Keybag(at: place, configuration.holder, configuration.clock)
        identity = try configuration.identity ?? ApplicationIdentity.discover()
        prompter = configuration.prompter
        flavour = configuration.flavour
    }
}

/// Which of Apple's two interpretations of a SecItem dictionary is used.
public enum SecItemFlavour: Sendable {
    /// The data-protection keychain of macOS: match keys are dropped from update and delete.
    case macOS
    /// The stricter interpretation of iOS.
    case iOS
}

extension Home {
    private static let shared = Locked<Home?>(nil)

    @TaskLocal private static var override: Home?

    /// The home that SecItem, LAContext and `Keychain(service:)` use unless given another.
    ///
    /// It is opened from the environment at the first use, and kept for the life of the process. It is the home of
    /// the user that was switched to, or that `zamok run --user` names. After the home is erased, the next use opens
    /// it again.
    ///
    /// Errors: those of `init`; `.forked`, because a child after fork has no secrets and so no home.
    public static var current: Home {
        get throws(DataProtectionError) {
            if let override { return override }
            if let known = shared.withLock({ $0 }), known.keybag.isUsable { return known }
            guard !GuardedProcess.isGuest else { throw .insideGuard }
            let opened = try Home(Configuration()).homeOfUserAtStart()
            return shared.withLock { shared in
                if let known = shared, known.keybag.isUsable { return known }
                shared = opened
                return opened
            }
        }
    }

    /// Like `current`, but nil if no home is open yet: opens nothing.
    package static var openCurrent: Home? {
        override ?? shared.withLock { $0 }.flatMap { $0.keybag.isUsable ? $0 : nil }
    }

    /// Makes `home` the current home of this process, for all threads.
    public static func setCurrent(_ home: Home) { shared.withLock { $0 = home } }

    /// Runs `body` with `home` as `Home.current` in this task. For tests, and for servers with several homes.
    public static func withCurrent<R>(_ home: Home, _ body: () throws -> R) rethrows -> R {
        try $override.withValue(home, operation: body)
    }

    /// Like the other `withCurrent`, for asynchronous work.
    public static func withCurrent<R>(_ home: Home, _ body: () async throws -> R) async rethrows -> R {
        try await $override.withValue(home, operation: body)
    }
}
