// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "wallet",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "zamok", path: "../..")],
    targets: [
        .executableTarget(
            name: "wallet",
            dependencies: [
                .product(name: "Zamok", package: "zamok"),
                .product(name: "InterfaceProtection", package: "zamok"),
                .product(name: "TerminalPrivacy", package: "zamok"),
            ],
            path: "Sources/Wallet"
        )
    ]
)
