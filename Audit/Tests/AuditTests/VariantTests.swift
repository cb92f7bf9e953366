// SPDX-License-Identifier: Apache-2.0

import AuditModel
import AuditMutations
import AuditRules
import Findings
import Foundation
import Testing

/// The vectors once more, each written otherwise: names changed, declarations in another order, methods moved into extensions in files of their own, other white space
/// and comments. What a rule finds may not change. `ZAMOK_AUDIT_VARIANTS` sets how many of each; `ZAMOK_AUDIT_SEED` another seed than 1.
@Suite("Variants of the vectors")
struct VariantTests {
    // A finding doesn't hang on how a source is written.
    @Test(arguments: VectorTests.cases) func `a rule finds the same however a source is written`(_ path: String) throws
    {
        let name = String(path.split(separator: "/")[0])
        let rule = try #require(allRules.first { type(of: $0).description.id == name })
        let sources = try VectorTests.sources(path)
        // A project file is read from the disk alone.
        guard !sources.contains(where: { $0.path.contains(".xcodeproj") }) else { return }
        let variables = ProcessInfo.processInfo.environment
        let seed = variables["ZAMOK_AUDIT_SEED"].flatMap(UInt64.init) ?? 1
        var random = Random(state: seed)
        let count = Self.lines(found: rule, in: sources).count
        for _ in 0..<(variables["ZAMOK_AUDIT_VARIANTS"].flatMap(Int.init) ?? 3) {
            var variant = Variant(sources: sources)
            variant.change(&random)
            let found = Self.lines(found: rule, in: variant.sources)
            let marked = variant.marks
            let text = variant.sources.map { "--- \($0.path)\n\($0.text)" }.joined(separator: "\n")
            #expect(found.count == count, "seed \(seed)\n\(text)")
            if !marked.isEmpty { #expect(found == marked, "seed \(seed)\n\(text)") }
        }
    }

    private static func lines(found rule: any Rule, in sources: [(path: String, text: String)]) -> Set<String> {
        Set(
            rule.examine(ProjectModel.read(sources: sources)).filter { $0.certainty >= .likely }.map {
                "\($0.place.file):\($0.place.line)"
            })
    }
}

/// A small app, and what may be done to its sources without a change of what they do.
private struct Variant {
    var sources: [(path: String, text: String)]

    mutating func change(_ random: inout Random) {
        renameTypes(&random)
        renameLocals(&random)
        for index in sources.indices where sources[index].path.hasSuffix(".swift") {
            if Bool.random(using: &random) { reorder(index, &random) }
            if Bool.random(using: &random) { move(index, &random) }
        }
        for index in sources.indices where [".swift", ".m", ".h"].contains(where: sources[index].path.hasSuffix) {
            space(index, &random)
        }
    }

    /// The lines with the mark `finds`.
    var marks: Set<String> {
        var result = Set<String>()
        for (path, text) in sources {
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            where line.contains("// finds") || line.contains("<!-- finds -->") {
                result.insert("\(path):\(index + 1)")
            }
        }
        return result
    }

    // MARK: Names

    private mutating func rename(_ names: [String: String]) {
        for index in sources.indices {
            var result = ""
            var word = ""
            for character in sources[index].text + "\n" {
                if character.isLetter || character.isNumber || character == "_" {
                    word.append(character)
                } else {
                    result += names[word] ?? word
                    word = ""
                    result.append(character)
                }
            }
            result.removeLast()
            sources[index].text = result
        }
    }

    /// `LoginController` is `QXLoginController` everywhere; what its end says of it stays.
    private mutating func renameTypes(_ random: inout Random) {
        var names: [String: String] = [:]
        let letters = Array("QXZJW")
        for (path, text) in sources where path.hasSuffix(".swift") {
            let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
            for (keyword, name) in zip(words, words.dropFirst())
            where ["class", "struct"].contains(keyword) && name.first?.isUppercase == true {
                guard Bool.random(using: &random), !["UserDefaults", "Key"].contains(name) else { continue }
                let prefix = (0..<2).compactMap { _ in letters.randomElement(using: &random) }
                names[String(name)] = String(prefix) + name
            }
        }
        rename(names)
    }

    /// Locals and constants that say nothing get a number, where no member has their name.
    private mutating func renameLocals(_ random: inout Random) {
        var names: [String: String] = [:]
        let all = sources.map(\.text).joined(separator: "\n")
        for (path, text) in sources where path.hasSuffix(".swift") {
            let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
            for (keyword, name) in zip(words, words.dropFirst()) where keyword == "let" {
                guard SecretWords(name: name) == nil, SecretWords.words(of: name).count == 1, name.count > 2,
                    !all.contains(".\(name)"), !all.contains("\(name):"), !all.contains("\"\(name)\""),
                    name.first?.isLowercase == true, Bool.random(using: &random)
                else { continue }
                names[String(name)] = "\(name)7"
            }
        }
        rename(names)
    }

    // MARK: Order

    /// The declarations of a file: each begins at a line's first column and ends before the next that does.
    private static func declarations(_ text: String) -> [[Substring]] {
        var result: [[Substring]] = [[]]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let begins = line.first.map { $0.isLetter || $0 == "@" } == true
            let continues = result.last?.last.map { $0.hasPrefix("@") && !$0.contains("{") } == true
            if begins, !continues { result.append([]) }
            result[result.count - 1].append(line)
        }
        return result
    }

    private mutating func reorder(_ index: Int, _ random: inout Random) {
        var declarations = Self.declarations(sources[index].text)
        guard !sources[index].text.contains("\n#"), !sources[index].text.hasPrefix("#") else { return }
        let imports = declarations.filter { $0.first?.hasPrefix("import") != false }
        declarations.removeAll { $0.first?.hasPrefix("import") != false }
        declarations.shuffle(using: &random)
        sources[index].text = (imports + declarations).flatMap(\.self).joined(separator: "\n")
    }

    /// Moves one method of a class or a struct into an extension in a file of its own.
    private mutating func move(_ index: Int, _ random: inout Random) {
        var lines = sources[index].text.split(separator: "\n", omittingEmptySubsequences: false)
        var owner = ""
        var methods: [(owner: String, lines: Range<Int>)] = []
        for (position, line) in lines.enumerated() {
            if line.first?.isWhitespace == false, line.hasSuffix("{") {
                let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
                owner =
                    zip(words, words.dropFirst()).first { ["class", "struct", "extension"].contains($0.0) }
                    .map { String($0.1) } ?? ""
            }
            guard !owner.isEmpty, line.hasPrefix("    "), !line.hasPrefix("     "), line.contains("func "),
                line.hasSuffix("{") || line.hasSuffix("{  // finds"),
                let end = lines[position...].firstIndex(of: "    }")
            else { continue }
            methods.append((owner, position..<end + 1))
        }
        guard let (owner, range) = methods.randomElement(using: &random) else { return }
        let imports = lines.filter { $0.hasPrefix("import") }
        let body = lines[range].joined(separator: "\n")
        lines.removeSubrange(range)
        sources[index].text = lines.joined(separator: "\n")
        let folder = sources[index].path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        sources.append(
            (
                "\(folder)\(owner)+Moved.swift",
                "\(imports.joined(separator: "\n"))\n\nextension \(owner) {\n\(body)\n}\n"
            ))
    }

    // MARK: White space

    private mutating func space(_ index: Int, _ random: inout Random) {
        let wide = Bool.random(using: &random)
        var isText = false
        var result: [String] = []
        for line in sources[index].text.split(separator: "\n", omittingEmptySubsequences: false) {
            // A line that a backslash joins with this one stays beside it.
            if !isText, !line.hasPrefix("#"), result.last?.hasSuffix("\\") != true {
                switch Int.random(in: 0..<8, using: &random) {
                case 0: result.append("")
                case 1: result.append("    // password: \"a note\" /* token */")
                default: break
                }
            }
            if line.split(separator: "\"\"\"", omittingEmptySubsequences: false).count.isMultiple(of: 2) {
                isText.toggle()
            }
            let indent = line.prefix { $0 == " " }
            let isPlain = isText || line.contains("\"\"\"") || indent.isEmpty
            result.append(
                isPlain || !wide
                    ? String(line) : String(repeating: "\t", count: indent.count / 2) + line.dropFirst(indent.count))
        }
        sources[index].text = result.joined(separator: "\n")
    }
}
