// swift-tools-version: 6.2
//
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "zamok-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "zamok", path: "..")],
    targets: [
        // Public API alone, as an app calls it.
        .executableTarget(name: "TrustFuzz", dependencies: [.product(name: "Security", package: "zamok")])
    ]
)
