// SPDX-License-Identifier: Apache-2.0

/// The server's name that a client says at the beginning of TLS (RFC 6066, 3), read without opening anything: a tunnel
/// to one server is not for another one at the same address.
package enum HelloName: Equatable {
    /// The bytes end before it is known.
    case undecided
    /// Not TLS, or without a name.
    case none
    case name(String)

    /// Bytes of a client's first message.
    package static let limit = 64 << 10

    /// `bytes`: what the client sent so far, from the first one on.
    package init(_ bytes: [UInt8]) {
        var hello: [UInt8] = []
        var position = 0
        while true {
            guard position < bytes.count else { break }
            guard bytes[position] == 22 else {
                self = .none
                return
            }
            guard position + 5 <= bytes.count else { break }
            let size = Int(bytes[position + 3]) << 8 | Int(bytes[position + 4])
            let end = min(position + 5 + size, bytes.count)
            hello += bytes[position + 5..<end]
            guard position + 5 + size <= bytes.count else { break }
            position += 5 + size
        }
        guard hello.count >= 4 else {
            self = .undecided
            return
        }
        guard hello[0] == 1 else {
            self = .none
            return
        }
        let size = hello[1...3].reduce(0) { $0 << 8 | Int($1) }
        guard hello.count >= 4 + size else {
            self = .undecided
            return
        }
        self = Self.name(in: hello[4..<4 + size]).map { .name($0) } ?? .none
    }

    private static func name(in hello: ArraySlice<UInt8>) -> String? {
        var reader = Reader(rest: hello)
        // Version and random bytes; then session, suites and compressions.
        guard reader.take(34) != nil, reader.prefixed(1) != nil, reader.prefixed(2) != nil, reader.prefixed(1) != nil,
            let extensions = reader.prefixed(2)
        else { return nil }
        reader = Reader(rest: extensions)
        while let kind = reader.take(2), let content = reader.prefixed(2) {
            guard Array(kind) == [0, 0] else { continue }
            var names = Reader(rest: content)
            guard let list = names.prefixed(2) else { return nil }
            names = Reader(rest: list)
            while let kind = names.take(1), let name = names.prefixed(2) {
                if kind.first == 0 { return String(decoding: name, as: UTF8.self).lowercased() }
            }
            return nil
        }
        return nil
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        mutating func prefixed(_ size: Int) -> ArraySlice<UInt8>? {
            guard let count = take(size) else { return nil }
            return take(count.reduce(0) { $0 << 8 | Int($1) })
        }
    }
}
