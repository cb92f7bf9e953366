// SPDX-License-Identifier: Apache-2.0

/// The address of a TPM 2.0: `device:/dev/tpmrm0`, or `swtpm:/run/chip.sock`, a socket with the protocol of the device.
package struct TPMAddress: Equatable, Sendable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        case device
        case swtpm
    }

    /// The environment variable that overrides the address in a home.
    package static let variable = "ZAMOK_TPM"
    /// The kernel's resource manager device, which shares the TPM's few slots among programs.
    package static let usual = TPMAddress(kind: .device, path: "/dev/tpmrm0")
    package static let longest = 256
    /// Creating a key takes seconds on slow TPMs.
    package static let usualPatience = Duration.seconds(30)

    package let kind: Kind
    package let path: String
    /// The time limit of each command.
    package var patience = usualPatience

    private init(kind: Kind, path: String) {
        self.kind = kind
        self.path = path
    }

    /// Parses an address. Nil if the text has no known kind, or its path is not absolute, too long or unprintable.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest, let colon = text.firstIndex(of: ":"),
            let kind = Kind(rawValue: String(text[..<colon]))
        else { return nil }
        let path = String(text[text.index(after: colon)...])
        guard path.hasPrefix("/"), path.count > 1, !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return nil
        }
        self.init(kind: kind, path: path)
    }

    package var description: String { "\(kind.rawValue):\(path)" }
}
