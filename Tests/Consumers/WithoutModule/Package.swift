// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The product under a condition that is false here: the package resolves and builds, and there is no such module.
let package = Package(
    name: "WithoutModule",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "zamok", path: "../../..")],
    targets: [
        .executableTarget(
            name: "WithoutModule",
            dependencies: [.product(name: "Security", package: "zamok", condition: .when(platforms: [.wasi]))])
    ]
)
