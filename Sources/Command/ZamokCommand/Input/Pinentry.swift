// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Readers
import SecretMemory

/// GnuPG's prompter, in a window on the user's desktop. It reads requests as lines and answers each with `OK` or
/// `ERR`. The typed text precedes the `OK`, in lines that begin with `D` (Assuan Manual, "Client requests" and
/// "Server responses").
struct Pinentry: ProgramPrompter {
    let path: String

    /// The first `pinentry` in `PATH`, if there is a desktop. A pinentry for terminals would take over a terminal
    /// in use.
    static var ofEnvironment: Pinentry? {
        guard AskProgram.hasScreen else { return nil }
        let folders = (Environment.value("PATH") ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return folders.map { "\($0)/pinentry" }.first(where: FileManager.default.isExecutableFile).map(Pinentry.init)
    }

    func answer(_ request: PromptRequest, by process: AskingProcess) throws(DataProtectionError) -> SecretBytes {
        let reason = request.reason.isEmpty ? "The keychain is locked" : request.reason
        let asked = [
            "SETTITLE zamok", "SETDESC \(Self.escaped("zamok: \(reason)"))",
            request.purpose == .passcode ? "SETPROMPT Passcode:" : "SETPROMPT Password:", "GETPIN", "BYE",
        ]
        do {
            let said = try process.said(by: path, [], input: asked.joined(separator: "\n") + "\n")
            guard let said else { throw DataProtectionError(.cancelled, "\(path) gave no passcode") }
            return try Self.answer(in: said, after: asked.count - 2)
        } catch {
            guard let known = error as? DataProtectionError else {
                throw DataProtectionError(.noTerminal, "\(path) can't be run to ask for the passcode", cause: error)
            }
            throw known
        }
    }

    func word(_ question: String, by process: AskingProcess) throws(DataProtectionError) -> Secret {
        let asked = [
            "SETTITLE zamok", "SETDESC \(Self.escaped("zamok: \(question)"))", "SETPROMPT Answer:", "GETPIN", "BYE",
        ]
        do {
            guard let said = try process.said(by: path, [], input: asked.joined(separator: "\n") + "\n") else {
                throw DataProtectionError(.cancelled, "\(path) gave no answer")
            }
            let typed = try Self.answer(in: said, after: asked.count - 2)
            let count = typed.count
            return try typed.withBytes { span in
                try Secret(copying: (0..<count).compactMap { span.bigEndian(at: $0, as: UInt8.self) })
            }
        } catch let error as DataProtectionError { throw error } catch {
            throw DataProtectionError(.noTerminal, "\(path) can't be run to ask", cause: error)
        }
    }

    /// Escapes a text for a line, which has at most 1,000 bytes.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.prefix(600).map { scalar in
            switch scalar {
            case "%": "%25"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: " "
            default: String(scalar)
            }
        }.joined()
    }

    /// The typed text: the data before the `OK` that answers the request after `count` others. The greeting is also an
    /// `OK`. Errors: `.cancelled`; `.noTerminal` if pinentry ends before it answers or can't be parsed.
    static func answer(in said: Secret, after count: Int) throws -> SecretBytes {
        var answered = -1
        var typed = try SecretBytes(count: 0) { _ in }
        for line in try lines(said) {
            let (word, rest) = try head(of: said, line)
            switch word {
            case "D" where answered == count:
                typed = try typed.joined(with: try unescaped(said, rest..<line.upperBound))
            case "OK", "ERR":
                answered += 1
                // Requests that only change the appearance may be refused.
                guard answered == count + 1 else { continue }
                guard word == "OK", typed.count > 0 else {
                    throw DataProtectionError(.cancelled, "no passcode was given")
                }
                return typed
            default: continue
            }
        }
        throw DataProtectionError(.noTerminal, "pinentry ended before it answered")
    }

    private static func lines(_ said: Secret) throws -> [Range<Int>] {
        let count = said.count
        return try said.withBytes { span in
            var (lines, begin): ([Range<Int>], Int) = ([], 0)
            for place in 0..<count where span.bigEndian(at: place, as: UInt8.self) == UInt8(ascii: "\n") {
                lines.append(begin..<place)
                begin = place + 1
            }
            return lines
        }
    }

    /// The first word, which is not secret, and the index after it.
    private static func head(of said: Secret, _ line: Range<Int>) throws -> (String, Int) {
        try said.withBytes { span in
            var letters: [UInt8] = []
            for place in line.prefix(4) {
                guard let byte = span.bigEndian(at: place, as: UInt8.self), byte != UInt8(ascii: " ") else {
                    return (String(decoding: letters, as: UTF8.self), place + 1)
                }
                letters.append(byte)
            }
            return (String(decoding: letters, as: UTF8.self), line.upperBound)
        }
    }

    /// Decodes `%` followed by two hexadecimal digits to a byte. Other bytes are unchanged.
    private static func unescaped(_ said: Secret, _ range: Range<Int>) throws -> SecretBytes {
        try said.withSecretBytes { bytes in
            var whole = try SecretBytes(count: 0) { _ in }
            var begin = range.lowerBound
            while begin < range.upperBound {
                let (end, byte) = try escape(bytes, from: begin, to: range.upperBound)
                if let part = try bytes.part(begin..<end) { whole = try whole.joined(with: part) }
                if let byte { whole = try whole.joined(with: try SecretBytes(copying: [byte])) }
                begin = byte == nil ? end : end + 3
            }
            return whole
        }
    }

    /// The index of the next escape and its byte; the end if there is none.
    private static func escape(
        _ bytes: borrowing SecretBytes, from begin: Int, to end: Int
    ) throws -> (Int, UInt8?) {
        try bytes.withBytes { span in
            for place in begin..<end where span.bigEndian(at: place, as: UInt8.self) == UInt8(ascii: "%") {
                guard place + 2 < end,
                    let high = span.bigEndian(at: place + 1, as: UInt8.self),
                    let low = span.bigEndian(at: place + 2, as: UInt8.self),
                    let byte = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
                else { throw DataProtectionError(.noTerminal, "pinentry's answer can't be read") }
                return (place, byte)
            }
            return (end, nil)
        }
    }
}
