// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import Testing

@testable import Sweeps

@Suite struct TextFinderTests {
    static func values(_ text: String, _ path: String) throws -> [String] {
        try TextFinder.secrets(in: Array(text.utf8), path, TextKind.of(path)).map {
            String(decoding: try [UInt8](exposing: $0.secret), as: UTF8.self)
        }
    }

    @Test(arguments: [
        ("a.py", "DB_PASSWORD = 'tr0ub4dor&3'", "tr0ub4dor&3"),
        ("a.js", "const apiKey = \"f3A9c0e17B2d4F6a8\";", "f3A9c0e17B2d4F6a8"),
        ("a.go", "password := \"S3cr3t!pass\"", "S3cr3t!pass"),
        ("A.java", "String dbPassword = \"W1nter-2031\";", "W1nter-2031"),
        ("a.swift", "let clientSecret: String = \"q8Zr2LxV0pT5nW7k\"", "q8Zr2LxV0pT5nW7k"),
        ("a.rb", "password: 'Lk9#mPq2'", "Lk9#mPq2"),
        ("a.php", "define('DB_PASSWORD', 'vX9!kd8Qz');", "vX9!kd8Qz"), ("a.yml", "password: hunter42", "hunter42"),
        ("a.yml", "- name: DB_PASSWORD\n  value: \"k33p0ut!\"", "k33p0ut!"),
        ("a.json", "{\"password\": \"Zx81-spectrum\"}", "Zx81-spectrum"),
        ("a.json", "{\"name\": \"API_TOKEN\", \"value\": \"a81Kd02mQpX7sV4t\"}", "a81Kd02mQpX7sV4t"),
        ("a.xml", "<add key=\"ApiKey\" value=\"9f8E7d6C5b4A3210zz\" />", "9f8E7d6C5b4A3210zz"),
        ("a.xml", "<password>Gr&amp;y5ky9</password>", "Gr&y5ky9"),
        ("a.properties", "spring.datasource.password=Pg-4711-x", "Pg-4711-x"),
        ("a.ini", "passwort = Geh31m!Wort", "Geh31m!Wort"),
        (".env", "contraseña=Secr3ta99", "Secr3ta99"),
        ("a.log", "login ok password=Qwe-981-rt, user=ann", "Qwe-981-rt"),
        (".bash_history", "mysql -u root -pS3cr3tRoot db", "S3cr3tRoot"),
        (".bash_history", "curl -u ann:W0nderland! https://h/", "W0nderland!"),
        (".bash_history", "sshpass -p 'h0t-dog-9' ssh h", "h0t-dog-9"),
        (".bash_history", "export API_TOKEN=a81Kd02mQpX7sV4t", "a81Kd02mQpX7sV4t"),
        (".psql_history", "ALTER USER ann PASSWORD 'r0tate-me-7';", "r0tate-me-7"),
        (".mysql_history", "CREATE\\040USER\\040a\\040IDENTIFIED\\040BY\\040'n3w-pw-55';", "n3w-pw-55"),
        ("a.md", "postgres://ann:pl41n-t3xt@db.example.org/app", "pl41n-t3xt"),
        ("a.log", "> Authorization: Basic YW5uOm0zbDBkeS1jbDB1ZA==", "m3l0dy-cl0ud"),
        ("a.ipynb", "\"api_key = \\\"k82Lm09xQw71Zt5v\\\"\\n\",", "k82Lm09xQw71Zt5v"),
        ("main.tf", "password = \"Blu3-Wh4le\"", "Blu3-Wh4le"),
        ("a.plist", "<key>API_KEY</key>\n<string>k82Lm09xQw71Zt5v</string>", "k82Lm09xQw71Zt5v"),
        ("a.cs", "\"Server=x;Password=Adm1n-77x;\"", "Adm1n-77x"),
    ]) func `secrets in the syntax of many languages are found`(_ path: String, _ text: String, _ value: String) throws
    {
        #expect(try Self.values(text, path) == [value])
    }

    @Test(arguments: [
        ("a.py", "password = os.environ['DB_PASSWORD']"), ("a.py", "password = getpass.getpass('Password: ')"),
        ("a.js", "const token = getToken();"),
        ("a.yml", "password: ${DB_PASSWORD}"), ("a.yml", "password: {{ vault_db_password }}"),
        (".env", "API_KEY=<your-api-key>"), (".env", "API_KEY=changeme"),
        (".env", "API_KEY=xxxxxxxxxxxxxxxx"), ("a.json", "{\"password\": \"Password\"}"),
        ("a.json", "{\"forgotPassword\": \"Forgot your password?\"}"),
        ("a.py", "max_tokens = 4096"), ("a.py", "next_page_token = 'CAEQAA9f3k2m1z8x'"),
        ("a.yml", "password_hash: $2b$12$abcdefghijklmnopqrstuuJ8qz"),
        ("a.yml", "password: $argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA"),
        ("a.js", "csrfToken: \"8f3k2m1z8x7q6w5e\""), ("a.ts", "type: 'password'"),
        ("a.html", "<input type=\"password\" name=\"password\" placeholder=\"Enter password\">"),
        ("a.py", "AWS_SECRET_ACCESS_KEY = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'"),
        ("package-lock.json", "\"integrity\": \"sha512-abc\", \"token\": \"a81Kd02mQpX7sV4t\""),
        (".env.example", "DB_PASSWORD=S3cr3t-99"), ("a.sh", "TOKEN=$(zamok get api)"),
        ("a.md", "https://registry.npmjs.org:443/@scope/name"), ("a.pub", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOb"),
        ("a.yml", "secretName: tls-cert-prod-01"),
        ("a.go", "tokenType := \"Bearer8812\""), ("a.yml", "password: !vault |"),
        ("a.py", "def test_password_reset(self): pass"), ("de.json", "{\"password\": \"Passwort\"}"),
    ]) func `what only looks like a secret is not found`(_ path: String, _ text: String) throws {
        #expect(try Self.values(text, path) == [])
    }

    @Test func `private keys count without a passphrase only`() throws {
        let body = (0..<6).map { _ in "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj" }.joined(
            separator: "\n")
        func key(_ label: String, _ head: String = "") -> String {
            "-----BEGIN \(label)-----\n\(head)\(body)\n-----END \(label)-----\n"
        }
        func count(_ text: String) throws -> Int { try TextFinder.secrets(in: Array(text.utf8), "k.pem", .keys).count }
        #expect(try count(key("PRIVATE KEY")) == 1)
        #expect(try count(key("RSA PRIVATE KEY")) == 1)
        #expect(try count(key("ENCRYPTED PRIVATE KEY")) == 0)
        #expect(try count(key("RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n")) == 0)
        #expect(try count(key("PUBLIC KEY")) == 0)
        #expect(try count(key("CERTIFICATE")) == 0)
        #expect(try count("{\"private_key\": \"\(key("PRIVATE KEY").replacing("\n", with: "\\n"))\"}") == 1)
    }

    @Test func `a name is found wherever it begins, behind a short line or a long one`() throws {
        for offset in Array(0..<140) + [1020, 1023, 1024, 1025, 1100] {
            let text = String(repeating: "/", count: offset) + " password = \"k82Lm09xQw71Zt5v\""
            #expect(try Self.values(text, "a.py") == ["k82Lm09xQw71Zt5v"], "\(offset)")
        }
    }

    @Test func `a name means the same again, among more names than are kept`() {
        var names = KnownNames()
        for number in 0..<3000 {
            let name = ["item", "secret", "key"][number % 3] + "Of\(number)\(number % 2 == 0 ? "Token" : "Count")"
            let bytes = Array(name.utf8)
            for _ in 0..<2 {
                let facts = names.facts(of: 0..<bytes.count, in: bytes)
                #expect(facts.meaning == SecretName.judged(name), "\(name)")
            }
        }
    }

    @Test func `long lines, and keys without an end, end`() throws {
        let long = String(repeating: "password=", count: 10_000)
        _ = try TextFinder.secrets(in: Array(long.utf8), "a.log", .log)
        _ = try TextFinder.secrets(in: Array(String(repeating: "://a:", count: 10_000).utf8), "a.log", .log)
        _ = try TextFinder.secrets(
            in: Array(String(repeating: "curl -u ", count: 10_000).utf8), ".bash_history", .commands)
        _ = try TextFinder.secrets(
            in: Array(String(repeating: "-----BEGIN PRIVATE KEY-----", count: 5_000).utf8), "a", .config)
    }
}
