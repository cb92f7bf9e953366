// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Sweeps

@Suite struct ReaderFuzzTests {
    private static let corpus: [[UInt8]] = [
        "[a \"b\"]\nkey = \"v\\n\" ; c\nx: y\n", "{\"a\": [1, \"b\\u00e9\", {\"c\": \"d\"}], // x\n}",
        "a:\n  - b: c\n    d: 'e'\nf: |\n  g\n  h\ni: {j: k, l: [m]}\n",
        "a.b = \"c\"\n[d.\"e\"]\nf = \"\"\"x\ny\"\"\"\ng = { h = 'i', j = [1, 2] }\n",
        "<a b=\"c\"><d>e&amp;</d><!-- x --><![CDATA[y]]></a>",
        "machine h login l password p\nmacdef x\ny\n\ndefault login a password b\n", "h:5432:d:u:p\\:q\n",
        "K 8\npasstype\nV 6\nsimple\nK 8\npassword\nV 3\nabc\nEND\n",
        "https://u:p@h/x?y#z AKIAIOSFODNN7EXAMPLE ghp_0123456789 -----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----",
        "curl -u a:b -H 'Authorization: Basic YTpi' ; mysql -pabc | x",
        "password: \"a\\\"b\" <password>x</password> {name: TOKEN, value: y} DIRC\0\0\0\u{2}\0\0\0\u{1}",
    ].map { Array($0.utf8) }

    /// Words of which the finder looks for each, and what is round them: pieces of hostile texts.
    private static let words: [[UInt8]] =
        (TextScan.directives.map(\.0) + [
            "password", "pw ", "key ", "wifi", "\"", "'", ": ", " = ", "=", "\n", "\r\n", "{", "}", "[", "]", "(", ")",
            "|", "| ",
            "password |", "/", " / ", "<", ">", "</td>", "<td>", "<tr>", "</tr>", "value", "\"value\":", "\"type\":",
            "-> ", "→",
            "：", "«", "é", "is ", "http://", "@", "a:b", "INSERT INTO t(", "COPY t (", "values (", "FROM stdin;", "\t",
            "identified by ",
            "cookie", "set-cookie: ", "otpauth://", "secret=", ".toCharArray(", "<auth-user-pass>", "send \"",
            "assword", "{Tab}",
            "connect(", "login", "admin/", "${", ":-", "{{", "process.env.X ?? ", "SecretStr(", "q{", "<<\"", "::",
            "\\", " -p ",
            "-----BEGIN PRIVATE KEY-----", "-----BEGIN OpenVPN Static key V1-----", "LS0tLS1CRUdJTi", "-----END",
            "Tr0ub4dor&3",
            "0822455D0A16", "====  ====", "!! ", "- ", "#", "//", "? ", "|\n  ", "\u{FEFF}", "example:", "curl -u ",
            "mysql -p",
        ]).map { Array($0.utf8) }

    @Test func `no order of words makes the finder trap or loop`() {
        let environment = ProcessInfo.processInfo.environment
        var random = SeededGenerator(seed: FuzzBudget.seed(environment: environment))
        let kinds: [(kind: TextKind, path: String)] = [
            (.config, "a.conf"), (.json, "a.json"), (.source, "a.html"), (.script, "a.sh"), (.commands, ".a_history"),
            (.log, "a.log"), (.prose, "passwords.txt"), (.prose, "a.csv"), (.keys, "a.pem"),
        ]
        var names = KnownNames()
        for round in 0..<FuzzBudget.inputs(environment: environment, bounded: 900) {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...24, using: &random) {
                bytes += Self.words.randomElement(using: &random) ?? []
            }
            let (kind, path) = kinds[round % kinds.count]
            let found =
                TextFinder.found(in: bytes, 0..<bytes.count, end: bytes.count, kind, &names)
                + WholeText.readers(path, kind, bytes, bytes.count).flatMap { $0(bytes) }
            for one in found.merged {
                #expect(one.range.lowerBound >= 0 && one.range.upperBound <= bytes.count, "\(bytes)")
            }
        }
    }

    @Test(arguments: Format.allCases) func `no input makes a reader trap or loop`(_ format: Format) {
        let run = FuzzRun.tried("sweep \(format)", corpus: Self.corpus, bounded: 2000) { data in
            let bytes = Array(data)
            let fields = format.fields(bytes)
            return fields.allSatisfy {
                $0.range.lowerBound >= 0 && $0.range.upperBound <= bytes.count
                    && !$0.form.decoded(bytes[$0.range]).isEmpty
            }
        }
        #expect(run.inputs >= 1)
    }

    @Test func `no input makes a place or the finder trap or loop`() {
        let places = Catalogue.places
        var number = 0
        let run = FuzzRun.tried("sweep places", corpus: Self.corpus, bounded: 3000) { data in
            let bytes = Array(data)
            number += 1
            _ = GitIndexes.entries(bytes)
            let kinds: [TextKind] = [.config, .json, .source, .script, .commands, .log, .prose, .keys]
            for secret in try TextFinder.secrets(in: bytes, "x", kinds[number % kinds.count]) {
                guard secret.range.upperBound <= bytes.count else { return false }
            }
            return try places[number % places.count].read(bytes, "x").allSatisfy { $0.range.upperBound <= bytes.count }
        }
        #expect(run.inputs >= 1)
    }
}
