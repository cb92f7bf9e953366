// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "client-identity",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "zamok", path: "../..")],
    targets: [
        .executableTarget(
            name: "client-identity",
            dependencies: [.product(name: "Keychains", package: "zamok")],
            path: "Sources/ClientIdentity"
        )
    ]
)
