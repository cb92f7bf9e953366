// SPDX-License-Identifier: Apache-2.0

/// Where a placeholder is in a request.
package enum Place: Hashable, Sendable {
    /// In a header field, in small letters.
    case header(String)
    case basicPassword
    case basicUser
    /// The whole value of a parameter of the query.
    case query(String)
    /// The password of a user of PostgreSQL.
    case postgres(String)

    var number: UInt8 {
        switch self {
        case .header: 1
        case .basicPassword: 2
        case .query: 3
        case .basicUser: 4
        case .postgres: 5
        }
    }

    var name: String {
        switch self {
        case .header(let name), .query(let name), .postgres(let name): name
        case .basicPassword, .basicUser: ""
        }
    }

    init(number: UInt8, name: String) throws {
        switch number {
        case 1: self = .header(name)
        case 2: self = .basicPassword
        case 3: self = .query(name)
        case 4: self = .basicUser
        case 5: self = .postgres(name)
        default: throw MalformedMessage()
        }
    }
}

/// A placeholder that a request has.
package struct Found: Hashable, Sendable {
    package let placeholder: String
    package let place: Place

    package init(placeholder: String, place: Place) { (self.placeholder, self.place) = (placeholder, place) }
}

/// What the proxy asks the guard before a request is sent.
package struct Question: Sendable {
    /// The number of the base address, from 1; 0: none.
    package var base: UInt16
    package var host: Host
    package var method: String
    /// Without the query.
    package var path: String
    package var found: [Found]

    /// For PostgreSQL: a session.
    static let connect = "CONNECT"

    package init(base: UInt16, host: Host, method: String, path: String, found: [Found]) {
        (self.base, self.host, self.method, self.path, self.found) = (base, host, method, path, found)
    }
}

/// A secret that a request gets, or that its answer is searched for.
package final class Given {
    package let placeholder: String
    /// Nil: only searched for.
    package let place: Place?
    package let account: String
    package private(set) var secret: [UInt8]

    package init(_ placeholder: String, _ place: Place?, _ account: String, _ secret: [UInt8]) {
        (self.placeholder, self.place, self.account, self.secret) = (placeholder, place, account, secret)
    }

    deinit { secret.wipe() }
}

/// What the guard answers to a question.
package enum Verdict {
    case refused(status: UInt16, text: String)
    case allowed([Given])
}

/// What the guard says.
package enum GuardMessage {
    case configure(Configuration)
    case answer(UInt32, Verdict)
    /// Connections that carry a secret are closed.
    case locked

    package init(_ bytes: [UInt8]) throws {
        var reader = MessageReader(bytes)
        guard try reader.integer(UInt8.self) == 1 else { throw MalformedMessage() }
        switch try reader.integer(UInt8.self) {
        case 1: self = .configure(try reader.configuration())
        case 2:
            let number = try reader.integer(UInt32.self)
            self = .answer(number, try reader.verdict())
        case 3: self = .locked
        default: throw MalformedMessage()
        }
        try reader.end()
    }
}

/// What the proxy says.
package enum ProxyMessage {
    /// The certificate of the run's authority.
    case ready(certificate: String)
    case question(UInt32, Question)
    /// Whether what a question was answered with still holds.
    case still(UInt32, Question)
    /// A line for the log: what was refused without a question, or found in an answer.
    case note(Host?, method: String, path: String, text: String)

    package var bytes: [UInt8] {
        switch self {
        case .ready(let certificate):
            var writer = MessageWriter(kind: 1)
            writer.text(certificate)
            return writer.bytes
        case .question(let number, let question): return Self.bytes(kind: 2, number, question)
        case .still(let number, let question): return Self.bytes(kind: 4, number, question)
        case .note(let host, let method, let path, let text):
            var writer = MessageWriter(kind: 3)
            writer.integer(UInt8(host == nil ? 0 : 1))
            if let host { writer.host(host) }
            for part in [method, path, text] { writer.text(part) }
            return writer.bytes
        }
    }
}

extension ProxyMessage {
    private static func bytes(kind: UInt8, _ number: UInt32, _ question: Question) -> [UInt8] {
        var writer = MessageWriter(kind: kind)
        writer.integer(number)
        writer.integer(question.base)
        writer.host(question.host)
        writer.text(question.method)
        writer.text(question.path)
        writer.integer(UInt16(truncatingIfNeeded: question.found.count))
        for found in question.found {
            writer.text(found.placeholder)
            writer.integer(found.place.number)
            writer.text(found.place.name)
        }
        return writer.bytes
    }
}

extension MessageWriter {
    fileprivate mutating func host(_ host: Host) {
        integer(host.scheme.rawValue)
        text(host.name)
        integer(host.port)
    }
}

extension MessageReader {
    fileprivate mutating func host() throws -> Host {
        guard let scheme = Scheme(rawValue: try integer()) else { throw MalformedMessage() }
        let name = try text()
        return Host(scheme, name, try integer())
    }

    fileprivate mutating func configuration() throws -> Configuration {
        var configuration = Configuration()
        configuration.isOpen = try flag()
        configuration.trust = try optionalText()
        configuration.hosts = try list { reader in
            let isOpened = try reader.flag()
            let host = try reader.host()
            return ListedHost(host, isOpened: isOpened, address: try reader.optionalText())
        }
        configuration.placeholders = try list { try $0.text() }
        configuration.bases = try list { reader in
            let host = try reader.host()
            let path = try reader.text()
            return Base(host: host, path: path, placeholder: try reader.text())
        }
        configuration.databaseTrust = try optionalText()
        return configuration
    }

    fileprivate mutating func verdict() throws -> Verdict {
        guard try flag() else {
            let status = try integer(UInt16.self)
            return .refused(status: status, text: try text())
        }
        return .allowed(
            try list { reader in
                let placeholder = try reader.text()
                var place: Place?
                if try reader.flag() {
                    let number = try reader.integer(UInt8.self)
                    place = try Place(number: number, name: try reader.text())
                }
                let account = try reader.text()
                return Given(placeholder, place, account, try reader.prefixed())
            })
    }
}
