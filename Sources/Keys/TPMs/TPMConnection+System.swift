// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// An open TPM device or socket, closed on deinit.
final class TPMConnection: TPMTransport {
    private let number: Int32
    let keepsProgramsApart: Bool

    init(_ way: TPMAddress) throws(TPMError) {
        let path = way.path
        let result =
            switch way.kind {
            case .device: unsafe zamok_tpm_open(path)
            case .swtpm: unsafe zamok_tpm_connect(path, way.patience.wholeNanoseconds)
            }
        guard result >= 0 else { throw TPMError(number: -result) }
        number = result
        keepsProgramsApart = way.kind == .device
    }

    deinit { close(number) }

    func exchange(_ command: [UInt8], within time: Duration) throws -> [UInt8] {
        var count: Int64 = 0
        let answer = unsafe [UInt8](unsafeUninitializedCapacity: TPMCode.largest) { buffer, used in
            count = unsafe command.withUnsafeBytes { command in
                unsafe zamok_tpm_exchange(
                    number, command.baseAddress, command.count, buffer.baseAddress, buffer.count, time.wholeNanoseconds)
            }
            used = max(0, Int(count))
        }
        guard count >= 0 else { throw TPMError(number: Int32(-count)) }
        return answer
    }

    /// Waits before the same command is sent again.
    static func pause(milliseconds: UInt32) { usleep(1000 * milliseconds) }
}

extension TPMError {
    fileprivate init(number: Int32) {
        self =
            switch number {
            case ETIMEDOUT: .silent
            case EBADMSG: .garbage("its length can't be true")
            default: .away(number)
            }
    }

    /// Whether the error number of `.away` means that no such device exists.
    package static func isAbsence(_ number: Int32) -> Bool { [ENOENT, ENODEV, ENXIO].contains(number) }

    /// The message for an error number of `.away`.
    package static func text(_ number: Int32) -> String {
        switch number {
        case ENOENT: "there is nothing of that name"
        case ENXIO: "there is no device behind it"
        case EISDIR: "it is a folder"
        case ENOSPC: "it is no TPM"
        case EACCES, EPERM: "this user may not use it"
        case ECONNREFUSED: "no program listens there"
        case ECONNRESET, EPIPE, ENODEV, EIO: "it went away"
        case EBUSY: "another program has it alone"
        case ENOTTY: "it is no device"
        case ENOTSOCK: "it is no socket"
        case ENAMETOOLONG: "the path is too long for a socket"
        default: "error \(number)"
        }
    }
}

extension Duration {
    fileprivate var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return max(0, min(seconds, 3600)) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
