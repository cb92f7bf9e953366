// SPDX-License-Identifier: Apache-2.0

import KeychainEngine
import Sealing
package import SecretMemory

/// What the guard says to its proxy (Documentation/Formats/GuardMessages.md, "Proxy").
package enum ProxyCommand: Sendable {
    case configure(ProxyConfiguration)
    case answer(UInt32, ProxyVerdict)
    case locked

    package var bytes: [UInt8] {
        get throws {
            var writer = ByteWriter(capacity: 256)
            switch self {
            case .configure(let configuration):
                writer.append([1, 1])
                writer.configuration(configuration)
            case .answer(let number, let verdict):
                writer.append([1, 2])
                writer.integer(number)
                try writer.verdict(verdict)
            case .locked: writer.append([1, 3])
            }
            return writer.bytes
        }
    }
}

/// What the proxy of a run knows from its start.
package struct ProxyConfiguration: Sendable {
    package struct Listed: Sendable {
        package let host: UseHost
        package let isOpened: Bool

        package init(_ host: UseHost, isOpened: Bool) { (self.host, self.isOpened) = (host, isOpened) }
    }

    /// Plain HTTP, or PostgreSQL without TLS, inside for one host outside.
    package struct Base: Sendable {
        package let host: UseHost
        package let path: String
        package let placeholder: String

        package init(_ host: UseHost, path: String, placeholder: String) {
            (self.host, self.path, self.placeholder) = (host, path, placeholder)
        }
    }

    package var isOpen = false
    package var trust: String?
    package var hosts: [Listed] = []
    package var placeholders: [String] = []
    package var bases: [Base] = []
    /// In place of `trust`, for databases.
    package var databaseTrust: String?

    package init() {}
}

/// Whether a request may be sent, and with which secrets.
package enum ProxyVerdict: Sendable {
    case refused(status: UInt16, String)
    case allowed([Given])

    package struct Given: Sendable {
        package let placeholder: String
        /// Nil: the answer is searched for it, and the request doesn't get it.
        package let place: UsePlace?
        package let account: String
        package let secret: Secret

        package init(placeholder: String, place: UsePlace?, account: String, secret: Secret) {
            (self.placeholder, self.place, self.account, self.secret) = (placeholder, place, account, secret)
        }
    }
}

/// What the proxy says to the guard.
package enum ProxyReport: Sendable {
    case ready(certificate: String)
    case question(UInt32, ProxyQuestion)
    /// Whether what a question was answered with still holds.
    case still(UInt32, ProxyQuestion)
    case note(UseHost?, method: String, path: String, String)

    /// Bytes of a message after its length.
    package static let limit = 1 << 20

    /// Errors: `SealingError.malformed`.
    package init(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        guard try reader.integer(UInt8.self) == 1 else { throw SealingError.malformed }
        let kind = try reader.integer(UInt8.self)
        switch kind {
        case 1: self = .ready(certificate: try reader.longText())
        case 2, 4:
            let number = try reader.integer(UInt32.self)
            let base = try reader.integer(UInt16.self)
            guard let host = try reader.host() else { throw SealingError.malformed }
            let (method, path) = (try reader.longText(), try reader.longText())
            let count = Int(try reader.integer(UInt16.self))
            let found = try (0..<count).map { _ in
                let placeholder = try reader.longText()
                let place = try reader.integer(UInt8.self)
                return (placeholder, UsePlace(number: place, name: try reader.longText()))
            }
            let question = ProxyQuestion(base: Int(base), host: host, method: method, path: path, found: found)
            self = kind == 2 ? .question(number, question) : .still(number, question)
        case 3:
            let host = try reader.flag() ? try reader.host() : nil
            let (method, path) = (try reader.longText(), try reader.longText())
            self = .note(host, method: method, path: path, try reader.longText())
        default: throw SealingError.malformed
        }
        try reader.end()
    }
}

/// A request before it is sent.
package struct ProxyQuestion: Sendable {
    /// The number of the base address, from 1; 0: none.
    package let base: Int
    package let host: UseHost
    package let method: String
    package let path: String
    /// Nil as place: one that can't be granted.
    package let found: [(placeholder: String, place: UsePlace?)]

    package init(
        base: Int = 0, host: UseHost, method: String, path: String, found: [(placeholder: String, place: UsePlace?)]
    ) { (self.base, self.host, self.method, self.path, self.found) = (base, host, method, path, found) }
}

extension ByteWriter {
    fileprivate mutating func host(_ host: UseHost) {
        integer(host.scheme.rawValue)
        prefixed(host.name.utf8)
        integer(host.port)
    }

    fileprivate mutating func configuration(_ configuration: ProxyConfiguration) {
        append([configuration.isOpen ? 1 : 0])
        optional(configuration.trust.map { Array($0.utf8) })
        integer(UInt16(truncatingIfNeeded: configuration.hosts.count))
        for listed in configuration.hosts {
            append([listed.isOpened ? 1 : 0])
            host(listed.host)
            optional(listed.host.address.map { Array($0.utf8) })
        }
        integer(UInt16(truncatingIfNeeded: configuration.placeholders.count))
        for placeholder in configuration.placeholders { prefixed(placeholder.utf8) }
        integer(UInt16(truncatingIfNeeded: configuration.bases.count))
        for base in configuration.bases {
            host(base.host)
            prefixed(base.path.utf8)
            prefixed(base.placeholder.utf8)
        }
        optional(configuration.databaseTrust.map { Array($0.utf8) })
    }

    fileprivate mutating func verdict(_ verdict: ProxyVerdict) throws {
        switch verdict {
        case .refused(let status, let text):
            append([0])
            integer(status)
            prefixed(text.utf8)
        case .allowed(let given):
            append([1])
            integer(UInt16(truncatingIfNeeded: given.count))
            for one in given {
                var secret = try [UInt8](exposing: one.secret)
                defer { secret.wipe() }
                // For all of it: what is written after a secret must not move it without overwriting.
                let texts = [one.placeholder, one.place?.name ?? "", one.account]
                makeRoom(texts.reduce(secret.count + 18) { $0 + $1.utf8.count })
                prefixed(one.placeholder.utf8)
                append([one.place == nil ? 0 : 1])
                if let place = one.place {
                    integer(place.number)
                    prefixed(place.name.utf8)
                }
                prefixed(one.account.utf8)
                prefixed(secret)
            }
        }
    }
}

extension ByteReader {
    fileprivate mutating func longText() throws -> String {
        let count = Int(try integer(UInt32.self))
        guard count <= 1 << 17 else { throw SealingError.malformed }
        return try text(count)
    }

    /// Nil: one that no grant can name.
    fileprivate mutating func host() throws -> UseHost? {
        let scheme = try integer(UInt8.self)
        let name = try longText()
        let port = try integer(UInt16.self)
        return UseHost.Scheme(rawValue: scheme).flatMap { UseHost($0, name, port) }
    }
}
