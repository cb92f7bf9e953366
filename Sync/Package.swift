// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error), .strictMemorySafety(), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
]

let sync: Target.Dependency = .product(name: "KeychainSync", package: "zamok")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")

/// The engines of sync that are reached over a network. They are a package of their own, so that users of the library
/// build no HTTP client. Without the trait `Network` the program knows folders alone, and is built in seconds, for
/// tests.
let package = Package(
    name: "zamok-sync",
    platforms: [.macOS(.v13)],
    products: [
        .library(name: "SyncEtcd", targets: ["SyncEtcd"]), .library(name: "SyncS3", targets: ["SyncS3"]),
        .executable(name: "zamok-sync", targets: ["zamok-sync"]),
    ],
    traits: [
        .trait(name: "Network", description: "Engines that are reached over a network."),
        .default(enabledTraits: ["Network"]),
    ],
    dependencies: [
        .package(name: "zamok", path: ".."),
        // Signatures of requests.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        // Certificates of clients, and the bytes that the client's API is made of.
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        // How long a request may take, its answer included.
        .target(
            name: "SyncRequests",
            dependencies: [.product(name: "NIOConcurrencyHelpers", package: "swift-nio")], swiftSettings: settings),
        .target(
            name: "SyncEtcd",
            dependencies: [
                sync, "SyncRequests", .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings),
        .target(
            name: "SyncS3",
            dependencies: [
                sync, crypto, "SyncRequests", .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings),
        // `zamok sync` starts it.
        .executableTarget(
            name: "zamok-sync",
            dependencies: [
                .target(name: "SyncEtcd", condition: .when(traits: ["Network"])),
                .target(name: "SyncS3", condition: .when(traits: ["Network"])), sync,
                .product(name: "AppUsers", package: "zamok"),
                .product(name: "DataProtection", package: "zamok"), .product(name: "Keychains", package: "zamok"),
                .product(name: "SecretMemory", package: "zamok"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        // Homes as processes that can be killed, for tests of the engines and for figures.
        .executableTarget(
            name: "sync-storm",
            dependencies: [
                "SyncEtcd", "SyncS3", sync, crypto, .product(name: "DataProtection", package: "zamok"),
                .product(name: "Keychains", package: "zamok"), .product(name: "SecretMemory", package: "zamok"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SyncRequestsTests", dependencies: ["SyncEtcd", "SyncS3", sync], exclude: ["stalling_server.py"],
            swiftSettings: settings),
        .testTarget(
            name: "SyncEtcdTests", dependencies: ["SyncEtcd", sync], exclude: ["proxy.py"],
            swiftSettings: settings),
        .testTarget(
            name: "SyncS3Tests", dependencies: ["SyncS3", sync], exclude: ["s3_server.py"], swiftSettings: settings),
        .testTarget(name: "SyncStormTests", dependencies: ["sync-storm"], swiftSettings: settings),
    ]
)
