// swift-tools-version: 6.2
//
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The one set of compiler settings; every Swift target has it.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let log: Target.Dependency = .product(name: "Logging", package: "swift-log")
let asn1: Target.Dependency = .product(name: "SwiftASN1", package: "swift-asn1")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

extension Target {
    /// A Swift target in one of the rooms of Sources; arrows point from the rooms below to those above in this file.
    static func module(
        _ name: String, in room: String, _ dependencies: [Dependency] = [], resources: [Resource]? = nil
    ) -> Target {
        .target(
            name: name, dependencies: dependencies, path: "Sources/\(room)/\(name)", resources: resources,
            swiftSettings: strict
        )
    }
}

let package = Package(
    name: "zamok",
    defaultLocalization: "en",
    // What the newest of what is used asks for: `ContinuousClock` (Decision 0017).
    platforms: [.macOS(.v13), .iOS(.v16), .macCatalyst(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Zamok", targets: ["Zamok"]),
        .library(name: "SecretMemory", targets: ["SecretMemory"]),
        .library(name: "DataProtection", targets: ["DataProtection"]),
        .library(name: "Keychains", targets: ["Keychains"]),
        .library(name: "ProtectedFiles", targets: ["ProtectedFiles"]),
        .library(name: "UserPreferences", targets: ["UserPreferences"]),
        .library(name: "AppUsers", targets: ["AppUsers"]),
        .library(name: "LocalAuthentication", targets: ["LocalAuthentication", "LocalAuthenticationEngine"]),
        .library(name: "SecItem", targets: ["SecItem", "SecItemEngine"]),
        .library(name: "Security", targets: ["Security"]),
        .library(name: "InterfaceProtection", targets: ["InterfaceProtection"]),
        .library(name: "InterfaceProtectionUI", targets: ["InterfaceProtectionUI"]),
        .library(name: "ProvisioningProfiles", targets: ["ProvisioningProfiles"]),
        .library(name: "TerminalPrivacy", targets: ["TerminalPrivacy"]),
        .executable(name: "zamok", targets: ["ZamokCommand"]),
    ],
    dependencies: [
        // All cryptography.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // DER, for certificates.
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        // SQLite.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // The command line.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Warnings to whoever runs the app.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // Foundation: what everything stands on.
        .target(name: "CPlatform", path: "Sources/Foundation/CPlatform"),
        .module("SecretMemory", in: "Foundation", ["CPlatform"]),
        .module("Files", in: "Foundation", ["CPlatform", "SecretMemory"]),
        .module("Readers", in: "Foundation"),
        .module("Sealing", in: "Foundation", ["SecretMemory", crypto, cryptoExtras]),
        .module("SecurityTypes", in: "Foundation", [asn1]),
        // Keys.
        .module("DataProtection", in: "Keys", ["CPlatform", "SecretMemory", "Files", "Sealing", log]),
        // Stores.
        .module(
            "SealedDatabases", in: "Stores",
            [
                "CPlatform", "SecretMemory", "Sealing", "DataProtection", grdb,
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        .module(
            "KeychainEngine", in: "Stores",
            [
                "SecretMemory", "Readers", "Sealing", "SecurityTypes", "DataProtection", "SealedDatabases", crypto,
                cryptoExtras, asn1,
            ]
        ),
        .module(
            "ProtectedFiles", in: "Stores", ["CPlatform", "SecretMemory", "Files", "Sealing", "DataProtection"]
        ),
        .module(
            "UserPreferences", in: "Stores",
            ["SecretMemory", "Readers", "Files", "Sealing", "DataProtection", "SealedDatabases", log]
        ),
        .module(
            "AppUsers", in: "Stores",
            [
                "SecretMemory", "Files", "Readers", "Sealing", "DataProtection", "KeychainEngine", "Keychains",
                "ProtectedFiles", "UserPreferences",
            ]
        ),
        // Doors: what an app calls. What any package may load stands on no C module; the engines behind it enter themselves when a program
        // starts (Decision 0014).
        .module(
            "Keychains", in: "Doors",
            ["SecretMemory", "Files", "DataProtection", "KeychainEngine", "SecurityTypes", log]
        ),
        .module("LocalAuthentication", in: "Doors"),
        .target(name: "CLocalAuthenticationStart", path: "Sources/Doors/CLocalAuthenticationStart"),
        .module(
            "LocalAuthenticationEngine", in: "Doors",
            ["CLocalAuthenticationStart", "SecretMemory", "DataProtection", "LocalAuthentication"]
        ),
        .module("SecItem", in: "Doors", ["SecurityTypes"]),
        .target(name: "CSecItemStart", path: "Sources/Doors/CSecItemStart"),
        .module(
            "SecItemEngine", in: "Doors",
            [
                "CSecItemStart", "SecretMemory", "DataProtection", "KeychainEngine", "LocalAuthentication",
                "LocalAuthenticationEngine", "SecurityTypes", "SecItem", crypto, log,
            ]
        ),
        .module("Security", in: "Doors", ["SecItem", "SecItemEngine"]),
        .module(
            "Zamok", in: "Doors",
            ["SecretMemory", "DataProtection", "Keychains", "ProtectedFiles", "UserPreferences", "AppUsers"]
        ),
        // Screens.
        .module("InterfaceProtection", in: "Screens", ["SecretMemory"]),
        .module(
            "InterfaceProtectionUI", in: "Screens", ["InterfaceProtection"], resources: [.process("Resources")]
        ),
        .module("TerminalPrivacy", in: "Screens", ["CPlatform", "SecretMemory", "InterfaceProtection"]),
        // Shipping.
        .systemLibrary(
            name: "CZlib", path: "Sources/Shipping/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]
        ),
        .module("ProvisioningProfiles", in: "Shipping", ["Readers", "CZlib", asn1, crypto, cryptoExtras]),
        // The command.
        .executableTarget(
            name: "ZamokCommand",
            dependencies: [
                "SecretMemory", "DataProtection", "Keychains", "ProtectedFiles", "UserPreferences", "AppUsers",
                "ProvisioningProfiles",
                // Named by nothing: linked statically, Foundation's bridging of arrays, which property lists need, comes only with what names NSArray.
                "Security", argumentParser,
            ],
            path: "Sources/Command/ZamokCommand",
            swiftSettings: strict
        ),
        // `./zamok tour`: no product, and nothing but public API.
        .executableTarget(
            name: "tour",
            dependencies: [
                "SecretMemory", "DataProtection", "ProtectedFiles", "UserPreferences", "AppUsers", "Security",
            ],
            path: "Examples/Tour",
            packageAccess: false,
            swiftSettings: strict
        ),
        // Tests
        .target(name: "Mutations", path: "Tests/Mutations", swiftSettings: strict),
        .target(
            name: "TestHomes", dependencies: ["SecretMemory", "DataProtection"], path: "Tests/TestHomes",
            swiftSettings: strict
        ),
        .target(
            name: "ScriptedPrompts", dependencies: ["SecretMemory", "DataProtection"], path: "Tests/ScriptedPrompts",
            swiftSettings: strict
        ),
        .target(name: "CStage", path: "Tests/CStage"),
        .testTarget(
            name: "CLITests",
            dependencies: [
                "CStage", "ZamokCommand", "tour", "DataProtection", "Keychains", "Security",
                argumentParser,
            ],
            exclude: ["transcripts"],
            swiftSettings: strict
        ),
        .testTarget(name: "CPlatformTests", dependencies: ["CPlatform"], swiftSettings: strict),
        .executableTarget(
            name: "terminal-privacy-probe",
            dependencies: ["CTestTools", "TerminalPrivacy", "InterfaceProtection", "SecretMemory"],
            path: "Tests/TerminalPrivacyProbe", swiftSettings: strict
        ),
        .testTarget(
            name: "TerminalPrivacyTests",
            dependencies: [
                "TerminalPrivacy", "InterfaceProtection", "SecretMemory", "TestTools", "MemorySearch",
                "terminal-privacy-probe",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "InterfaceProtectionTests", dependencies: ["InterfaceProtection", "SecretMemory"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "UserPreferencesTests",
            dependencies: [
                "UserPreferences", "Readers", "DataProtection", "SealedDatabases", "Sealing", "Mutations", "TestHomes",
                "TestTools",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "keychain-program",
            dependencies: ["Security"],
            path: "Tests/KeychainProgram",
            swiftSettings: strict
        ),
        .testTarget(
            name: "LocalAuthenticationTests",
            dependencies: [
                "SecretMemory", "DataProtection", "LocalAuthentication", "LocalAuthenticationEngine", "ScriptedPrompts",
                "TestHomes",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SecItemConformance",
            dependencies: ["DataProtection", "Security"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "UserWorker",
            dependencies: ["AppUsers", "UserPreferences", "DataProtection", "SecretMemory", "TestHomes"],
            path: "Tests/UserWorker",
            swiftSettings: strict
        ),
        .testTarget(
            name: "AppUsersTests",
            dependencies: [
                "AppUsers", "UserPreferences", "DataProtection", "SecretMemory", "KeychainEngine", "Keychains",
                "ProtectedFiles", "Files", "Sealing", "TestHomes", "TestTools", "FaultInjector", "Mutations",
                "UserWorker",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ProvisioningProfilesTests",
            dependencies: [
                "ProvisioningProfiles", "ZamokCommand", "Mutations", crypto, cryptoExtras,
                asn1,
            ],
            exclude: ["TestAuthority"],
            swiftSettings: strict
        ),
        .target(
            name: "VectorFiles", dependencies: ["SecretMemory", "Sealing", crypto], path: "Tests/VectorFiles",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "generate-vectors", dependencies: ["VectorFiles"], path: "Tests/GenerateVectors",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "keybag-worker",
            dependencies: ["CPlatform", "CTestTools", "SecretMemory", "DataProtection"],
            path: "Tests/KeybagWorker",
            swiftSettings: strict
        ),
        .testTarget(
            name: "SecItemTests",
            dependencies: [
                "SecretMemory", "DataProtection", "KeychainEngine", "LocalAuthentication", "SecItem",
                "SecItemEngine", "Mutations", "OpenSSLTool", "ScriptedPrompts", "TestHomes", "TestTools",
                "keychain-program",
                grdb,
            ],
            swiftSettings: strict
        ),
        .target(name: "OpenSSLTool", path: "Tests/OpenSSLTool", swiftSettings: strict),
        .testTarget(
            name: "SecurityTypesTests",
            dependencies: ["SecurityTypes", "Mutations"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DataProtectionTests",
            dependencies: [
                "CPlatform", "SecretMemory", "Sealing", "DataProtection", "ScriptedPrompts", "TestHomes", "TestTools",
                "FaultInjector", "MemorySearch", "memory-search", "keybag-worker", "VectorFiles", "Mutations",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "keychain-worker",
            dependencies: ["CTestTools", "SecretMemory", "DataProtection", "KeychainEngine", "Keychains", "TestHomes"],
            path: "Tests/KeychainWorker", swiftSettings: strict
        ),
        .testTarget(
            name: "SealedDatabasesTests",
            dependencies: [
                "SecretMemory", "Sealing", "DataProtection", "SealedDatabases", "Mutations", "TestHomes",
                grdb,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "KeychainsTests",
            dependencies: [
                "SecretMemory", "DataProtection", "SealedDatabases", "KeychainEngine", "Keychains", "ScriptedPrompts",
                "TestHomes",
                "TestTools", "Mutations", "OpenSSLTool", "keychain-worker",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SealingTests", dependencies: ["SecretMemory", "Sealing", crypto], swiftSettings: strict
        ),
        .testTarget(
            name: "KeychainEngineTests",
            dependencies: [
                "SecretMemory", "Sealing", "SecurityTypes", "DataProtection", "SealedDatabases", "KeychainEngine",
                "ScriptedPrompts", "TestHomes", "TestTools", "FaultInjector", "Mutations", "MemorySearch",
                "OpenSSLTool", "VectorFiles", "keychain-worker", "ZamokCommand", crypto, asn1, grdb,
            ],
            swiftSettings: strict
        ),
        .target(name: "CTestTools", path: "Tests/CTestTools"),
        .target(
            name: "TestTools", dependencies: ["CTestTools", "Mutations"], path: "Tests/TestTools",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "prompt-victim",
            dependencies: ["CPlatform", "CTestTools", "SecretMemory"],
            path: "Tests/PromptVictim",
            swiftSettings: strict
        ),
        .target(
            name: "MemorySearch",
            dependencies: ["CPlatform", "CTestTools"],
            path: "Tests/MemorySearch",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "memory-search",
            dependencies: ["MemorySearch"],
            path: "Tests/MemorySearchCommand",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "secret-memory-victim",
            dependencies: ["CPlatform", "CTestTools", "SecretMemory", "Sealing", crypto, cryptoExtras],
            path: "Tests/SecretMemoryVictim",
            swiftSettings: strict
        ),
        .target(
            name: "FaultInjector", path: "Tests/FaultInjector", exclude: ["Preload"], swiftSettings: strict
        ),
        .executableTarget(
            name: "fault-injector-victim",
            dependencies: ["CPlatform"],
            path: "Tests/FaultInjectorVictim",
            swiftSettings: strict
        ),
        .testTarget(
            name: "FaultInjectorTests",
            dependencies: ["FaultInjector", "TestTools", "fault-injector-victim"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SecretMemoryTests",
            dependencies: [
                "CPlatform", "CTestTools", "SecretMemory", "TestTools", "MemorySearch", "memory-search",
                "secret-memory-victim", "prompt-victim", crypto, cryptoExtras,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ProtectedFilesTests",
            dependencies: [
                "SecretMemory", "Files", "Sealing", "DataProtection", "ProtectedFiles", "Mutations", "TestHomes",
                "TestTools", "MemorySearch",
                "FaultInjector", "protected-files-victim",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "protected-files-victim",
            dependencies: ["SecretMemory", "DataProtection", "ProtectedFiles", "TestHomes"],
            path: "Tests/ProtectedFilesVictim",
            swiftSettings: strict
        ),
    ]
)
