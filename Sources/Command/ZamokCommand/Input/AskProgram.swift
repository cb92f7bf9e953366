// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Readers
import SecretMemory

/// A program that prompts the user in its own window: `$SSH_ASKPASS`, by the rules of ssh(1).
struct AskProgram: ProgramPrompter {
    let path: String

    /// `nil`: there is no such program, or it is not wanted.
    static var ofEnvironment: AskProgram? {
        guard let path = Environment.value("SSH_ASKPASS"), path.hasPrefix("/") else { return nil }
        switch Environment.value("SSH_ASKPASS_REQUIRE") {
        case "never": return nil
        case "force", "prefer": return AskProgram(path: path)
        default: return hasScreen ? AskProgram(path: path) : nil
        }
    }

    /// Whether there is a desktop that can show a window.
    static var hasScreen: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { Environment.value($0)?.isEmpty == false }
    }

    func answer(_ request: PromptRequest, by process: AskingProcess) throws(DataProtectionError) -> SecretBytes {
        let item = request.subject.map { $0.item.isEmpty ? "" : " for \($0.item.quoted(limit: 120))" } ?? ""
        let what = request.purpose == .applicationPassword ? "Password" : "Passcode"
        let reason = request.reason.isEmpty ? "" : " (\(request.reason))"
        do {
            guard let read = try process.said(by: path, ["\(what)\(item), asked by zamok\(reason): "]) else {
                throw DataProtectionError(.cancelled, "\(path) gave no passcode")
            }
            return try Self.line(read)
        } catch {
            guard let known = error as? DataProtectionError else {
                throw DataProtectionError(.noTerminal, "\(path) can't be run to ask for the passcode", cause: error)
            }
            throw known
        }
    }

    func word(_ question: String, by process: AskingProcess) throws(DataProtectionError) -> Secret {
        do {
            guard let read = try process.said(by: path, [question]) else {
                throw DataProtectionError(.cancelled, "\(path) gave no answer")
            }
            return read
        } catch let error as DataProtectionError { throw error } catch {
            throw DataProtectionError(.noTerminal, "\(path) can't be run to ask", cause: error)
        }
    }

    /// Whether the user allows the use of a key. The program's exit status decides, as for ssh-agent.
    func confirms(_ name: String, _ fingerprint: String) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["Allow use of key \(name.printable.prefix(120))?\nKey fingerprint \(fingerprint)."]
        process.environment = ProcessInfo.processInfo.environment.merging(["SSH_ASKPASS_PROMPT": "confirm"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }

    /// The line without its line end.
    private static func line(_ read: Secret) throws -> SecretBytes {
        let count = read.count
        let end = try read.withBytes { span in
            count > 0 && span.bigEndian(at: count - 1, as: UInt8.self) == UInt8(ascii: "\n") ? count - 1 : count
        }
        return try read.withSecretBytes { bytes in
            guard let line = try bytes.part(0..<end), end > 0 else {
                throw DataProtectionError(.cancelled, "no passcode was given")
            }
            return line
        }
    }
}
