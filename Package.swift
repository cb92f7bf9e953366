// swift-tools-version: 6.3
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

/// Everything but the screens needs other packages: without this trait none is fetched (Decision 0062).
let keychain = TargetDependencyCondition.when(traits: ["Keychain"])
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto", condition: keychain)
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto", condition: keychain)
let log: Target.Dependency = .product(name: "Logging", package: "swift-log", condition: keychain)
let asn1: Target.Dependency = .product(name: "SwiftASN1", package: "swift-asn1", condition: keychain)
let argumentParser: Target.Dependency = .product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: keychain)

extension Target {
    /// A Swift target in one of the rooms of Sources; arrows point from the rooms below to those above in this file.
    static func module(
        _ name: String, in room: String, _ dependencies: [Dependency] = [], exclude: [String] = [],
        resources: [Resource]? = nil
    ) -> Target {
        .target(
            name: name, dependencies: dependencies, path: "Sources/\(room)/\(name)", exclude: exclude,
            resources: resources,
            swiftSettings: strict
        )
    }
}

let package = Package(
    name: "zamok",
    defaultLocalization: "en",
    // What `ContinuousClock` requires (Decision 0017). Scripts/typecheck-apple checks every target at these.
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
        .library(name: "KeychainSync", targets: ["KeychainSync", "SyncEngines", "SyncLog", "SyncMerge"]),
        .executable(name: "zamok", targets: ["ZamokCommand"]),
    ],
    traits: [
        .trait(
            name: "Keychain",
            description: "Everything but the modules of Sources/Screens, with the packages that it needs."
        ),
        .default(enabledTraits: ["Keychain"]),
    ],
    dependencies: [
        // All cryptography.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // DER, for certificates.
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        // The command line.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Warnings to whoever runs the app.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // Foundation: what everything stands on.
        .target(name: "CPlatform", path: "Sources/Foundation/CPlatform"),
        .module("Statuses", in: "Foundation", exclude: ["Statuses.tsv"]),
        .module("Readers", in: "Foundation", [asn1]),
        .module("SecretMemory", in: "Foundation", ["CPlatform", "Statuses", "Readers"]),
        .module("Files", in: "Foundation", ["CPlatform", "SecretMemory", "Readers"]),
        .module("Sealing", in: "Foundation", ["SecretMemory", crypto, cryptoExtras]),
        // Secrets in shares, of which so many are needed: SLIP-0039.
        .module("SecretShares", in: "Foundation", ["SecretMemory", "Sealing"]),
        .module("SecurityTypes", in: "Foundation", ["Readers", asn1]),
        // Opens the system's libcrypto when it is first asked for (Decision 0022).
        .target(
            name: "CSystemCrypto", path: "Sources/Foundation/CSystemCrypto",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
        ),
        // Opens the system's libdbus when a bus is first asked for (Decision 0036).
        .target(
            name: "CSystemBus", path: "Sources/Foundation/CSystemBus",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
        ),
        // Keys.
        .module("TPMs", in: "Keys", ["CPlatform", "SecretMemory", "Sealing"]),
        .module(
            "DataProtection", in: "Keys",
            ["CPlatform", "Statuses", "SecretMemory", "Files", "Readers", "Sealing", "TPMs", log]
        ),
        // Stores.
        .systemLibrary(name: "CSQLite", path: "Sources/Stores/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .module("SealedDatabases", in: "Stores", ["CSQLite", "SecretMemory", "Sealing", "DataProtection"]),
        .module(
            "KeychainEngine", in: "Stores",
            [
                "Statuses", "SecretMemory", "Readers", "Sealing", "SecurityTypes", "CSystemCrypto", "DataProtection",
                "SealedDatabases", crypto, cryptoExtras, asn1,
            ]
        ),
        // Access groups that defend: grants, messages, judging; and the connection of a guest to its guard, which
        // chooses where a program's items are.
        .module(
            "Guards", in: "Stores",
            ["Statuses", "SecretMemory", "Readers", "Sealing", "DataProtection", "KeychainEngine"]
        ),
        .module(
            "GuardChannels", in: "Stores",
            ["CPlatform", "SecretMemory", "DataProtection", "KeychainEngine", "Guards"]
        ),
        .module(
            "ProtectedFiles", in: "Stores",
            ["Statuses", "CPlatform", "SecretMemory", "Files", "Sealing", "DataProtection"]
        ),
        .module(
            "UserPreferences", in: "Stores",
            ["Statuses", "SecretMemory", "Readers", "Files", "Sealing", "DataProtection", "SealedDatabases", log]
        ),
        .module(
            "AppUsers", in: "Stores",
            [
                "Statuses", "SecretMemory", "Files", "Readers", "Sealing", "DataProtection", "KeychainEngine",
                "Keychains",
                "ProtectedFiles", "UserPreferences",
            ]
        ),
        // The same items in several homes: how edits meet, with no keys, log or clock; entries coded, signed, sealed and chained; where they are kept.
        .module("SyncMerge", in: "Stores"),
        .module("SyncLog", in: "Stores", ["Statuses", "SecretMemory", "Sealing", "SecretShares", "SyncMerge", crypto]),
        // The members of a group of persons: signed statements, merged without a clock.
        .module("SharedGroups", in: "Stores", ["Sealing", "SyncLog", crypto]),
        .module("SyncEngines", in: "Stores", ["Statuses", "SyncLog", "SyncMerge"]),
        .module(
            "KeychainSync", in: "Stores",
            [
                "SecretMemory", "Files", "Readers", "Sealing", "DataProtection", "KeychainEngine", "UserPreferences",
                "SyncEngines", "SyncLog", "SyncMerge", crypto,
            ]
        ),
        // What an app calls. What any package may load depends on no C module; the engines behind it register themselves when a program
        // starts (Decision 0014).
        .module(
            "Keychains", in: "APIs",
            [
                "SecretMemory", "Files", "Readers", "DataProtection", "KeychainEngine", "GuardChannels",
                "SecurityTypes", log,
            ]
        ),
        .module("SecItem", in: "APIs", ["Readers", "SecurityTypes"]),
        .module("LocalAuthentication", in: "APIs", ["SecItem"]),
        .target(name: "CLocalAuthenticationStart", path: "Sources/APIs/CLocalAuthenticationStart"),
        .module(
            "LocalAuthenticationEngine", in: "APIs",
            ["CLocalAuthenticationStart", "SecretMemory", "DataProtection", "LocalAuthentication"]
        ),
        .target(name: "CSecItemStart", path: "Sources/APIs/CSecItemStart"),
        .module(
            "SecItemEngine", in: "APIs",
            [
                "CSecItemStart", "SecretMemory", "Readers", "DataProtection", "KeychainEngine", "GuardChannels",
                "LocalAuthentication", "LocalAuthenticationEngine", "SecurityTypes", "SecItem", crypto, log,
            ]
        ),
        .module("Security", in: "APIs", ["SecItem", "SecItemEngine"]),
        .module(
            "Zamok", in: "APIs",
            ["SecretMemory", "DataProtection", "Keychains", "ProtectedFiles", "UserPreferences", "AppUsers"]
        ),
        // Screens.
        .module("InterfaceProtection", in: "Screens", ["Statuses", "SecretMemory", "Readers"]),
        .module(
            "InterfaceProtectionUI", in: "Screens", ["InterfaceProtection"], resources: [.process("Resources")]
        ),
        .module(
            "TerminalPrivacy", in: "Screens",
            ["CPlatform", "Statuses", "SecretMemory", "Readers", "InterfaceProtection"]),
        // Shipping.
        .systemLibrary(
            name: "CZlib", path: "Sources/Shipping/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]
        ),
        .module(
            "ProvisioningProfiles", in: "Shipping",
            ["Statuses", "Readers", "Files", "CZlib", asn1, crypto, cryptoExtras]),
        // The command, and what it does that no app needs: one-time codes, new passwords, the protocols of other programs.
        .module(
            "Credentials", in: "Command",
            [
                "CSystemBus", "SecretMemory", "Readers", "Sealing", "SecurityTypes", "DataProtection", "KeychainEngine",
                "Keychains", crypto,
            ]
        ),
        // Secrets that lie in clear in files of this machine: finding them, and moving each to the keychain.
        .module(
            "Sweeps", in: "Command",
            [
                "CPlatform", "SecretMemory", "Readers", "Files", "Sealing", "DataProtection", "KeychainEngine",
                "Keychains", "Credentials", "ProtectedFiles", crypto,
            ]
        ),
        .executableTarget(
            name: "ZamokCommand",
            dependencies: [
                "Statuses", "CPlatform", "SecretMemory", "Readers", "Files", "TPMs", "DataProtection",
                "KeychainEngine", "Guards", "GuardChannels", "Keychains", "ProtectedFiles", "UserPreferences",
                "AppUsers",
                "ProvisioningProfiles", "Credentials", "Sweeps", "InterfaceProtection", "TerminalPrivacy",
                argumentParser,
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
        // What tests stand on: helpers, in Swift and in C; what writes the vectors, with no reader of a format in sight; and the processes that tests talk
        // with, look into, cut off or kill.
        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(
            name: "TestSupport",
            dependencies: ["CPlatform", "CSQLite", "CTestSupport", "SecretMemory", "Files", "TPMs", "DataProtection"],
            path: "Tests/TestSupport", exclude: ["Preload"], swiftSettings: strict
        ),
        .target(
            name: "TestVectors", dependencies: ["SecretMemory", "Sealing", crypto], path: "Tests/TestVectors",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "test-worker",
            dependencies: [
                "CPlatform", "CTestSupport", "TestSupport", "TestVectors", "SecretMemory", "Files", "Sealing", "TPMs",
                "DataProtection", "KeychainEngine", "Keychains", "ProtectedFiles", "UserPreferences", "AppUsers",
                "InterfaceProtection", "ProvisioningProfiles", "Credentials",
                "TerminalPrivacy", crypto, cryptoExtras,
            ],
            path: "Tests/TestWorker", swiftSettings: strict
        ),
        // What the calls that programs make most ask of the allocator, and how many instructions they are.
        .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
        .executableTarget(
            name: "hot-calls",
            dependencies: [
                "AllocationCounter", "TestSupport", "Zamok", "Security", "ProtectedFiles", "UserPreferences",
            ],
            path: "Tests/HotCalls", swiftSettings: strict
        ),
        // Random histories of a few homes, the same for every reader; and what writes the vectors of sync, and plays histories for the reader in
        // Python to play again.
        .target(
            name: "SyncHistories", dependencies: ["SyncMerge"], path: "Tests/SyncHistories", swiftSettings: strict
        ),
        .executableTarget(
            name: "sync-lab",
            dependencies: [
                "CTestSupport", "TestSupport", "SecretMemory", "SecretShares", "DataProtection", "KeychainEngine",
                "KeychainSync", "UserPreferences", "SyncEngines", "SyncLog", "SyncMerge", "SyncHistories", crypto,
            ],
            path: "Tests/SyncLab", swiftSettings: strict
        ),
        // As somebody else would write it: the one module Security, and what starts with it.
        .executableTarget(
            name: "keychain-program", dependencies: ["Security"], path: "Tests/KeychainProgram", swiftSettings: strict
        ),
        // Tests: of a room, or of a module that needs many.
        .testTarget(
            name: "FoundationTests",
            dependencies: [
                "CPlatform", "SecretMemory", "Files", "Readers", "Sealing", "SecretShares", "SecurityTypes",
                "CTestSupport", "TestSupport", "test-worker", crypto, cryptoExtras,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ReadersTests", dependencies: ["Readers", "Files", "TerminalPrivacy", "ZamokCommand"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TPMsTests", dependencies: ["TPMs", "SecretMemory", "Sealing", "TestSupport", crypto],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DataProtectionTests",
            dependencies: [
                "CPlatform", "SecretMemory", "Files", "Sealing", "TPMs", "DataProtection", "TestSupport",
                "TestVectors",
                "test-worker",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SealedDatabasesTests",
            dependencies: [
                "SecretMemory", "Sealing", "TPMs", "DataProtection", "SealedDatabases", "TestSupport",
                "CSQLite",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "KeychainEngineTests",
            dependencies: [
                "Statuses", "SecretMemory", "Readers", "Sealing", "SecurityTypes", "DataProtection", "SealedDatabases",
                "KeychainEngine", "ZamokCommand", "TestSupport", "TestVectors", "test-worker", crypto, asn1,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ProtectedFilesTests",
            dependencies: [
                "SecretMemory", "Files", "Sealing", "DataProtection", "ProtectedFiles", "TestSupport", "test-worker",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "UserPreferencesTests",
            dependencies: [
                "SecretMemory", "Readers", "Sealing", "DataProtection", "SealedDatabases", "UserPreferences",
                "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AppUsersTests",
            dependencies: [
                "SecretMemory", "Files", "Sealing", "DataProtection", "KeychainEngine", "ProtectedFiles",
                "UserPreferences", "AppUsers", "Keychains", "TestSupport", "test-worker",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SyncTests",
            dependencies: [
                "SecretMemory", "DataProtection", "KeychainEngine", "KeychainSync", "AppUsers", "UserPreferences",
                "SharedGroups", "SyncEngines", "SyncLog", "SyncMerge", "SyncHistories", "TestSupport", "sync-lab",
                crypto,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "APITests",
            dependencies: [
                "SecretMemory", "DataProtection", "SealedDatabases", "KeychainEngine", "Keychains",
                "LocalAuthentication", "LocalAuthenticationEngine", "SecItem", "SecItemEngine", "TestSupport",
                "test-worker", "keychain-program",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "GuardTests",
            dependencies: [
                "CPlatform", "SecretMemory", "Readers", "Files", "DataProtection", "KeychainEngine", "Guards",
                "GuardChannels", "Keychains", "Security", "ZamokCommand", "TestSupport", "test-worker",
                "keychain-program",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SecItemConformance",
            dependencies: ["DataProtection", "GuardChannels", "Security"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "InterfaceProtectionTests",
            dependencies: ["SecretMemory", "InterfaceProtection"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TerminalPrivacyTests",
            dependencies: ["SecretMemory", "InterfaceProtection", "TerminalPrivacy", "TestSupport", "test-worker"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ProvisioningProfilesTests",
            dependencies: ["ProvisioningProfiles", "ZamokCommand", "TestSupport", crypto, cryptoExtras, asn1],
            exclude: ["TestAuthority"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SweepsTests",
            dependencies: [
                "SecretMemory", "Files", "Readers", "DataProtection", "KeychainEngine", "Keychains", "ProtectedFiles",
                "Credentials", "Sweeps", "ZamokCommand", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CLITests",
            dependencies: [
                "Statuses", "SecretMemory", "Sealing", "Readers", "SecurityTypes", "DataProtection", "KeychainEngine",
                "Keychains", "Credentials", "SyncLog", "SyncEngines",
                "ProtectedFiles", "UserPreferences", "AppUsers", "ProvisioningProfiles", "InterfaceProtection",
                "TerminalPrivacy", "Security", "ZamokCommand", "tour", "CTestSupport", "TestSupport", "test-worker",
                argumentParser,
            ],
            exclude: ["transcripts"],
            swiftSettings: strict
        ),
    ]
)
