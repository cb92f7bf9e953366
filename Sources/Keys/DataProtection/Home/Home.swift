// SPDX-License-Identifier: Apache-2.0

import Chips
package import Files
import SecretMemory

/// The one environment of Zamok: folder, device secret, keybag, holder, application identity, prompter, flavour.
///
/// A final Sendable class; open it once and keep it. Any number of processes may have one home open at a time.
public final class Home: Sendable {
    /// How to open a home.
    public struct Configuration: Sendable {
        /// The folder, an absolute path; nil: `$ZAMOK_HOME`, otherwise `$XDG_DATA_HOME/zamok`, otherwise `~/.local/share/zamok`.
        public var folder: String?
        /// The program's identity and access groups; nil: `ApplicationIdentity.discover()`.
        public var identity: ApplicationIdentity?
        /// Asks a person for a passcode. Default: the terminal.
        public var prompter: any Prompter
        /// The flavour of the SecItem functions.
        public var flavour: SecItemFlavour
        /// Which holder keeps class keys between calls.
        public var holder: HolderChoice
        /// Whether a home is made where there is none; if not, or with `ZAMOK_CREATE=no` in the environment, opening throws `.noHome`.
        public var makesHome = true
        /// Whether an earlier state that was put back is opened, for ``Home/acceptRestoredCopy()``.
        package var toleratesRollback = false
        /// For tests of everything but the KDF.
        package var usesInsecureKDF = false
        /// The seam to the file system; tests let steps of it fail.
        package var fileSystem = FileHooks()
        /// How long a command to the chip that the environment names may take.
        package var chipPatience = ChipWay.usualPatience
        /// The boot clock; tests put another one in its place.
        package var clock = BootClock.system
        /// The environment's variables; tests put others in their place.
        package var environment: @Sendable (String) -> String? = Places.environmentValue

        /// Where the home lies, or would be made. Errors: `.notAvailable` (no folder is named), `.invalidArgument`.
        package var place: String {
            get throws(DataProtectionError) {
                if let folder { return folder }
                do { return try HomeLocation(self).homePath() } catch { throw DataProtectionError(error, about: "") }
            }
        }

        /// The defaults of every property.
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
    /// Who the program is.
    public let identity: ApplicationIdentity
    /// Asks a person for a passcode or password.
    public let prompter: any Prompter
    /// The flavour of the SecItem functions.
    public let flavour: SecItemFlavour
    /// The folder, open.
    let openFolder: HomeFolder
    /// How it was opened.
    let configuration: Configuration
    /// The home that this one lies in; nil: it is a root home, and not that of a user.
    package let root: Home?
    let stores = HomeStores()

    /// Opens the home, and makes it where there is none. No KDF.
    ///
    /// Errors: `.unsafeHome` (of another owner, writable by others, on a network file system, a symbolic link inside, a folder that holds other
    /// things), `.noHome` (there is none, and none is to be made), `.missingDeviceSecret`, `.damaged`, `.restoredCopy`, `.erased`, `.newerFormat`, `.invalidArgument`, `.diskFull`,
    /// `.readOnly`, `.io`.
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
            let makes = configuration.makesHome && location.makesHomes
            let folder = try location.openFolder(path, making: makes)
            var place = KeybagPlace(root: folder, try location.deviceSecret(folder), configuration)
            place.makesHome = makes
            try self.init(configuration, place, root: nil)
        } catch {
            throw DataProtectionError(error, about: path)
        }
    }

    /// `root`: the home that this one of a user lies in.
    init(_ configuration: Configuration, _ place: KeybagPlace, root: Home?) throws {
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

/// Which of Apple's two readings of a SecItem dictionary is used.
public enum SecItemFlavour: Sendable {
    /// The data-protection keychain of macOS: match keys are dropped from update and delete.
    case macOS
    /// The stricter reading of iOS.
    case iOS
}

extension Home {
    private static let shared = Locked<Home?>(nil)

    @TaskLocal private static var override: Home?

    /// The home that SecItem, LAContext and `Keychain(service:)` use unless given another.
    ///
    /// Opened when first asked for, from the environment, and kept for the life of the process: the home of the user who was switched to, or whom `zamok
    /// run --user` names. After the home was erased it is opened again. In a child after fork there are no secrets and so no home: `.forked`. Errors:
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
