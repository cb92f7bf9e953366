// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
package import Keychains
import Readers
package import SecretMemory

/// A prompt that ssh, git or sudo passes to the program in `SSH_ASKPASS`, `GIT_ASKPASS` or `SUDO_ASKPASS`.
/// Its wording decides which item is meant. A prompt that doesn't ask for a known secret gets none.
package enum AskPassQuestion: Equatable, Sendable {
    /// A password by service and account.
    case item(service: String, account: String)
    /// A user name or password that git asks for, of a web server.
    case web(transport: String, host: String, user: String?, wantsUser: Bool)

    /// Parses a prompt. Nil: it asks for nothing that the keychain stores.
    package init?(_ prompt: String) {
        let prompt = prompt.drop { $0 == "\n" || $0 == "\r" }
        func between(_ before: String, _ after: String) -> String? {
            guard prompt.hasPrefix(before) else { return nil }
            let rest = prompt.dropFirst(before.count)
            guard let end = rest.lastPlace(of: after) else { return nil }
            // Only spaces may follow.
            guard rest[end.upperBound...].allSatisfy({ $0 == " " }), end.lowerBound > rest.startIndex else {
                return nil
            }
            return String(rest[..<end.lowerBound])
        }
        if let path = between("Enter passphrase for key '", "':") ?? between("Enter passphrase for ", ":") {
            // The prompt of `ssh-add -c`.
            let mark = " (will confirm each use)"
            let file = path.hasSuffix(mark) ? String(path.dropLast(mark.count)) : path
            // `ssh-add` names a key by the path that it was given, which is relative to the same working directory.
            self = .item(service: "ssh", account: file.hasPrefix("/") ? file : Self.whole(file))
        } else if let name = between("[sudo] password for ", ":") {
            self = .item(service: "sudo", account: name)
        } else if let address = between("Password for '", "':"), let web = Self.web(address, wantsUser: false) {
            self = web
        } else if let address = between("Username for '", "':"), let web = Self.web(address, wantsUser: true) {
            self = web
        } else if let name = Self.sshAccount(between) {
            self = .item(service: "ssh", account: name)
        } else {
            return nil
        }
    }

    /// The account in `anna@host's password:`, or in a server's prompt, which ssh prefixes with `(anna@host)`.
    private static func sshAccount(_ between: (String, String) -> String?) -> String? {
        let name =
            between("(", ") Password:") ?? between("(", ") password:") ?? between("(", "'s password:").flatMap { text in
                let parts = text.components(separatedBy: ") ")
                return parts.count == 2 && parts[0] == parts[1] ? parts[0] : nil
            } ?? between("", "'s password:")
        guard let name, name.contains("@"), !name.contains(where: { $0.isWhitespace || "()'".contains($0) }) else {
            return nil
        }
        return name
    }

    private static func web(_ text: String, wantsUser: Bool) -> AskPassQuestion? {
        guard let address = WebAddress(text) else { return nil }
        let host = address.host + (address.port.map { ":\($0)" } ?? "")
        return .web(transport: address.scheme, host: host, user: address.user, wantsUser: wantsUser)
    }

    /// The absolute path, without `.` and `..`.
    private static func whole(_ file: String) -> String {
        URL(fileURLWithPath: file, relativeTo: URL(fileURLWithPath: FileManager.default.currentDirectoryPath))
            .standardizedFileURL.path
    }

    /// The answer, without a line end. Errors: `.itemNotFound`, `.locked` and others.
    package func answer(_ keychain: Keychain, now: Int) throws -> Secret {
        switch self {
        case .item(let service, let account):
            return try References(keychain).secret(of: ItemName(service, account: account))
        case .web(let transport, let host, let user, let wantsUser):
            let lines = ["protocol=\(transport)", "host=\(host)"] + (user.map { ["username=\($0)"] } ?? [])
            let request = try GitRequest(try Secret(copying: Array((lines.joined(separator: "\n") + "\n").utf8)))
            guard let answer = try GitHelper(keychain, request)?.get(now: now).output else { throw Self.absent }
            return try Self.value(wantsUser ? "username" : "password", in: answer)
        }
    }

    private static func value(_ name: String, in answer: [Secret]) throws -> Secret {
        // A part contains a name and its value, or a name whose value is the next part.
        for (index, part) in answer.enumerated() {
            guard let text = try String(exposing: part), text.hasPrefix("\(name)=") else { continue }
            guard text == "\(name)=" else {
                return try Secret(copying: Array(text.dropFirst(name.count + 1).drop { $0 == "\n" }.utf8.dropLast()))
            }
            if index + 1 < answer.count { return answer[index + 1] }
        }
        throw absent
    }

    private static var absent: KeychainError { KeychainError(.itemNotFound, "there is no such item") }
}
