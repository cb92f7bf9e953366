// SPDX-License-Identifier: Apache-2.0

import CPlatform
import DataProtection
import Guards
import KeychainEngine
import SecretMemory

/// A guest's connections to its guard. One per concurrent call; idle ones are kept.
package final class GuardChannel: Sendable {
    private let path: String
    private let idle: Locked<Idle>

    private struct Idle {
        /// A child after fork shares its parent's connections, whose answers would mix.
        var process: Int32
        var connections: [Int32] = []
    }

    package init(_ path: String) {
        self.path = path
        idle = Locked(Idle(process: ThisProcess.identifier))
    }

    deinit { for connection in idle.withLock({ $0.connections }) { _ = zamok_close(connection) } }

    /// Sends a request and returns the answer. Errors: `.notAvailable` if the guard is gone.
    package func exchange(_ request: [UInt8]) throws -> [UInt8] {
        let connection = try take()
        do {
            let answer = try Self.exchange(request, connection)
            keep(connection)
            return answer
        } catch {
            _ = zamok_close(connection)
            throw error
        }
    }

    private func take() throws -> Int32 {
        let (known, stale) = idle.withLock { idle -> (Int32?, [Int32]) in
            guard idle.process == ThisProcess.identifier else {
                let stale = idle.connections
                idle = Idle(process: ThisProcess.identifier)
                return (nil, stale)
            }
            return (idle.connections.popLast(), [])
        }
        for connection in stale { _ = zamok_close(connection) }
        if let known {
            // The guard closes connections that are idle for long when there are too many.
            if zamok_guard_is_over(known) == 0 { return known }
            _ = zamok_close(known)
        }
        let made = unsafe zamok_guard_connect(path)
        guard made >= 0 else { throw Self.gone(made) }
        return made
    }

    private func keep(_ connection: Int32) {
        let isKept = idle.withLock { idle in
            guard idle.process == ThisProcess.identifier, idle.connections.count < 4 else { return false }
            idle.connections.append(connection)
            return true
        }
        if !isKept { _ = zamok_close(connection) }
    }

    private static func exchange(_ request: [UInt8], _ connection: Int32) throws -> [UInt8] {
        var message = Frame.framed(request)
        defer { message.wipe() }
        try check(unsafe zamok_guard_send(connection, message, message.count))
        var head = [UInt8](repeating: 0, count: Frame.headSize)
        try check(unsafe zamok_guard_receive(connection, &head, head.count, -1))
        let size = Frame.size(head)
        guard size <= BrokerAnswer.limit else { throw gone(-EPROTO) }
        var answer = [UInt8](repeating: 0, count: size)
        try check(unsafe zamok_guard_receive(connection, &answer, size, -1))
        return answer
    }

    private static func check(_ result: Int32) throws { if result < 0 { throw gone(result) } }

    private static func gone(_ number: Int32) -> KeychainError {
        KeychainError(.notAvailable, "the guard that started this program does not answer (error \(-number))")
    }
}
