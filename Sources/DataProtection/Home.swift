// SPDX-License-Identifier: Apache-2.0

/// The one environment of Zamok: folder, device secret, keybag, holder, application identity, prompter, flavour.
public final class Home: Sendable {
    /// How to open a home.
    public struct Configuration: Sendable {
        /// The folder; nil: `$ZAMOK_HOME`, else `$XDG_DATA_HOME/zamok`, else `~/.local/share/zamok`.
        public var folder: String?
        /// The program's identity and access groups; nil: found as Documentation/Identity says.
        public var identity: ApplicationIdentity?
        /// Asks a person for a passcode. Default: the terminal.
        public var prompter: any Prompter
        /// The flavour of the SecItem functions.
        public var flavour: SecItemFlavour
        /// Which holder keeps class keys between calls.
        public var holder: HolderChoice
        /// For tests of everything but the KDF.
        package var usesInsecureKDF: Bool = false

        /// The defaults of every property.
        public init() {
            prompter = TerminalPrompter()
            flavour = .macOS
            holder = .automatic
        }
    }

    /// The home that SecItem, LAContext and `Keychain(service:)` use unless given another.
    public static var current: Home { get throws(DataProtectionError) { try Home(Configuration()) } }

    /// Runs `body` with `home` as `Home.current` in this task; for tests and for servers with several homes.
    public static func withCurrent<R>(_ home: Home, _ body: () throws -> R) rethrows -> R { try body() }

    /// The folder.
    public let folder: String
    /// The set of class keys.
    public let keybag: Keybag
    /// Who the program is.
    public let identity: ApplicationIdentity
    /// Asks a person.
    public let prompter: any Prompter
    /// The flavour of the SecItem functions.
    public let flavour: SecItemFlavour

    /// Opens the home, and makes it where there is none. Errors: see `DataProtectionError.Code`.
    public init(_ configuration: Configuration) throws(DataProtectionError) {
        folder = configuration.folder ?? ""
        keybag = Keybag()
        identity = configuration.identity ?? ApplicationIdentity(applicationIdentifier: "zamok", accessGroups: ["zamok"])
        prompter = configuration.prompter
        flavour = configuration.flavour
    }
}

/// Which of Apple's two readings of a SecItem dictionary holds.
public enum SecItemFlavour: Sendable {
    /// The data-protection keychain of macOS: match keys are dropped from update and delete.
    case macOS
    /// The stricter reading of iOS.
    case iOS
}

/// Which holder keeps class keys between calls.
public enum HolderChoice: Sendable {
    /// The kernel keyring where it works, else this process.
    case automatic
    /// The kernel keyring or an error.
    case kernelKeyring
    /// This process alone.
    case process
}
