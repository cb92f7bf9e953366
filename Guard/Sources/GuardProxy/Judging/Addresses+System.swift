// SPDX-License-Identifier: Apache-2.0

import CGuardProxy
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
            var whole = address.address
            // After family and port.
            self.init(unsafe withUnsafeBytes(of: &whole) { unsafe Array($0[4..<8]) })
        case .v6(let address):
            var whole = address.address
            // After family, port and flow.
            self.init(unsafe withUnsafeBytes(of: &whole) { unsafe Array($0[8..<24]) })
        case .unixDomainSocket: return nil
        }
    }
}

/// The networks that this machine is in, by its interfaces: an address of the public internet may be its own, or a
/// neighbour's, which no firewall keeps from it.
enum OwnNetworks {
    /// Nil: they can't be told.
    static func now() -> [AddressRange]? {
        let most = 1024
        let size = Int(GUARD_PROXY_NETWORK_SIZE)
        var bytes = [UInt8](repeating: 0, count: most * size)
        let count = unsafe guard_proxy_networks(&bytes, Int32(most))
        guard count >= 0 else { return nil }
        var ranges: [AddressRange] = []
        for number in 0..<Int(count) {
            let one: [UInt8] = Array(bytes[number * size..<(number + 1) * size])
            let width = Int(one[0])
            guard let address = Address(Array(one[2..<2 + width])) else { continue }
            let mask = one[1] == 0 ? nil : Address(Array(one[18..<18 + width]))
            ranges.append(AddressRange(address, mask: mask))
        }
        return ranges
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
