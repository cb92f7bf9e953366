// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error), .strictMemorySafety(), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
]

/// The proxy of `zamok guard`. A package of its own, so that neither the library nor the command builds a server of
/// HTTP. It uses no module of Zamok: what it says to the guard is a format (Documentation/Formats/GuardMessages.md).
let package = Package(
    name: "zamok-guard-proxy",
    platforms: [.macOS(.v13)],
    products: [.executable(name: "zamok-guard-proxy", targets: ["zamok-guard-proxy"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        // The authority of a run, and the certificates that it signs.
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .target(name: "CGuardProxy"),
        .target(
            name: "GuardProxy",
            dependencies: [
                "CGuardProxy", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"), .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings),
        .executableTarget(name: "zamok-guard-proxy", dependencies: ["GuardProxy"], swiftSettings: settings),
        .testTarget(
            name: "GuardProxyTests",
            dependencies: [
                "CGuardProxy", "GuardProxy", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"), .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings),
    ]
)
