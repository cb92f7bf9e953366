// swift-tools-version: 6.2
//
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own: a module named UIKit makes `canImport(UIKit)` true for everything that is built beside it.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "uikit-stand-in",
    defaultLocalization: "en",
    dependencies: [.package(name: "zamok", path: "../..")],
    targets: [
        // Not Apple's UIKit: a model of the few parts of it that the adapters use.
        .target(name: "UIKit", swiftSettings: strict),
        // Not Apple's SwiftUI, either.
        .target(name: "SwiftUI", dependencies: ["UIKit"], swiftSettings: strict),
        // What the compiler looks for where Testing and UIKit are imported side by side.
        .target(name: "_Testing_UIKit", dependencies: ["UIKit"], swiftSettings: strict),
        // The adapters' own sources, by a link, under another name.
        .target(
            name: "InterfaceProtectionUIUnderTest",
            dependencies: ["UIKit", "SwiftUI", .product(name: "InterfaceProtection", package: "zamok")],
            resources: [.process("Resources")], swiftSettings: strict
        ),
        .testTarget(
            name: "StandInTests",
            dependencies: [
                "UIKit", "SwiftUI", "_Testing_UIKit", "InterfaceProtectionUIUnderTest",
                .product(name: "InterfaceProtection", package: "zamok"),
            ],
            swiftSettings: strict
        ),
    ]
)
