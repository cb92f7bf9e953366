// SPDX-License-Identifier: Apache-2.0

/// The name of a program on the bus, if each program has its own group.
/// See Documentation/Formats/SecretService.md, "A group for each program".
package enum ProgramName: Sendable, Hashable {
    /// The identifier of a sandboxed program.
    case flatpak(String)
    /// The program's identifier in its unit's name, or the whole name of a service.
    case unit(String)
    /// The path of the executable file.
    case executable(String)
    /// All other programs.
    case unnamed

    /// The access group of the program's items.
    func group(in base: String) -> String {
        switch self {
        case .flatpak(let name): "\(base)/flatpak/\(name)"
        case .unit(let name): "\(base)/unit/\(name)"
        case .executable(let path): "\(base)/program\(path)"
        case .unnamed: "\(base)/unnamed"
        }
    }

    /// Whether it is an identifier of D-Bus and Flatpak.
    static func isIdentifier(_ name: some StringProtocol) -> Bool {
        (1...255).contains(name.utf8.count) && !name.hasPrefix(".")
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// The identifier in `/.flatpak-info`, which Flatpak writes into a sandbox: `name` in the section `Application`.
    static func flatpak(in text: String) -> ProgramName? {
        var isApplication = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("[") { isApplication = line == "[Application]" }
            guard isApplication, line.hasPrefix("name=") else { continue }
            let name = line.dropFirst("name=".count)
            return isIdentifier(name) ? .flatpak(String(name)) : nil
        }
        return nil
    }

    /// The unit in a process's control group, `/proc/PID/cgroup`. It must belong to the user's own manager.
    /// A scope counts only if it is one program's, since a terminal's scope contains many.
    static func unit(in text: String) -> ProgramName? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
        let words = line.dropFirst("0::/".count).split(separator: "/")
        guard let manager = words.firstIndex(where: { $0.hasPrefix("user@") && $0.hasSuffix(".service") }),
            let unit = words[(manager + 1)...].last(where: { !$0.hasSuffix(".slice") })
        else { return nil }
        return program(of: String(unit))
    }

    /// The identifier in a unit's name (systemd, "Desktop Environment Integration"):
    /// `app[-LAUNCHER]-IDENTIFIER[@RANDOM].service`, `app[-LAUNCHER]-IDENTIFIER-RANDOM.scope`, or the name of any other
    /// service without an instance.
    private static func program(of unit: String) -> ProgramName? {
        let isScope = unit.hasSuffix(".scope")
        guard isScope || unit.hasSuffix(".service") else { return nil }
        var name = unit.dropLast(isScope ? ".scope".count : ".service".count)
        guard name.hasPrefix("app-") else { return isScope || !isIdentifier(name) ? nil : .unit(String(name)) }
        name = name.prefix { $0 != "@" }
        var words = name.split(separator: "-", omittingEmptySubsequences: false)
        if isScope, words.count > 2 { words.removeLast() }
        guard let last = words.last.map({ unescaped(String($0)) }), words.count > 1, isIdentifier(last) else {
            return nil
        }
        return .unit(last)
    }

    /// Decodes `\xNN`, which represents a byte.
    private static func unescaped(_ text: String) -> String {
        var (bytes, rest): ([UInt8], Substring.UTF8View) = ([], text[...].utf8)
        while let first = rest.first {
            if rest.starts(with: "\\x".utf8),
                let byte = UInt8(String(decoding: rest.dropFirst(2).prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                rest = rest.dropFirst(4)
            } else {
                bytes.append(first)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The program by its executable file. Nil for a file that is mounted anew for each run, whose
    /// path identifies nothing.
    static func executable(at path: String) -> ProgramName? {
        let isPlain =
            path.hasPrefix("/") && path.utf8.count <= 1024 && path.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        guard isPlain, !path.hasPrefix("/tmp/.mount_"), !path.hasPrefix("/memfd:") else { return nil }
        return .executable(path)
    }
}
