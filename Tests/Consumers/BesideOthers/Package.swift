// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// Well-known packages of servers and the module Security in one build. Built by hand, as they are large: jwt-kit stands on
// swift-certificates, which has code for a module of that name, and async-http-client on swift-nio-ssl.
let security: Target.Dependency = .product(
    name: "Security", package: "zamok", condition: .when(platforms: [.linux, .android, .windows]))
let others: [Target.Dependency] = [
    security,
    .product(name: "JWTKit", package: "jwt-kit"),
    .product(name: "AsyncHTTPClient", package: "async-http-client"),
]

let package = Package(
    name: "BesideOthers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "zamok", path: "../../.."),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .executableTarget(name: "Beside", dependencies: others),
        .executableTarget(name: "After", dependencies: others),
    ]
)
