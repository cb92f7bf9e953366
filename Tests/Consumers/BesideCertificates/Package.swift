// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// swift-certificates and the module Security in one build. swift-certificates has code for a module of that name.
// Whether it sees ours depends on which of the two was built first. Converting and Remedied have to be right either
// way. Alone links only where swift-certificates was built first, which README says.
let security: Target.Dependency = .product(
    name: "Security", package: "zamok", condition: .when(platforms: [.linux, .android, .windows]))

let package = Package(
    name: "BesideCertificates",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "zamok", path: "../../.."),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .executableTarget(
            name: "Converting",
            dependencies: [
                security,
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .executableTarget(
            name: "Alone", dependencies: [.product(name: "X509", package: "swift-certificates")]),
        .executableTarget(
            name: "Remedied", dependencies: [security, .product(name: "X509", package: "swift-certificates")]),
    ]
)
