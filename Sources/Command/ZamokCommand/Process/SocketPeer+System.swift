// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The peer of the socket that is standard input.
struct SocketPeer {
    /// The peer's Unix-domain address, without the family.
    let address: [UInt8]
    /// Whether the peer belongs to root or to the user of this process.
    let isTrusted: Bool

    /// `nil`: standard input is not such a socket.
    static var ofStandardInput: SocketPeer? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getpeername(0, $0, &size) }
        }
        let begin = MemoryLayout<sa_family_t>.size
        guard result == 0, address.sun_family == sa_family_t(AF_UNIX), Int(size) >= begin else { return nil }
        let bytes = unsafe withUnsafeBytes(of: &address) { unsafe Array($0[begin..<min(Int(size), $0.count)]) }
        let user = user(of: 0)
        return SocketPeer(address: bytes, isTrusted: user == 0 || user == geteuid())
    }

    /// The user of the process that connected to a socket (SO_PEERCRED: process, user and group); nil: unknown.
    static func user(of socket: Int32) -> uid_t? { credentials(of: socket)?.user }

    /// The user and the process that connected.
    static func credentials(of socket: Int32) -> (process: pid_t, user: uid_t)? {
        var credentials: [Int32] = [0, -1, -1]
        var size = socklen_t(MemoryLayout<Int32>.size * credentials.count)
        guard unsafe getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0, credentials[1] != -1 else {
            return nil
        }
        return (credentials[0], uid_t(bitPattern: credentials[1]))
    }
}
