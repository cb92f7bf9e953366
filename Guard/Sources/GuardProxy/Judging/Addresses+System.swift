// SPDX-License-Identifier: Apache-2.0

import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension Address {
    /// An address in its usual form; nil for a name.
    package init?(text: String) {
        guard let parsed = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        self.init(parsed)
    }

    init?(_ address: SocketAddress) {
        switch address {
        case .v4(let address):
            var part = address.address.sin_addr
            self.init(unsafe withUnsafeBytes(of: &part) { unsafe Array($0) })
        case .v6(let address):
            var part = address.address.sin6_addr
            self.init(unsafe withUnsafeBytes(of: &part) { unsafe Array($0) })
        case .unixDomainSocket: return nil
        }
    }
}

/// Asks the system for the addresses of names. Blocks.
enum Resolver {
    /// Empty: the name has none.
    static func addresses(of name: String, port: UInt16) -> [SocketAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_flags = AI_ADDRCONFIG
        #if canImport(Glibc)
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        unsafe hints.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(name, "\(port)", &hints, &first) == 0 else { return [] }
        defer { unsafe freeaddrinfo(first) }
        var found: [SocketAddress] = []
        var next = unsafe first
        while let info = unsafe next {
            unsafe next = info.pointee.ai_next
            guard let address = unsafe info.pointee.ai_addr else { continue }
            switch unsafe info.pointee.ai_family {
            case AF_INET:
                unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { part in
                    unsafe found.append(SocketAddress(part.pointee))
                }
            case AF_INET6:
                unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { part in
                    unsafe found.append(SocketAddress(part.pointee))
                }
            default: continue
            }
        }
        return found
    }
}
