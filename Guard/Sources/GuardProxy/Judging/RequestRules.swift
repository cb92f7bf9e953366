// SPDX-License-Identifier: Apache-2.0

package import NIOHTTP1

/// Where the requests of a connection go.
package enum Origin: Sendable {
    /// Inside an opened tunnel.
    case tunnel(Host)
    /// Requests to the proxy itself, with the whole address in each.
    case proxy
    /// A base address: its number from 1.
    case base(UInt16, Base)
}

/// A request that may be asked about: its host, what is sent, and where placeholders are.
package struct CheckedRequest {
    package enum Body: Equatable {
        case none
        case length(Int)
        case chunked
    }

    package let host: Host
    package let method: String
    /// Path and query, beginning with a slash.
    package let target: String
    /// Without the fields that concern one connection alone, `Host`, lengths and what the proxy sets itself.
    package let fields: [(name: String, value: String)]
    package let body: Body
    package let isKeptAlive: Bool
    package let expectsContinue: Bool
    package let found: [Found]
    /// Paths that header fields name beside the one of the request: where to, and where from, it is copied or moved.
    package let otherPaths: [String]

    /// Without the query.
    package var path: String { String(target.prefix { $0 != "?" }) }
}

/// Which requests are clear enough to be passed on. Works on what the one parser made of them: nothing of the bytes of
/// the guest is sent as it came.
package struct RequestRules {
    private let placeholders: [String]
    /// Of the placeholders.
    let forms: SharedForms

    package init(_ placeholders: [String]) {
        self.placeholders = placeholders
        forms = SharedForms(placeholders.map { Array($0.utf8) })
    }

    /// Fields of one connection (RFC 9110, 7.6.1), and those that the proxy writes itself.
    private static let own: Set<String> = [
        "connection", "proxy-connection", "proxy-authorization", "proxy-authenticate", "keep-alive", "te", "trailer",
        "transfer-encoding", "content-length", "host", "upgrade", "http2-settings", "expect", "accept-encoding",
        "range", "if-range",
    ]

    private static let ownLetters = Set(own.map { FieldName($0).letters })

    /// Bytes of a request's head.
    package static let headLimit = 64 << 10

    package func check(_ head: HTTPRequestHead, _ origin: Origin) throws(Refusal) -> CheckedRequest {
        let (host, target) = try destination(head, origin)
        try checkFields(head)
        let body = try body(head)
        var rest: [String] = []
        let found = try placesOfPlaceholders(head, target, &rest)
        for text in rest where contains(text) {
            throw .forbidden("a placeholder is at a place in the request for which there is no grant; it was not sent")
        }
        guard !rest.contains(where: PlaceholderMark.isIn) else {
            throw .forbidden(
                "a placeholder of another run: it has ended, or is another guest's. It may be in a configuration, as in .git/config"
            )
        }
        let kept = head.headers.filter { !Self.own.contains($0.name.lowercased()) }
        let isHTTP11 = head.version == .http1_1
        let connection = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
        return CheckedRequest(
            host: host, method: head.method.rawValue, target: target, fields: kept.map { ($0.name, $0.value) },
            body: body, isKeptAlive: isHTTP11 ? !connection.contains("close") : connection.contains("keep-alive"),
            expectsContinue: isHTTP11 && head.headers.contains(name: "expect"), found: found,
            otherPaths: try otherPaths(kept.map { ($0.name, $0.value) }, host))
    }

    /// Whether a text has a placeholder in any form.
    package func contains(_ text: String) -> Bool { forms.forms.isIn(text) }

    // MARK: Destination

    private func destination(_ head: HTTPRequestHead, _ origin: Origin) throws(Refusal) -> (Host, String) {
        guard ![.CONNECT, .TRACE].contains(head.method) else {
            throw .malformed("the method \(head.method.rawValue) is not passed on here")
        }
        let hosts = head.headers["host"]
        guard hosts.count == 1 || hosts.isEmpty && head.version == .http1_0 else {
            throw .malformed("a request has one Host")
        }
        switch origin {
        case .tunnel(let host):
            try checkHost(hosts.first, host)
            return (host, try self.target(head.uri))
        case .base(_, let base):
            return (base.host, base.path + (try self.target(head.uri)))
        case .proxy:
            guard head.uri.lowercased().hasPrefix("http://") else {
                throw .malformed("this is a proxy: a request names a whole address, http://HOST/PATH, or CONNECT")
            }
            let rest = head.uri.dropFirst("http://".count)
            let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
            guard let authority = Authority(rest[..<end]) else {
                throw .malformed("the address of the request has a user name, or a host that can't be one")
            }
            let host = authority.host(.http)
            try checkHost(hosts.first, host)
            let target = rest[end...]
            return (host, try self.target(target.isEmpty ? "/" : target.hasPrefix("?") ? "/\(target)" : String(target)))
        }
    }

    private func checkHost(_ value: String?, _ host: Host) throws(Refusal) {
        guard let value else { return }
        guard let authority = Authority(value), authority.host(host.scheme) == host else {
            throw .malformed("the Host of the request is not \(host.authority)")
        }
    }

    /// Printable ASCII from a slash on.
    private func target(_ text: String) throws(Refusal) -> String {
        guard text.hasPrefix("/"), !text.hasPrefix("//"), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains("#")
        else { throw .malformed("the path of the request is not one") }
        return text
    }

    /// Without queries. Errors: the path can't be judged.
    private func otherPaths(_ fields: [(name: String, value: String)], _ host: Host) throws(Refusal) -> [String] {
        var paths: [String] = []
        for (name, value) in fields where FieldName(name).isOfPath {
            var target = value[...]
            if let end = value.firstRange(of: "://")?.upperBound {
                let rest = value[end...]
                let slash = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
                guard let authority = Authority(rest[..<slash]), authority.host(host.scheme) == host else {
                    // What is copied from elsewhere is content.
                    if FieldName(name).letters != "destination" { continue }
                    throw .forbidden("\(name) names another host")
                }
                target = rest[slash...]
            }
            let path = target.prefix { $0 != "?" }
            paths.append(try self.target(path.hasPrefix("/") ? String(path) : "/\(path)"))
        }
        return paths
    }

    // MARK: Fields

    private func checkFields(_ head: HTTPRequestHead) throws(Refusal) {
        var size = head.uri.utf8.count + head.method.rawValue.utf8.count
        for (name, value) in head.headers {
            size += name.utf8.count + value.utf8.count + 4
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isOfToken) else {
                throw .malformed("the name of a header is not one")
            }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw .malformed("a header has a control character")
            }
        }
        // Methods have capitals, and servers may read small letters as such.
        let method = head.method.rawValue
        guard method.utf8.allSatisfy(Self.isOfToken), method == method.uppercased() else {
            throw .malformed("the method is not one")
        }
        guard size <= Self.headLimit else { throw Refusal(431, "the head of the request has more than 64 KiB") }
        guard !head.headers.contains(name: "upgrade"), !head.headers.contains(name: "http2-settings") else {
            throw .forbidden("upgrades to other protocols are not passed on")
        }
        for (name, _) in head.headers where !Self.own.contains(name.lowercased()) {
            let read = FieldName(name)
            guard !read.isOverriding else {
                throw .forbidden("a header that changes the method, path or host for some servers is not passed on")
            }
            // Servers behind CGI read a dash and an underscore alike, and some read over other signs.
            guard !Self.ownLetters.contains(read.letters) else {
                throw .malformed("the name of a header is one that some servers read as another")
            }
        }
        let expects = head.headers[canonicalForm: "expect"]
        guard expects.allSatisfy({ $0.lowercased() == "100-continue" }) else {
            throw Refusal(417, "Expect is 100-continue, or is not there")
        }
    }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: Array("!#$%&'*+-.^_`|~".utf8).contains(byte)
        }
    }

    private func body(_ head: HTTPRequestHead) throws(Refusal) -> CheckedRequest.Body {
        let lengths = head.headers["content-length"]
        let codings = head.headers["transfer-encoding"]
        guard lengths.isEmpty || codings.isEmpty else {
            throw .malformed("a request has a Content-Length or a Transfer-Encoding, not both")
        }
        guard lengths.count <= 1, codings.count <= 1 else { throw .malformed("the length of the body is there twice") }
        if let coding = codings.first {
            guard coding.lowercased() == "chunked", head.version == .http1_1 else {
                throw .malformed("the Transfer-Encoding is not chunked")
            }
            return .chunked
        }
        guard let length = lengths.first else { return .none }
        guard (1...18).contains(length.utf8.count), length.utf8.allSatisfy({ (48...57).contains($0) }),
            let count = Int(length)
        else { throw .malformed("the Content-Length is not a number") }
        return .length(count)
    }

    // MARK: Placeholders

    /// Where placeholders are, of the places that a grant may name. `rest` gets what else there is, without them.
    private func placesOfPlaceholders(
        _ head: HTTPRequestHead, _ target: String, _ rest: inout [String]
    ) throws(Refusal) -> [Found] {
        var found: [Found] = []
        for (name, value) in head.headers {
            rest.append(name)
            let field = name.lowercased()
            // Not passed on, and so no place of a secret.
            guard !Self.own.contains(field) else {
                rest.append(value)
                continue
            }
            if field == "authorization", let basic = BasicCredentials(value) {
                let before = found.count
                for (text, place) in [(basic.user, Place.basicUser), (basic.password, .basicPassword)] {
                    if placeholders.contains(text) {
                        found.append(Found(placeholder: text, place: place))
                    } else {
                        rest.append(text)
                    }
                }
                if found.count == before { rest.append(value) }
                continue
            }
            var left = value
            for placeholder in placeholders {
                let pieces = left.pieces(around: placeholder)
                guard pieces.count > 1 else { continue }
                guard pieces.count == 2 else { throw .forbidden("a placeholder is in a header twice") }
                found.append(Found(placeholder: placeholder, place: .header(field)))
                left = pieces.joined(separator: " ")
            }
            rest.append(left)
        }
        var left = target
        for parameter in QueryParameters(target).parameters.reversed() {
            guard let name = parameter.name, placeholders.contains(parameter.value) else { continue }
            found.append(Found(placeholder: parameter.value, place: .query(name)))
            left.replaceSubrange(parameter.range, with: "")
        }
        rest.append(left)
        guard Set(found.map(\.place)).count == found.count else { throw .forbidden("a placeholder is there twice") }
        for found in found {
            let name: String
            switch found.place {
            case .header(let field): name = field
            case .basicUser, .basicPassword: name = "authorization"
            case .query, .postgres: continue
            }
            guard head.headers[name].count == 1 else {
                throw .forbidden("the header \(name), which has a placeholder, is there twice")
            }
        }
        return found
    }
}

extension String {
    /// What is before, between and behind the occurrences of a text, byte for byte. `split` would take a Unicode
    /// searcher to each header of each request.
    func pieces(around separator: String) -> [Substring] {
        let (bytes, wanted) = (utf8, separator.utf8)
        guard let first = wanted.first else { return [self[...]] }
        var pieces: [Substring] = []
        var (start, position) = (bytes.startIndex, bytes.startIndex)
        while let found = bytes[position...].firstIndex(of: first) {
            if bytes[found...].starts(with: wanted) {
                pieces.append(self[start..<found])
                position = bytes.index(found, offsetBy: wanted.count)
                start = position
            } else {
                position = bytes.index(after: found)
            }
        }
        return pieces + [self[start...]]
    }
}
