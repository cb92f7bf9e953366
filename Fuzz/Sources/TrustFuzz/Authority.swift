// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A small authority that openssl makes, with what the rules for paths look at.
struct Authority {
    let leaf: [UInt8]
    let middle: [UInt8]
    let root: [UInt8]

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["root", "middle", "leaf"] {
            let issuer = ["middle": "root", "leaf": "middle"][name] ?? name
            try Data((Self.extensions[name] ?? "").utf8).write(to: folder.appending(path: "\(name).ext"))
            try Self.openssl(folder, "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out \(name).key")
            try Self.openssl(folder, "req -new -key \(name).key -subj /O=Fuzz/CN=\(name).example.org -out \(name).csr")
            let signer = issuer == name ? "-signkey root.key" : "-CA \(issuer).pem -CAkey \(issuer).key"
            try Self.openssl(
                folder,
                "x509 -req -in \(name).csr \(signer) -days 9000 -set_serial 77 -extfile \(name).ext -out \(name).pem")
            try Self.openssl(folder, "x509 -in \(name).pem -outform DER -out \(name).der")
        }
        func der(_ name: String) throws -> [UInt8] {
            Array(try Data(contentsOf: folder.appending(path: "\(name).der")))
        }
        (leaf, middle, root) = (try der("leaf"), try der("middle"), try der("root"))
    }

    private static let extensions = [
        "root": "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign",
        "middle": """
        basicConstraints=critical,CA:TRUE,pathlen:3
        keyUsage=critical,keyCertSign,cRLSign
        nameConstraints=critical,permitted;DNS:example.org,permitted;IP:192.0.2.0/255.255.255.0,excluded;DNS:b.c.example.org,excluded;email:.example.com
        policyConstraints=critical,requireExplicitPolicy:9
        """,
        "leaf": """
        basicConstraints=CA:FALSE
        keyUsage=digitalSignature
        extendedKeyUsage=serverAuth,clientAuth
        subjectAltName=DNS:leaf.example.org,DNS:*.example.org,IP:192.0.2.1,email:anna@example.org,URI:https://example.org
        authorityInfoAccess=OCSP;URI:http://ocsp.example.org,caIssuers;URI:http://example.org
        certificatePolicies=1.2.3.4
        """,
    ]

    private static func openssl(_ folder: URL, _ arguments: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments.split(separator: " ").map(String.init)
        process.currentDirectoryURL = folder
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }
}

/// The certificates in the files of a folder, in PEM or DER.
func certificates(in folder: String) throws -> [[UInt8]] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted().flatMap { name -> [[UInt8]] in
        guard let data = try? Data(contentsOf: URL(filePath: folder).appending(path: name)) else { return [] }
        let blocks = String(decoding: data, as: UTF8.self).components(separatedBy: "-----BEGIN CERTIFICATE-----")
            .dropFirst()
        guard !blocks.isEmpty else { return [Array(data)] }
        return blocks.compactMap { block in
            Data(base64Encoded: block.components(separatedBy: "-----END")[0].filter { !$0.isWhitespace }).map {
                Array($0)
            }
        }
    }
}
