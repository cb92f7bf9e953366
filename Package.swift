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
        .target(name: "CPlatform"),
        .target(name: "SecretMemory", dependencies: ["CPlatform"], swiftSettings: strict),
        .target(name: "InterfaceProtection", dependencies: ["SecretMemory"], swiftSettings: strict),
        .target(
            name: "InterfaceProtectionUI", dependencies: ["InterfaceProtection"],
            resources: [.process("Resources")], swiftSettings: strict
        ),
        .target(
            name: "TerminalPrivacy", dependencies: ["CPlatform", "SecretMemory", "InterfaceProtection"],
            swiftSettings: strict
        ),
        .target(name: "Sealing", dependencies: ["SecretMemory", crypto, cryptoExtras], swiftSettings: strict),
        .target(
            name: "DataProtection",
            dependencies: ["CPlatform", "SecretMemory", "Files", "Sealing", log],
            swiftSettings: strict
        ),
        .target(name: "Readers", swiftSettings: strict),
        .target(name: "Files", dependencies: ["CPlatform", "SecretMemory"], swiftSettings: strict),
        .target(
            name: "ProtectedFiles",
            dependencies: ["CPlatform", "SecretMemory", "Files", "Sealing", "DataProtection"],
            swiftSettings: strict
        ),
        .target(
            name: "SealedDatabase",
            dependencies: [
                "CPlatform", "SecretMemory", "Sealing", "DataProtection", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "KeychainStore",
            dependencies: ["SecretMemory", "Readers", "Sealing", "DataProtection", "SealedDatabase"],
            swiftSettings: strict
        ),
        .target(
            name: "KeyMaterials",
            dependencies: [
                "SecretMemory", "KeychainStore", "SecurityTypes", crypto, cryptoExtras,
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Keychains",
            dependencies: [
                "SecretMemory", "Files", "DataProtection", "KeychainStore", "KeyMaterials", "SecurityTypes", log,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "SecurityTypes",
            dependencies: [.product(name: "SwiftASN1", package: "swift-asn1")],
            swiftSettings: strict
        ),
        // What any package may load stands on no C module; the engines behind it enter themselves when a program starts (Decision 0014).
        .target(name: "LocalAuthentication", swiftSettings: strict),
        .target(name: "CLocalAuthenticationStart"),
        .target(
            name: "LocalAuthenticationEngine",
            dependencies: ["CLocalAuthenticationStart", "SecretMemory", "DataProtection", "LocalAuthentication"],
            swiftSettings: strict
        ),
        .target(name: "SecItem", dependencies: ["SecurityTypes"], swiftSettings: strict),
        .target(name: "CSecItemStart"),
        .target(
            name: "SecItemEngine",
            dependencies: [
                "CSecItemStart", "SecretMemory", "DataProtection", "KeychainStore", "KeyMaterials",
                "LocalAuthentication", "LocalAuthenticationEngine", "SecurityTypes", "SecItem", crypto, log,
            ],
            swiftSettings: strict
        ),
        .target(name: "Security", dependencies: ["SecItem", "SecItemEngine"], swiftSettings: strict),
        .target(
            name: "UserPreferences",
            dependencies: ["SecretMemory", "Readers", "Files", "Sealing", "DataProtection", "SealedDatabase", log],
            swiftSettings: strict
        ),
        .target(
            name: "AppUsers",
            dependencies: [
                "SecretMemory", "Files", "Readers", "Sealing", "DataProtection", "KeychainStore", "Keychains",
                "ProtectedFiles", "UserPreferences",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Zamok",
            dependencies: [
                "SecretMemory", "DataProtection", "Keychains", "ProtectedFiles", "UserPreferences", "AppUsers",
            ],
            swiftSettings: strict
        ),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "ProvisioningProfiles",
            dependencies: [
                "Readers", "CZlib", .product(name: "SwiftASN1", package: "swift-asn1"), crypto, cryptoExtras,
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "ZamokCommand",
            dependencies: [
                "SecretMemory", "DataProtection", "Keychains", "ProtectedFiles", "UserPreferences", "AppUsers",
                "ProvisioningProfiles",
                // Named by nothing: linked statically, Foundation's bridging of arrays, which property lists need, comes only with what names NSArray.
                "Security",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
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
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
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
                "UserPreferences", "Readers", "DataProtection", "SealedDatabase", "Sealing", "Mutations", "TestHomes",
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
                "AppUsers", "UserPreferences", "DataProtection", "SecretMemory", "KeychainStore", "Keychains",
                "ProtectedFiles", "Files", "Sealing", "TestHomes", "TestTools", "FaultInjector", "Mutations",
                "UserWorker",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ProvisioningProfilesTests",
            dependencies: [
                "ProvisioningProfiles", "ZamokCommand", "Mutations", crypto, cryptoExtras,
                .product(name: "SwiftASN1", package: "swift-asn1"),
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
                "SecretMemory", "DataProtection", "KeychainStore", "LocalAuthentication", "SecItem",
                "SecItemEngine", "Mutations", "OpenSSLTool", "ScriptedPrompts", "TestHomes", "TestTools",
                "keychain-program",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "KeyMaterialsTests",
            dependencies: [
                "KeychainStore", "KeyMaterials", "SecurityTypes", "Mutations", "OpenSSLTool", "VectorFiles", crypto,
                .product(name: "SwiftASN1", package: "swift-asn1"),
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
            dependencies: ["CTestTools", "SecretMemory", "DataProtection", "KeychainStore", "Keychains", "TestHomes"],
            path: "Tests/KeychainWorker", swiftSettings: strict
        ),
        .testTarget(
            name: "SealedDatabaseTests",
            dependencies: [
                "SecretMemory", "Sealing", "DataProtection", "SealedDatabase", "Mutations", "TestHomes",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "KeychainsTests",
            dependencies: [
                "SecretMemory", "DataProtection", "SealedDatabase", "KeychainStore", "Keychains", "ScriptedPrompts",
                "TestHomes",
                "TestTools", "Mutations", "OpenSSLTool", "keychain-worker",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SealingTests", dependencies: ["SecretMemory", "Sealing", crypto], swiftSettings: strict
        ),
        .testTarget(
            name: "KeychainStoreTests",
            dependencies: [
                "SecretMemory", "Sealing", "DataProtection", "SealedDatabase", "KeychainStore", "ScriptedPrompts",
                "TestHomes", "TestTools", "FaultInjector", "Mutations", "MemorySearch", "VectorFiles",
                "keychain-worker", "ZamokCommand", .product(name: "GRDB", package: "GRDB.swift"),
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
