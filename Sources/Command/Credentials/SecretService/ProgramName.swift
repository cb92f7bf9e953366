// SPDX-License-Identifier: Apache-2.0

/// What a program of the bus is called, where each has a group of its own (Documentation/Formats/SecretService.md, "A group for each program").
package enum ProgramName: Sendable, Hashable {
    /// The identifier of a sandboxed program.
    case flatpak(String)
    /// The program's identifier in the name of its unit, else the whole name of a service.
    case unit(String)
    /// The path of its executable file.
    case executable(String)
    /// All others.
    case unnamed

    /// The access group of its items.
    func group(in base: String) -> String {
        switch self {
        case .flatpak(let name): "\(base)/flatpak/\(name)"
        case .unit(let name): "\(base)/unit/\(name)"
        case .executable(let path): "\(base)/program\(path)"
        case .unnamed: "\(base)/unnamed"
        }
    }

    /// As D-Bus and Flatpak name programs.
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

    /// The identifier in what Flatpak writes into a sandbox, `/.flatpak-info`: `name` of the section `Application`.
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

    /// By the control group of a process, `/proc/PID/cgroup`: units of the person's own manager alone, and no scope but one of a program, since a terminal's holds many.
    static func unit(in text: String) -> ProgramName? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
        let words = line.dropFirst("0::/".count).split(separator: "/")
        guard let manager = words.firstIndex(where: { $0.hasPrefix("user@") && $0.hasSuffix(".service") }),
            let unit = words[(manager + 1)...].last(where: { !$0.hasSuffix(".slice") })
        else { return nil }
        return program(of: String(unit))
    }

    /// `app[-LAUNCHER]-IDENTIFIER[@RANDOM].service`, `app[-LAUNCHER]-IDENTIFIER-RANDOM.scope` (systemd, "Desktop Environment Integration"), or any other service without an instance.
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

    /// `\xNN` stands for a byte.
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

    /// By the file that it runs. Of one that is mounted for each run anew the path says nothing.
    static func executable(at path: String) -> ProgramName? {
        let isPlain =
            path.hasPrefix("/") && path.utf8.count <= 1024 && path.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        guard isPlain, !path.hasPrefix("/tmp/.mount_"), !path.hasPrefix("/memfd:") else { return nil }
        return .executable(path)
    }
}
