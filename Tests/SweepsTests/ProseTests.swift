// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import Testing

@testable import Sweeps

/// What people write for each other, and formats in which a secret has its place without a name.
@Suite struct ProseTests {
    static func values(_ text: String, _ path: String) throws -> [String] {
        let bytes = Array(text.utf8)
        let kind = TextKind.of(path)
        let whole = WholeText.readers(path, kind, bytes, bytes.count).flatMap { $0(bytes) }
        var names = KnownNames()
        let found = (TextFinder.found(in: bytes, 0..<bytes.count, end: bytes.count, kind, &names) + whole).merged
        return found.map { String(decoding: $0.form.decoded(bytes[$0.range]), as: UTF8.self) }
    }

    @Test(arguments: [
        ("a.txt", "The password is Hafen-Kran88.", ["Hafen-Kran88"]),
        ("a.md", "**Password:** `tiefe.See12`", ["tiefe.See12"]),
        ("a.txt", "Kennwort fuer NAS lautet nas.Keller19", ["nas.Keller19"]),
        ("a.txt", "mot de passe du serveur = Croissant.99", ["Croissant.99"]),
        ("a.txt", "la contraseña es Perro-Verde8", ["Perro-Verde8"]),
        ("a.txt", "Пароль: Весна2024!", ["Весна2024!"]), ("a.txt", "密码：Panda-2024x", ["Panda-2024x"]),
        ("a.txt", "root pw w1nter-Garten", ["w1nter-Garten"]), ("a.txt", "DB password → Pfeil.Nach9", ["Pfeil.Nach9"]),
        ("a.txt", "Login: ann@example.org / PewterJasper536*", ["PewterJasper536*"]),
        ("a.txt", "router admin/0NeQJejuEM5!", ["0NeQJejuEM5!"]),
        ("a.txt", "[10:11] Ben: what's the wifi password?\n[10:12] Ann: Fluss-Ufer92\n", ["Fluss-Ufer92"]),
        ("a.html", "<p>User: a<br>Password: <code>Hockey2020$on</code></p>", ["Hockey2020$on"]),
        ("a.json", "{\"text\":\"staging password is Bruecke.Nord5\"}", ["Bruecke.Nord5"]),
        (
            "a.md", "| host | user | password |\n|---|---|---|\n| db | ann | pg-Elefant4 |\n| web | ann | |\n",
            ["pg-Elefant4"]
        ),
        (
            "a.html", "<tr><th>User</th><th>Password</th></tr><tr><td>ann</td><td>Lager.Halle6</td></tr>",
            ["Lager.Halle6"]
        ),
        (
            "a.rst", "====  ========\nuser  password\n====  ========\nann   Spalte.Drei3\n====  ========\n",
            ["Spalte.Drei3"]
        ),
        ("a.csv", "name,password\nshop,\"komma,Pass1\"\n", ["komma,Pass1"]),
        (
            "passwords.txt", "github ann Liste.Eins1\n\nshop.example\nann\nDrei.Zeilen3\n",
            ["Liste.Eins1", "Drei.Zeilen3"]
        ),
        ("db_password.txt", "q5hwgaRRD2DzbDGKlcEl9O\n", ["q5hwgaRRD2DzbDGKlcEl9O"]),
        ("otp.txt", "otpauth://totp/a:b?secret=KRSXG5CTMVRXEZLUKN2HE2LO&issuer=a", ["KRSXG5CTMVRXEZLUKN2HE2LO"]),
    ]) func `sentences, tables and lists of accounts are read`(
        _ path: String, _ text: String, _ wanted: [String]
    ) throws {
        #expect(try Self.values(text, path) == wanted)
    }

    @Test(arguments: [
        ("a.txt", "Never share your password."), ("a.txt", "Passwort vergessen? Bitte IT anrufen."),
        ("a.txt", "Password policy: at least 12 characters."), ("a.txt", "We changed the password last week."),
        ("a.md", "The default password is `admin`."), ("a.txt", "see page 12 / chapter3, user guide v2.3-beta1"),
        ("a.md", "| host | password |\n|---|---|\n| db | see vault |\n| web | ${DB_PASSWORD} |\n"),
        ("a.log", "restoring cache with key v2-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"),
        ("a.log", "auth token: 550e8400-e29b-41d4-a716-446655440000"),
        ("a.log", "login from 10.0.0.1/24 by admin/example-host1.example.com"),
        ("a.ts", "<p>Password must be 8-64 characters.</p>"),
        ("a.txt", "# public key: age1apzq9v2el6q20xq7pjv4xg44wy4c8l9xu4gn4"),
        ("passwd", "root:x:0:0:root:/root:/bin/bash\n"), (".htpasswd", "ann:$apr1$abc$QmFzZTY0aGFzaA\n"),
    ]) func `texts about passwords have none`(_ path: String, _ text: String) throws {
        #expect(try Self.values(text, path) == [])
    }

    @Test(arguments: [
        ("r1-confg", "username admin privilege 15 password 0 Zugspitze!29", ["Zugspitze!29"]),
        (
            "r1-confg", "enable secret 5 $1$mERr$hx5rVt7rPNoS4wqbXKX7m0\nusername old password 7 0822455D0A16",
            ["0822455D0A16"]
        ),
        (
            "r1-confg", "snmp-server community kr4nich-ro RO 10\ntacacs-server key T4c-Plus-K3y",
            ["kr4nich-ro", "T4c-Plus-K3y"]
        ),
        ("junos.conf", "pre-shared-key ascii-text \"tunn3l.Key.22\"; ## SECRET-DATA", ["tunn3l.Key.22"]),
        (
            "snmpd.conf", "createUser mon SHA \"M0n1tor-Auth\" AES M0n1tor-Priv\nrocommunity public",
            ["M0n1tor-Auth", "M0n1tor-Priv"]
        ),
        ("ipsec.secrets", "10.0.0.1 : PSK \"gr0ss-Geh3im\"\n: RSA moon.pem", ["gr0ss-Geh3im"]),
        ("chap-secrets", "# client server secret addresses\nann * dsl.Zugang7 *\n", ["dsl.Zugang7"]),
        ("sasl_passwd", "[smtp.example.net]:587 relay:relais-Post3\n", ["relais-Post3"]),
        ("a.ovpn", "<auth-user-pass>\nann\nSommer-Tunnel-9\n</auth-user-pass>", ["Sommer-Tunnel-9"]),
        ("a.xml", "<Key>Password</Key>\n<Value ProtectInMemory=\"True\">kp-Offen-1</Value>", ["kp-Offen-1"]),
        ("a.xml", "<Key>Password</Key><Value Protected=\"True\">d2hhdGV2ZXI1aXM=</Value>", []),
        ("a.sql", "INSERT INTO s (name, value) VALUES ('smtp_password', 'einfueg-Post2');", ["einfueg-Post2"]),
        ("a.sql", "COPY s (key, value) FROM stdin;\nmail_password\tkop1er-Wert\npage_size\t20\n\\.\n", ["kop1er-Wert"]),
        ("a.sql", "INSERT INTO u (id, password_hash) VALUES (1, '$2b$12$C6UzMDM.H6dfI/f/IKcEeO');", []),
        (
            "a.yml", "password: >-\n  gefaltet-Wert19\n? secret\n: \"frage-Wert22\"\n",
            ["gefaltet-Wert19", "frage-Wert22"]
        ),
        ("a.http", "Cookie: theme=dark; session=Ptp6Jq2igZ4jXCqRNiSMiNJ4TT", ["Ptp6Jq2igZ4jXCqRNiSMiNJ4TT"]),
        ("a.js", "const c = [{ u: 'load1', p: 'zR3GTKH3XDaog1N' }];", ["zR3GTKH3XDaog1N"]),
        ("a.exp", "expect \"Password:\"\nsend \"erwart-Skript1\\r\"\nsend \"ls\\r\"", ["erwart-Skript1"]),
        ("A.java", "ks.load(in, \"schluessel-Bund1\".toCharArray());", ["schluessel-Bund1"]),
        ("config.cfg", "rootpw --plaintext an-Stoss33\nrootpw --iscrypted $6$abc$defghij", ["an-Stoss33"]),
    ]) func `a secret is known by its place`(_ path: String, _ text: String, _ wanted: [String]) throws {
        #expect(try Self.values(text, path) == wanted)
    }

    @Test func `the work is linear in hostile texts`() throws {
        for piece in [
            "password ", "login/", "insert into t(password) values(", "cookie:a=", "{p:\"", "| password |\n", "a://b:",
            "wifi is ",
        ] {
            let text = String(repeating: piece, count: 300)
            var names = KnownNames()
            let clock = ContinuousClock()
            // Another process may have the processor meanwhile: one of five tries suffices.
            let isLinear = (0..<5).contains { _ in
                var times: [Duration] = []
                for share in [4, 1] {
                    let part = Array(text.utf8.prefix(text.utf8.count / share))
                    times.append(
                        clock.measure {
                            for path in ["a.txt", "a.conf", "a.html"] {
                                let kind = TextKind.of(path)
                                _ = TextFinder.found(in: part, 0..<part.count, end: part.count, kind, &names)
                                for read in WholeText.readers(path, kind, part, part.count) { _ = read(part) }
                            }
                        })
                }
                return times[1] < times[0] * 12 + .milliseconds(300)
            }
            #expect(isLinear, "\(piece)")
        }
    }
}
