// swift-tools-version: 6.2
//
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "zamok-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "zamok", path: ".."),
        // The cryptography alone, called as the files do.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // The baseline: the same SQLite, the same access, without sealing.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(name: "Meter", path: "Benchmarks/Meter"),
        // Each runs its own measures, ours and the other's in turn.
        .executableTarget(
            name: "KeychainBenchmarks",
            dependencies: [
                "Meter", .product(name: "Zamok", package: "zamok"), .product(name: "Security", package: "zamok"),
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            path: "Benchmarks/Keychain"
        ),
        .executableTarget(
            name: "PreferencesBenchmarks",
            dependencies: [
                "Meter", .product(name: "UserPreferences", package: "zamok"),
                .product(name: "AppUsers", package: "zamok"),
                .product(name: "DataProtection", package: "zamok"), .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Benchmarks/Preferences"
        ),
        // Absolute limits, and a second process on a terminal: no harness.
        .executableTarget(
            name: "InterfaceBenchmarks",
            dependencies: [
                .product(name: "InterfaceProtection", package: "zamok"),
                .product(name: "SecretMemory", package: "zamok"),
                .product(name: "TerminalPrivacy", package: "zamok"),
            ]
        ),
        // Runs its own measures, beside other programs.
        .executableTarget(
            name: "FilesBenchmarks",
            dependencies: [
                "Meter", .product(name: "ProtectedFiles", package: "zamok"),
                .product(name: "DataProtection", package: "zamok"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Benchmarks/Files"
        ),
    ]
)
