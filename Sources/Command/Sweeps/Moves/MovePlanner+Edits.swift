// SPDX-License-Identifier: Apache-2.0
//
// What is put in place of a secret, for each kind of move.

import Credentials
import Files
import Foundation
import Keychains
import Readers
import SecretMemory

extension MovePlanner {
    /// The change for one secret. `after`: those before it in the file. Errors: ``Refusal`` if it stays.
    func edit(
        _ secret: ClearSecret, _ place: Place, _ text: FileText, _ location: FileLocation, after edits: Edits
    ) throws -> Edit {
        try checkForm(secret, place, text, location)
        switch place.move {
        case .mask:
            return Edit(secret: secret, range: secret.range, by: Array("***".utf8), item: nil, stored: secret.secret)
        case .variable(let template):
            let stored = try value(secret, text)
            let item = try item(secret, stored, edits)
            let name = variable(for: item, edits)
            return Edit(
                secret: secret, range: secret.range, by: Array(template.replacing("$NAME", with: name).utf8),
                item: item, stored: stored, variable: name)
        case .environment(let template): return try environment(template, secret, place, text, edits)
        case .command(let key, let template):
            return try command(key, place.word == "kube" ? Self.execPlugin : template, secret, text, edits)
        case .reference, .filled:
            let stored = isEnvironment(place, location) ? secret.secret : try written(secret, text)
            // The program reads the escapes of its file; `zamok get` would print them.
            guard try stored.isEqual(to: secret.secret) || ![.json, .backslashed, .xml].contains(secret.form) else {
                throw Refusal("it is written with escapes, which its item would have; change it by hand")
            }
            let item = try item(secret, stored, edits)
            return Edit(
                secret: secret, range: secret.range, by: Array(item.reference.utf8), item: item, stored: stored)
        case .agent:
            let stored = try Secret(copying: text.bytes)
            guard (try? KeyItem(Data(text.bytes)))?.keyClass == .private else {
                throw Refusal("it is not a private key that the agent can have")
            }
            let name = String(decoding: location.name, as: UTF8.self)
            let item = try free(MovedItem(.key, "ssh", name), stored, edits)
            return Edit(secret: secret, range: 0..<text.bytes.count, by: [], item: item, stored: stored)
        case .helper("git"): return try git(secret, text, edits)
        case .helper("docker"): return try registry(secret, text, edits)
        case .helper("cargo"): return try cargo(secret, text, edits)
        case .helper("aws"): return try aws(secret, text, location, edits)
        case .helper(let program): throw Refusal("\(program) has no helper here")
        case .clearOnly(let reason): throw Refusal(reason)
        }
    }

    /// Errors: ``Refusal`` where the program would read something else at the place of the secret, or in its place.
    private func checkForm(
        _ secret: ClearSecret, _ place: Place, _ text: FileText, _ location: FileLocation
    ) throws {
        if case .mask = place.move { return }
        let range = secret.range
        guard !ClearSecret.standsForUser(text.text(range)),
            try !ClearSecret.standsForUser(String(exposing: secret.secret) ?? "")
        else {
            throw Refusal("the user name before it is the secret; change it by hand")
        }
        let written = text.bytes[range]
        let before = range.lowerBound > 0 ? text.bytes[range.lowerBound - 1] : 0x0A
        let next = range.upperBound < text.bytes.count ? text.bytes[range.upperBound] : 0x0A
        let isWhole: Bool
        switch place.move {
        case .reference, .filled:
            isWhole =
                !Byte.isWord(next) && !"%@:/+-?&=#.~".utf8.contains(next)
                && (!isEnvironment(place, location) || "=\"' \t".utf8.contains(before))
        default: isWhole = true
        }
        guard isWhole else {
            throw Refusal("it is a part of its value, and a reference is a whole one; change it by hand")
        }
        if isEnvironment(place, location), before != UInt8(ascii: "'"),
            written.contains(where: { "$\\".utf8.contains($0) })
        {
            throw Refusal("programs read the $ or the backslash in it in several ways; change it by hand")
        }
        if place.word == "npm" || place.word == "pnpm", written.contains(where: { ";#\\$".utf8.contains($0) }) {
            throw Refusal("npm reads its value in another way than it is written; change it by hand")
        }
        if place.word == "kube" {
            let line = text.line(at: range.lowerBound)
            let head = text.bytes[line.lowerBound..<range.lowerBound] + written.prefix(1)
            guard !head.contains(where: { "&*!".utf8.contains($0) }) else {
                throw Refusal("its value has a mark of YAML (& * !); change it by hand")
            }
        }
    }

    /// What the file has between the quotes, unchanged.
    private func written(_ secret: ClearSecret, _ text: FileText) throws -> Secret {
        try Secret(copying: text.bytes[secret.range])
    }

    /// What a program would make of the file's bytes: a string's escapes are the file's, an encoding is the value's.
    private func value(_ secret: ClearSecret, _ text: FileText) throws -> Secret {
        switch secret.form {
        case .plain, .json, .backslashed, .xml, .block: secret.secret
        case .percent, .basic, .base64: try written(secret, text)
        }
    }

    private func item(_ secret: ClearSecret, _ stored: Secret, _ edits: Edits) throws -> MovedItem {
        let name = MovedItem(
            .password, MovedItem.word(secret.service, besides: "/"), MovedItem.word(secret.account))
        guard !name.service.isEmpty else { throw Refusal("it is for any server, and so has no name to be stored by") }
        return try free(name, stored, edits)
    }

    /// The item for a secret. Those that other secrets of the file get are taken.
    private func free(_ item: MovedItem, _ stored: Secret, _ edits: Edits) throws -> MovedItem {
        try items.free(item, for: stored) { try edits.stored(as: $0).map { try !$0.isEqual(to: stored) } ?? false }
    }

    /// A variable's name, made of an item's: no other item of the file has it.
    private func variable(for item: MovedItem, _ edits: Edits) -> String {
        let name = Self.capitals(item.account.isEmpty ? item.service : "\(item.service)_\(item.account)")
        var (next, number) = (name, 2)
        while let other = edits.having(variable: next)?.item, !other.isSame(as: item) {
            next = "\(name)_\(number)"
            number += 1
        }
        return next
    }

    static func capitals(_ text: String) -> String {
        let name = text.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        return (name.first?.isNumber == true ? "_" : "") + String(name)
    }

    /// The lines of the secret leave the file, and its program is started with a variable.
    private func environment(
        _ template: String, _ secret: ClearSecret, _ place: Place, _ text: FileText, _ edits: Edits
    ) throws -> Edit {
        let line = text.line(at: secret.range.lowerBound)
        let name = environmentName(template, text, line)
        var range = text.lines(of: secret.range)
        var by: [UInt8] = []
        var stored = try value(secret, text)
        let object = JSONValue(json: text.bytes)
        if place.word == "composer", let object {
            // The variable has the whole file.
            stored = try Secret(copying: object.json())
            (range, by) = (0..<text.bytes.count, Array("{}\n".utf8))
        } else if let whole = text.value(of: line), whole.contains("://") {
            // So has it an address.
            stored = try Secret(copying: Array(whole.utf8))
        } else if object != nil {
            guard let member = text.member(of: secret.range) else {
                throw Refusal("its file is JSON of a form that is not changed here; change it by hand")
            }
            range = member
        }
        if let other = edits.having(variable: name), other.range != range {
            throw Refusal("the variable \(name) can have one secret, and an earlier one of the file has it")
        }
        return Edit(
            secret: secret, range: range, by: by, item: try item(secret, stored, edits), stored: stored, variable: name)
    }

    /// What kubectl runs for a token (client-go credential plugins).
    private static let execPlugin = """
        exec:
          apiVersion: client.authentication.k8s.io/v1beta1
          interactiveMode: IfAvailable
          command: sh
          args:
          - -c
          - 'printf "{\\"apiVersion\\":\\"client.authentication.k8s.io/v1beta1\\",\\"kind\\":\\"ExecCredential\\",\\"status\\":{\\"token\\":\\"%s\\"}}" "$($COMMAND)"'
        """

    private func environmentName(_ template: String, _ text: FileText, _ line: Range<Int>) -> String {
        let key = text.key(of: line)
        let section = text.section(before: line.lowerBound)
        let last = section.split(separator: ".").last.map(String.init) ?? section
        return template.replacing("$SECTION", with: Self.capitals(last)).replacing("$KEY", with: Self.capitals(key))
            .replacing("$key", with: key)
    }

    private func command(
        _ key: String, _ template: String, _ secret: ClearSecret, _ text: FileText, _ edits: Edits
    ) throws -> Edit {
        let stored = try value(secret, text)
        let item = try item(secret, stored, edits)
        func filled(_ template: String, _ key: String) -> String {
            template.replacing("$COMMAND", with: "zamok get \(item.name)").replacing("$ITEM", with: item.name)
                .replacing("$KEY", with: key).replacing("$key", with: key)
        }
        guard !template.hasPrefix("#!") else {
            return Edit(
                secret: secret, range: 0..<text.bytes.count, by: Array(filled(template, "").utf8), item: item,
                stored: stored)
        }
        let line = text.line(at: secret.range.lowerBound)
        let found = text.key(of: line)
        guard secret.range.upperBound <= line.upperBound, key.hasPrefix("$") || found.lowercased() == key.lowercased()
        else { throw Refusal("its line is written in a form that is not changed here; change it by hand") }
        let rest = text.text(secret.range.upperBound..<line.upperBound)
        guard rest.allSatisfy({ " \t\"';,".contains($0) }) || rest.drop(while: { " \t\"'".contains($0) }).first == "#"
        else { throw Refusal("its line has more than the secret; change it by hand") }
        let indentation = text.indentation(of: line)
        let lines = filled(template, found).split(separator: "\n", omittingEmptySubsequences: false)
        // The dash of a list of YAML stays with the first line.
        let begin = text.bytes[line].dropFirst(indentation.count).starts(with: Array("- ".utf8)) ? 2 : 0
        let blanks = indentation + [UInt8](repeating: UInt8(ascii: " "), count: begin)
        let head = Array(text.bytes[line].prefix(blanks.count))
        let by = lines.enumerated().map { ($0 == 0 ? head : blanks) + Array($1.utf8) }.joined(separator: [10])
        return Edit(secret: secret, range: line, by: Array(by), item: item, stored: stored)
    }

    // MARK: Helpers

    /// A line of `.git-credentials`: `PROTOCOL://USER:PASSWORD@HOST[/PATH]`.
    private func git(_ secret: ClearSecret, _ text: FileText, _ edits: Edits) throws -> Edit {
        let line = text.line(at: secret.range.lowerBound)
        let address = try whole(text, line)
        guard let scheme = address.range(of: "://"),
            let at = address[scheme.upperBound...].prefix(while: { $0 != "/" }).lastIndex(of: "@"),
            let colon = address[scheme.upperBound..<at].firstIndex(of: ":"),
            let user = String(address[scheme.upperBound..<colon]).removingPercentEncoding,
            let password = String(address[address.index(after: colon)..<at]).removingPercentEncoding
        else { throw Refusal("its line is not as git writes it") }
        let rest = address[address.index(after: at)...]
        let host = rest.prefix { $0 != "/" }
        guard var path = String(rest.dropFirst(host.count)).removingPercentEncoding, !host.contains("%") else {
            throw Refusal("its line is not as git writes it")
        }
        while path.hasSuffix("/") { path.removeLast() }
        // The protocol of credential helpers has a name a line.
        guard !MovedItems.hasControl(address + user + path), !MovedItems.hasControl(password) else {
            throw Refusal("its line has control characters, with which git would ask for another server")
        }
        guard !ClearSecret.isSecret(name: user) else {
            throw Refusal("the user name in its line is the secret; change it by hand")
        }
        let stored = try Secret(copying: Array(password.utf8))
        let item = MovedItem(.git, String(address[..<scheme.upperBound]) + host + path, user)
        return Edit(
            secret: secret, range: text.lines(of: line), by: [], item: try free(item, stored, edits), stored: stored
        )
    }

    /// A registry of docker's configuration, by the text of its `auth`.
    private func registry(_ secret: ClearSecret, _ text: FileText, _ edits: Edits) throws -> Edit {
        guard let own = text.logins.first(where: { $0.range == secret.range }), !MovedItems.hasControl(own.keys[1])
        else { throw Refusal("docker's file has it in a form that is not changed here") }
        let registry = own.keys[1]
        guard text.logins.count(where: { $0.keys == own.keys }) == 1 else {
            throw Refusal("docker's file has the entry of its registry twice; change it by hand")
        }
        guard !edits.list.contains(where: { $0.profile == registry }) else {
            throw Refusal("its registry has another secret, which moves; change it by hand")
        }
        let written = text.bytes[secret.range]
        var (account, stored) = ("<token>", secret.secret)
        switch own.keys[2] {
        case "identitytoken": break
        case "auth":
            guard let decoded = Data(base64Encoded: Data(written)).flatMap({ String(validUTF8: Array($0)) }),
                let colon = decoded.firstIndex(of: ":")
            else { throw Refusal("docker's file has it in a form that is not changed here") }
            account = String(decoded[..<colon])
            guard !ClearSecret.isSecret(name: account) else {
                throw Refusal("its user name is the secret; change it by hand")
            }
            stored = try Secret(copying: Array(decoded[decoded.index(after: colon)...].utf8))
        default: throw Refusal("docker's file has it in a form that is not changed here")
        }
        let item = try free(MovedItem(.docker, registry, account), stored, edits)
        return Edit(secret: secret, range: secret.range, by: [], item: item, stored: stored, profile: registry)
    }

    /// Docker's configuration without the logins that move; nothing else of it is changed. The registries stay, as
    /// docker itself leaves them.
    func docker(_ text: FileText, _ edits: [Edit]) throws -> [UInt8] {
        let moved = Set(edits.map(\.profile))
        let names: Set<String> = ["auth", "password", "username", "identitytoken"]
        var bytes = text.bytes
        // From the end, so that those before it stay where they are.
        for field in text.logins.reversed() where moved.contains(field.keys[1]) && names.contains(field.keys[2]) {
            guard let member = FileText(bytes: bytes).member(of: field.range) else {
                throw Refusal("docker's file has its entry in a form that is not changed here")
            }
            bytes.removeSubrange(member)
        }
        return bytes
    }

    /// A token of cargo's `credentials.toml`.
    private func cargo(_ secret: ClearSecret, _ text: FileText, _ edits: Edits) throws -> Edit {
        let section = text.section(before: secret.range.lowerBound)
        let name = section.hasPrefix("registries.") ? String(section.dropFirst("registries.".count)) : "crates-io"
        var index = "https://github.com/rust-lang/crates.io-index"
        if section != "registry", name != "crates-io" {
            let probe = MovedItem(.cargo, "", name)
            guard let configuration = try setup("cargo", probe, ""),
                let found = try ClearFile(configuration.location).bytes().flatMap({ Self.index(of: name, $0) })
            else { throw Refusal("cargo's configuration names no index of the registry \(name)") }
            index = found
        }
        let stored = secret.secret
        let item = try free(MovedItem(.cargo, index, name), stored, edits)
        return Edit(secret: secret, range: text.lines(of: secret.range), by: [], item: item, stored: stored)
    }

    /// The index of a registry in cargo's configuration.
    private static func index(of name: String, _ bytes: [UInt8]) -> String? {
        let text = FileText(bytes: bytes)
        var begin = 0
        while begin < bytes.count {
            let line = text.line(at: begin)
            if text.section(before: begin) == "registries.\(name)", text.key(of: line) == "index" {
                return text.value(of: line)
            }
            begin = text.lines(of: line.lowerBound..<max(line.lowerBound + 1, line.upperBound)).upperBound
        }
        return nil
    }

    /// The text of a line. Errors: ``Refusal`` if it is not UTF-8, so that it can't be stored as it is.
    private func whole(_ text: FileText, _ line: Range<Int>) throws -> String {
        guard let whole = String(validUTF8: Array(text.bytes[line])) else {
            throw Refusal("its line is not text (UTF-8); change it by hand")
        }
        return whole
    }

    /// The name of a profile, as it is in the brackets: in `credentials` the name itself, in `config` the word
    /// `profile` and the name, in quotes if it has blanks
    /// (https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html).
    static func profile(inBrackets text: String, ofConfiguration isConfiguration: Bool) -> String? {
        var name = text[...]
        if isConfiguration, text != "default" {
            guard text.hasPrefix("profile ") || text.hasPrefix("profile\t") else { return nil }
            name = name.dropFirst("profile".count).drop { " \t".contains($0) }
            if let quote = name.first, "\"'".contains(quote) {
                guard name.count > 2, name.last == quote else { return nil }
                name = name.dropFirst().dropLast()
            } else if name.contains(where: { " \t".contains($0) }) {
                return nil
            }
        }
        // What tools read in more than one way.
        guard let first = name.first, let last = name.last, ![first, last].contains(where: \.isWhitespace),
            !name.contains(where: { "\"'\\[]\t".contains($0) })
        else { return nil }
        return String(name)
    }

    /// The keys of a profile of the AWS tools: all of the section's secrets are one item.
    private func aws(
        _ secret: ClearSecret, _ text: FileText, _ location: FileLocation, _ edits: Edits
    ) throws -> Edit {
        let begin = secret.range.lowerBound
        let sections = text.sections()
        guard let section = sections.last(where: { $0.begin <= begin })?.name else {
            throw Refusal("it is in no profile; change it by hand")
        }
        guard sections.count(where: { $0.name == section }) == 1 else {
            throw Refusal("the file has its profile twice, and tools differ in which they take; change it by hand")
        }
        let isConfiguration = String(decoding: location.name, as: UTF8.self).hasPrefix("config")
        guard let profile = Self.profile(inBrackets: section, ofConfiguration: isConfiguration) else {
            throw Refusal("tools differ in how they read the name of its profile; change it by hand")
        }
        func line(_ name: String) -> Range<Int>? { text.line(of: name, inSectionOf: begin) }
        guard let identifierLine = line("aws_access_key_id"), let identifier = text.value(of: identifierLine),
            let keyLine = line("aws_secret_access_key"), let key = text.value(of: keyLine)
        else { throw Refusal("its profile has not both halves of a key") }
        for line in [identifierLine, keyLine] {
            let value = try whole(text, line).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard !(value.last ?? "").trimmingCharacters(in: .whitespaces).contains(where: { "\"' \t".contains($0) })
            else { throw Refusal("its value has quotes or blanks, which some tools take as a part of it") }
        }
        let tokenLine = line("aws_session_token")
        var stored = try Secret(copying: Array(key.utf8))
        if let token = tokenLine.flatMap({ text.value(of: $0) }) {
            let object = ["AccessKeyId": identifier, "SecretAccessKey": key, "SessionToken": token]
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            stored = try Secret(copying: Array(try encoder.encode(object)))
        }
        let item = try free(
            MovedItem(.password, MovedItem.word(secret.service, besides: "/"), identifier), stored, edits)
        // The item's account is the identifier that the tools get.
        guard item.account == identifier else {
            throw Refusal("another secret is kept for the key \(identifier) already; change one of them by hand")
        }
        do {
            if let setup = try setup("aws", item, profile), setup.location != location {
                _ = try setup.applied(try ClearFile(setup.location).bytes().flatMap { String(validUTF8: $0) })
            }
        } catch let refusal as Refusal { throw refusal } catch is ClearFile.Refusal {} catch {
            throw Refusal("AWS's configuration can't hold the name of its profile as it is; change it by hand")
        }
        var edit = Edit(
            secret: secret, range: text.lines(of: keyLine), by: [], item: item, stored: stored, profile: profile)
        edit.more = [identifierLine, tokenLine].compactMap { $0.map { text.lines(of: $0) } }
        return edit
    }

    // MARK: Private keys

    /// The public half beside a private key, if it isn't there: ssh takes it to choose among the agent's keys.
    func publicHalf(_ location: FileLocation, _ bytes: [UInt8]) throws -> [MovePlan.Change] {
        let path = FileLocation(bytes: location.bytes + Array(".pub".utf8))
        guard try ClearFile(path).bytes() == nil, let key = try KeyItem(Data(bytes)).material()?.publicKey,
            let blob = key.sshPublicKey, let name = key.sshName
        else { return [] }
        let line = "\(name) \(Data(blob).base64EncodedString())\n"
        return [
            MovePlan.Change(
                path, isConfiguration: true, before: nil, after: Array(line.utf8), shown: ["the public key"])
        ]
    }
}
