// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The screens without the default trait: nothing but Zamok is fetched (Decision 0062).
let package = Package(
    name: "ScreensAlone",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "zamok", path: "../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "ScreensAlone",
            dependencies: [
                .product(name: "InterfaceProtection", package: "zamok"),
                .product(name: "InterfaceProtectionUI", package: "zamok"),
                .product(name: "TerminalPrivacy", package: "zamok"),
            ])
    ]
)
