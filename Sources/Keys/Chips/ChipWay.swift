// SPDX-License-Identifier: Apache-2.0

/// How a chip (TPM 2.0) is reached: `device:/dev/tpmrm0`, or `swtpm:/run/chip.sock`, a socket that speaks as the device does.
package struct ChipWay: Equatable, Sendable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        case device
        case swtpm
    }

    /// What the environment's variable of this name says stands above what a home says.
    package static let variable = "ZAMOK_TPM"
    /// The device of the kernel that shares the chip's few places among programs.
    package static let usual = ChipWay(kind: .device, path: "/dev/tpmrm0")
    package static let longest = 256
    /// Making a key takes seconds on slow chips.
    package static let usualPatience = Duration.seconds(30)

    package let kind: Kind
    package let path: String
    /// How long any command may take.
    package var patience = usualPatience

    private init(kind: Kind, path: String) {
        self.kind = kind
        self.path = path
    }

    /// Nil: it is no such text, the path is not absolute, too long, or can't be printed.
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
