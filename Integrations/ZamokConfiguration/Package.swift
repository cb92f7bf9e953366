// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "zamok-configuration",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "ZamokConfiguration", targets: ["ZamokConfiguration"])],
    dependencies: [
        .package(name: "zamok", path: "../.."),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
    ],
    targets: [
        .target(
            name: "ZamokConfiguration",
            dependencies: [
                .product(name: "Keychains", package: "zamok"), .product(name: "SecretMemory", package: "zamok"),
                .product(name: "DataProtection", package: "zamok"),
                .product(name: "Configuration", package: "swift-configuration"),
            ],
            // As the protocol is declared.
            swiftSettings: [
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"), .enableUpcomingFeature("InternalImportsByDefault"),
            ]
        ),
        .testTarget(
            name: "ZamokConfigurationTests",
            dependencies: [
                "ZamokConfiguration", .product(name: "DataProtection", package: "zamok"),
                .product(name: "Keychains", package: "zamok"), .product(name: "SecretMemory", package: "zamok"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "ConfigurationTesting", package: "swift-configuration"),
            ]
        ),
    ]
)
