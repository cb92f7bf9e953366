// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error), .strictMemorySafety(), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
]

/// `zamok-audit`, a package of its own, so that nobody who uses the library builds swift-syntax.
let package = Package(
    name: "zamok-audit",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "zamok-audit", targets: ["zamok-audit"])],
    dependencies: [
        .package(name: "zamok", path: ".."),
        // Parses Swift, files with errors too, without a compiler or an SDK.
        .package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Fingerprints of findings, and of the files for the cache. The package above brings it already.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        // What a rule says about a place, and every form in which it is told.
        .target(
            name: "Findings", dependencies: [.product(name: "Crypto", package: "swift-crypto")], swiftSettings: settings
        ),
        // What stands in a project: sources, storyboards, property lists, entitlements, settings, joined.
        .target(
            name: "AuditModel",
            dependencies: [
                "Findings", .product(name: "ProvisioningProfiles", package: "zamok"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
            ],
            swiftSettings: settings
        ),
        // The rules, and the models of the stores into which secrets go.
        .target(
            name: "AuditRules",
            dependencies: ["Findings", "AuditModel", .product(name: "SwiftSyntax", package: "swift-syntax")],
            swiftSettings: settings),
        // The words of the command line, and what an audit does from them: settings, cache, baseline, changes.
        .target(
            name: "AuditCommand",
            dependencies: [
                "Findings", "AuditModel", "AuditRules", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "zamok-audit",
            dependencies: ["AuditCommand", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: settings
        ),
        // Damaged files of each kind, for the tests; and a program that reads a million of them.
        .target(name: "AuditMutations", dependencies: ["AuditModel", "AuditRules"], swiftSettings: settings),
        .executableTarget(name: "audit-mutations", dependencies: ["AuditMutations"], swiftSettings: settings),
        .testTarget(
            name: "AuditTests",
            dependencies: ["Findings", "AuditModel", "AuditRules", "AuditCommand", "AuditMutations"],
            swiftSettings: settings),
    ]
)
