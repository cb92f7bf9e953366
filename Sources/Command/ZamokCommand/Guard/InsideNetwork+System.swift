// SPDX-License-Identifier: Apache-2.0

import CPlatform
import DataProtection

/// What a guest has of the network: a proxy on its own loopback, base addresses beside it, and the run's authority
/// among those that it trusts.
struct InsideNetwork {
    /// The proxy's, then those of base addresses.
    static let firstPort = 3128
    /// The descriptor at which the first program of the guest hands its sockets over.
    static let handoverDescriptor: Int32 = 15
    private static let firstFile: Int32 = 16
    /// The file of trusted authorities that the variables name.
    static let authorities = "\(GuardedProcess.folder)/authorities.pem"

    /// Where systems keep the authorities that they trust.
    private static let systemFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    /// All trusted authorities, in PEM.
    let bundle: [UInt8]
    let baseCount: Int
    /// Placeholders and base addresses, by the names of variables.
    let own: [String: String]
    /// Hosts that are reached without the proxy.
    let direct: [String]

    var ports: [Int] { (0...baseCount).map { Self.firstPort + $0 } }

    private var places: [String] {
        let real = Self.systemFiles.compactMap(RealPath.of).filter { $0.hasPrefix("/etc/") || $0.hasPrefix("/usr/") }
        return [Self.authorities] + Set(real).sorted()
    }

    /// The system's own file of authorities; nil: there is none.
    static var systemFile: String? { systemFiles.first { RealPath.of($0) != nil } }

    /// Words of bubblewrap: the authorities over the system's files.
    var words: [String] {
        places.enumerated().flatMap { ["--ro-bind-data", "\(Self.firstFile + Int32($0))", $1] }
    }

    /// Descriptors for these words, with the numbers that they get.
    func files() throws -> [(from: Int32, to: Int32)] {
        try places.indices.map { index in
            (try GuestProcess.memory("authorities", bundle), Self.firstFile + Int32(index))
        }
    }

    var variables: [String: String] {
        let proxy = "http://127.0.0.1:\(Self.firstPort)"
        var all = own
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] { (all[name], all[name.lowercased()]) = (proxy, proxy) }
        for name in ["NO_PROXY", "no_proxy"] { all[name] = direct.joined(separator: ",") }
        for name in [
            "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO",
            "CARGO_HTTP_CAINFO", "PIP_CERT", "AWS_CA_BUNDLE", "npm_config_cafile",
        ] { all[name] = Self.authorities }
        for name in ["CARGO_HTTP_PROXY", "PIP_PROXY", "npm_config_proxy", "npm_config_https_proxy"] {
            all[name] = proxy
        }
        all["NODE_USE_ENV_PROXY"] = "1"
        return all
    }

    /// Inside: makes the sockets that listen, and gives them to the proxy, which is outside. 0, or a negated errno.
    static func handOver(_ ports: [Int32]) -> Int32 {
        guard !ports.isEmpty else { return 0 }
        var sockets: [Int32] = []
        defer {
            for socket in sockets { close(socket) }
            close(handoverDescriptor)
        }
        for port in ports {
            let made = zamok_guard_listen_loopback(port)
            guard made >= 0 else { return made }
            sockets.append(made)
        }
        return unsafe zamok_guard_send_files(handoverDescriptor, sockets, Int32(sockets.count))
    }
}
