// SPDX-License-Identifier: Apache-2.0

/// How a host is spoken to.
package enum Scheme: UInt8, Sendable {
    case https = 1
    case http = 2
    /// A database, by TLS.
    case postgres = 3

    var name: String {
        switch self {
        case .https: "https"
        case .http: "http"
        case .postgres: "postgres"
        }
    }

    package var port: UInt16 {
        switch self {
        case .https: 443
        case .http: 80
        case .postgres: 5432
        }
    }
}

/// A server: scheme, name and port.
package struct Host: Hashable, Sendable {
    package let scheme: Scheme
    /// A name in small letters of ASCII, or an address without brackets.
    package let name: String
    package let port: UInt16

    package init(_ scheme: Scheme, _ name: String, _ port: UInt16) {
        (self.scheme, self.name, self.port) = (scheme, name, port)
    }

    /// As in a request's `Host`: without the scheme's own port.
    package var authority: String {
        let name = name.contains(":") ? "[\(name)]" : name
        return port == scheme.port ? name : "\(name):\(port)"
    }

    package var description: String { "\(scheme.name)://\(authority)" }
}

/// A host of the configuration.
package struct ListedHost: Hashable, Sendable {
    package let host: Host
    /// Whether a secret may be put in, so that its TLS is opened. Otherwise a tunnel stays closed.
    package let isOpened: Bool
    /// The address at which it is, in place of those that its name has.
    package let address: String?

    package init(_ host: Host, isOpened: Bool, address: String? = nil) {
        (self.host, self.isOpened, self.address) = (host, isOpened, address)
    }
}

/// A base address: plain HTTP, or PostgreSQL without TLS, inside, for one host outside.
package struct Base: Hashable, Sendable {
    package let host: Host
    /// What the path of each request begins with outside; empty, or with a slash at its beginning and none at its end.
    package let path: String
    /// Replaces the secret in answers.
    package let placeholder: String

    package init(host: Host, path: String, placeholder: String) {
        (self.host, self.path, self.placeholder) = (host, path, placeholder)
    }
}

/// What the proxy knows from its start.
package struct Configuration: Sendable {
    /// Whether tunnels to hosts that are not listed are permitted, closed.
    package var isOpen = false
    /// A file of certificates in PEM that verifies servers; nil: the system's.
    package var trust: String?
    /// In place of these, for databases.
    package var databaseTrust: String?
    package var hosts: [ListedHost] = []
    package var placeholders: [String] = []
    package var bases: [Base] = []

    package init() {}

    func listed(_ host: Host) -> ListedHost? { hosts.first { $0.host == host } }
}
