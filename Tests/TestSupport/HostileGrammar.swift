// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes texts of the forms that are read, hostile in what they repeat, nest and refer to.
package struct HostileGrammar {
    private var generator: SeededGenerator

    package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &generator) }

    private mutating func one(_ words: [String]) -> String { words[below(words.count)] }

    /// Repeated, to two megabytes at most: pieces are made of pieces.
    private static func times(_ piece: String, _ count: Int) -> String {
        String(repeating: piece, count: min(count, max(1, (2 << 20) / max(1, piece.utf8.count))))
    }

    /// Mostly a few, seldom thousands.
    private mutating func count() -> Int { 1 << below(below(10) == 0 ? 12 : 5) }

    private mutating func repeated(_ make: (inout Self) -> String) -> String {
        let count = count()
        // The same one again and again, or each another.
        if below(2) == 0 { return Self.times(make(&self), count) }
        var text = ""
        for _ in 0..<min(count, 200) { text += make(&self) }
        return text
    }

    private mutating func name() -> String {
        one(["A", "B", "C", "inherited", "CODE_SIGN_IDENTITY", "SDKROOT", "T\(below(9))"])
    }

    private mutating func value(_ depth: Int = 0) -> String {
        let operation = one([
            "", ":upper", ":quote", ":quote:quote", ":dir=/x", ":default=\(depth < 6 ? value(depth + 1) : "")",
            ":c99extidentifier",
        ])
        let reference = "$(\(depth < 6 && below(4) == 0 ? value(depth + 1) : name())\(operation))"
        let piece = one([reference, reference, "$A", "$$", "$(", " ", "a\u{301}", "\u{FB01}", "*", "/../", "x", "\\"])
        return below(3) == 0 ? Self.times(piece, count()) : piece
    }

    private mutating func settings() -> String {
        repeated { own in
            let key =
                own.name()
                + (own.below(4) == 0
                    ? "[\(own.one(["config", "sdk", "arch"]))=\(Self.times("*a", own.count()))]" : "")
            let value = (0..<own.below(4)).map { _ in own.value() }.joined().replacingOccurrences(
                of: "\\", with: "\\\\")
            return "\"\(key)\"=\"\(value)\";"
        }
    }

    private mutating func list(_ prefix: String, _ most: Int) -> String {
        let count = count()
        return (0..<count).map { "\(prefix)\(below(2) == 0 ? 0 : $0 % most)" }.joined(separator: ",")
    }

    package mutating func project() -> String {
        let most = 1 + below(12)
        var objects = "P={isa=PBXProject;mainGroup=G0;buildConfigurationList=L0;targets=(\(list("T", most)));};"
        for number in 0..<most {
            objects +=
                "T\(number)={name=\"\(value())\";productType=\"com.apple.product-type.application\";buildConfigurationList=L\(below(most));};"
                .replacingOccurrences(of: "\\", with: "/")
            objects += "L\(number)={buildConfigurations=(\(list("C", most)));};"
            objects +=
                "C\(number)={name=\(one(["Debug", "Release", "C\(number)"]));buildSettings={\(below(3) == 0 ? "" : "SDKROOT=iphoneos;")A\(number)=\"\(Self.times("$(A)", count()))\";\(settingsOnce())};};"
            objects +=
                "G\(number)={children=(\(list("G", most)));path=\"\(Self.times("x", count()))\";sourceTree=\"<group>\";};"
        }
        return "// !$*UTF8*$!\n{objects={\(objects)};rootObject=P;}"
    }

    /// A dictionary with a key twice is refused: mostly there is none.
    private mutating func settingsOnce() -> String {
        guard below(8) != 0 else { return settings() }
        return ["A", "B", "C", "CODE_SIGN_IDENTITY"].map { name in
            "\(name)=\"\((0..<below(4)).map { _ in value() }.joined().replacingOccurrences(of: "\\", with: ""))\";"
        }.joined()
    }

    package mutating func configuration() -> String {
        repeated { own in
            own.one([
                "\(own.name()) = \(own.value())\n",
                "#include? \"\(own.one(["App", "App.xcconfig", "../x", "a/b"]))\"\n", "x\n", "// \(own.value())\n",
                "\(own.name())[config=\(own.one(["*", "Debug", "a*b*c"]))] = \(own.value()) \\\n",
            ])
        }
    }

    package mutating func csv() -> String {
        let columns = [
            "name", "password", "password", "note", "notes", "url", "website", "username", "otpauth",
            Self.times("x", count()),
        ]
        let head =
            (0..<(1 + below(40))).map { _ in one(columns) }.joined(separator: ",")
            + (below(4) == 0 ? "" : ",password,name") + "\n"
        return head
            + repeated { own in
                (0..<(1 + own.below(12))).map { _ in
                    own.one([
                        "a", "", "\"\(Self.times("\"\"", own.count()))\"", "\"a\nb\"",
                        "https://x.example", "\"",
                    ])
                }
                .joined(separator: ",") + own.one(["\n", "\r\n", "\r", ""])
            }
    }

    private mutating func element(_ depth: Int) -> String {
        guard depth < 40 else { return "0" }
        return switch below(8) {
        case 0: "[" + (0..<below(4)).map { _ in element(depth + 1) }.joined(separator: ",") + "]"
        case 1: "{\"\(one(["a", "name", "login"]))\":\(element(depth + 1))}"
        case 2: Self.times("[", count()) + Self.times("]", count())
        case 3: "null"
        case 4: "1e\(below(400))"
        default: "\"\(Self.times(one(["a", "\\u0041", "\\\"", "é"]), count()))\""
        }
    }

    package mutating func json() -> String {
        let items = repeated { own in
            own.one([
                "{},",
                "{\"type\":\(own.below(7)),\"name\":\(own.element(30)),\"notes\":\"n\",\"login\":{\"username\":\"u\",\"password\":\"p\",\"totp\":\(own.element(36)),\"uris\":[{\"uri\":\"https://x\"}]}},",
                "{\"name\":\"a\",\"login\":{\"password\":\"\(Self.times("p", own.count()))\"},\"fields\":[{},{}]},",
                "{\"x\":\(own.element(0))},",
            ])
        }
        return "{\"encrypted\":false,\"items\":[\(items){}]" + one(["}", "}", "}", "", ",\"items\":[]}"])
    }

    package mutating func xml() -> String {
        let entries = repeated { own in
            let key = own.one(["Title", "UserName", "Password", "Password", "URL", "Notes", "otp", "own"])
            let text = own.one(["a", "&amp;", "&#65;", "&x;", "<![CDATA[b]]>", "<!-- c -->"])
            return own.one([
                "<Entry><String><Key>\(key)</Key><Value>\(Self.times(text, own.count()))</Value></String></Entry>",
                "<Entry><String><Key>Title</Key><Value>t</Value></String><String><Key>Password</Key><Value>p</Value></String><History><Entry/></History></Entry>",
                "<Group>", "</Group>", "<a b='\(key)'/>",
            ])
        }
        return "<KeePassFile><Root><Group>\(entries)</Group></Root></KeePassFile>"
    }

    package mutating func variables() -> String {
        repeated { own in
            own.one([
                "A=b\n", "export B = \"c\" # d\r\n", "A=\n", "# x\n", "\n",
                "C='\(Self.times("'", own.count()))\n", "D=zamok://x\n",
            ])
        }
    }

    package mutating func source() -> String {
        repeated { own in
            let piece = own.one([
                "#", "\"", "\"\"\"", "\\(", "(", ")", "/*", "*/", "//", "\n", "\r\n", "#if os(iOS)\n", "#if a\n",
                "#else\n", "#endif\n", "import Security\n",
                "kSecClass ", "SecTask ", "data.write(to: x, options: .completeFileProtection)", "é", "\\", ".target(",
                "name: \"A\"", "#if ((((!!a&&b||c\n",
                "// zamok:allow(port) x\n", "UserDefaults.standard ",
            ])
            return own.below(4) == 0 ? Self.times(piece, own.count()) : piece
        }
    }
}
