// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// As a user writes it: one product, under the condition that the README gives.
let package = Package(
    name: "ClassicRecipe",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "zamok", path: "../../..")],
    targets: [
        .executableTarget(
            name: "ClassicRecipe",
            dependencies: [
                .product(
                    name: "Security", package: "zamok", condition: .when(platforms: [.linux, .android, .windows]))
            ])
    ]
)
