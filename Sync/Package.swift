// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error), .strictMemorySafety(), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
]

/// The log by which homes share items, the rules by which their edits meet, and the engines that hold the log; a package of its own, so that nobody
/// who uses the library builds an HTTP client.
let package = Package(
    name: "zamok-sync",
    // X-Wing.
    platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
    products: [
        .library(name: "SyncLog", targets: ["SyncLog"]),
        .library(name: "SyncMerge", targets: ["SyncMerge"]),
        .library(name: "SyncEngines", targets: ["SyncEngines"]),
        .library(name: "SyncEtcd", targets: ["SyncEtcd"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        // Certificates of clients, and the bytes that the client's API is made of.
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    ],
    targets: [
        // How edits of several homes meet: no keys, no log, no clock.
        .target(name: "SyncMerge", swiftSettings: settings),
        // Entries coded, signed, sealed and chained; what counts; who is a member.
        .target(
            name: "SyncLog", dependencies: ["SyncMerge", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings),
        // Where entries are kept, and a home that follows them.
        .target(name: "SyncEngines", dependencies: ["SyncLog", "SyncMerge"], swiftSettings: settings),
        .target(
            name: "SyncEtcd",
            dependencies: [
                "SyncEngines", "SyncLog", .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings),
        // Random histories of a few homes, the same for every reader.
        .target(name: "SyncHistories", dependencies: ["SyncMerge"], swiftSettings: settings),
        // Writes the vectors, and plays histories for the reader in Python to play again.
        .executableTarget(
            name: "sync-lab",
            dependencies: ["SyncLog", "SyncMerge", "SyncHistories", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings),
        .testTarget(name: "SyncMergeTests", dependencies: ["SyncMerge", "SyncHistories"], swiftSettings: settings),
        .testTarget(
            name: "SyncLogTests",
            dependencies: ["SyncLog", "SyncMerge", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings),
        .testTarget(
            name: "SyncEnginesTests",
            dependencies: [
                "SyncEngines", "SyncLog", "SyncMerge", .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SyncEtcdTests", dependencies: ["SyncEtcd", "SyncEngines", "SyncLog", "SyncMerge"],
            swiftSettings: settings),
    ]
)
