// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Sweeps

/// Classes of forms of which each program and each language has its own: what is a secret, and its harmless twin.
@Suite struct ClassTests {
    @Test(arguments: [
        // A name without doubt, and a weak value.
        ("a.nix", "users.users.gast.password = \"kekse\";", ["kekse"]),
        ("a.ini", "AdminPassword=Lokomotive", ["Lokomotive"]),
        ("a.json", "{\"game_password\": \"karottenbeet\"}", ["karottenbeet"]),
        ("a.php", "$dbPassword = \"linsensuppe\";", ["linsensuppe"]),
        ("a.yml", "encryption_key: das fahrrad lehnt hinten links", ["das fahrrad lehnt hinten links"]),
        ("a.properties", "admin.unlock_pin = 2580", ["2580"]), ("a.kt", "val bankPin = \"839951\"", ["839951"]),
        ("a.xml", "<param name=\"vm-password\" value=\"4090\"/>", ["4090"]),
        // Numbers, phrases and words in notes.
        ("a.txt", "PIN der Karte 7714", ["7714"]), ("a.txt", "複合機の管理者暗証番号 4082915", ["4082915"]),
        ("a.txt", "the new code is 4821#, keep it", ["4821#"]), ("a.txt", "kode til garasjen: 6613", ["6613"]),
        ("a.txt", "pass is wibbly wobbly timey wimey (same as before)", ["wibbly wobbly timey wimey"]),
        ("a.txt", "senha: bolodelaranjadoce", ["bolodelaranjadoce"]),
        ("a.txt", "the network gets a new passphrase:\n\n    nisse torsk klokke tolv\n", ["nisse torsk klokke tolv"]),
        ("a.txt", "user \"x\", the pw is\nBergen-regn-212 -- change it", ["Bergen-regn-212"]),
        // An account and its password, without a word that says which is which.
        ("a.txt", "Modem: admin / superweb224", ["superweb224"]),
        ("a.txt", "RDP 10.1.1.5 olga / Zima_2026!", ["Zima_2026!"]),
        ("a.conf", "# elastic / 0KQnpPv*qIAWk8=gRCk+", ["0KQnpPv*qIAWk8=gRCk+"]),
        ("a.txt", "вайфай: Dom_5G / мурзик777", ["мурзик777"]),
        // An account and its password in one value.
        ("a.yml", "cloud.auth: \"beat:gfrGO93Wt0HELKvD\"", ["gfrGO93Wt0HELKvD"]),
        ("a.conf", "stream_authentication bauer:Misthaufen2000", ["Misthaufen2000"]),
        ("a.coffee", "auth = 'Basic ' + new Buffer('bot:Apfel-Kuchen').toString('base64')", ["Apfel-Kuchen"]),
        ("a.c", "char h[] = \"Authorization: Basic b3RhOkthbHR3YWx6ZTIwMjQ=\\r\\n\";", ["Kaltwalze2024"]),
        ("a.plist", "<string>-u</string>\n<string>foto,Eiger.Wand3967</string>", ["Eiger.Wand3967"]),
        ("a.m", "opt = {'Authorization', '68ed37b3f35945a09154ad74f5eca4ec'};", ["68ed37b3f35945a09154ad74f5eca4ec"]),
        (
            "a.groovy", "[[name: 'Authorization', value: 'GenieKey 997ae680-9504-48f5-b7a5-2f887b910bf7']]",
            ["997ae680-9504-48f5-b7a5-2f887b910bf7"]
        ),
        // Connections and URLs.
        ("a.fs", "let c = \"Host=h;Password=Kilo&Gramm7;Pooling=true\"", ["Kilo&Gramm7"]),
        ("a.yaml", "- tapo://nxI4txp532M50z9t@192.168.20.33", ["nxI4txp532M50z9t"]),
        ("a.coffee", "post '/hook/1dc080025e57f2a56f586b06', (req) ->", ["1dc080025e57f2a56f586b06"]),
        (
            "a.json", "[\"https://h/announce\", \"https://t/06efb9b2983ebda5fb41d14d1ee6640f/announce\"]",
            ["06efb9b2983ebda5fb41d14d1ee6640f"]
        ),
        ("a.json", "{\"peer\": [\"https://h/\", \"ann\", \"XDM+IYvj91+2wGZ2\"]}", ["XDM+IYvj91+2wGZ2"]),
        // Nesting.
        (
            "a.json", "{\"app_key\": {\"key\": \"11906DD532A60BA2D2DE7825CF8FFC06\"}}",
            ["11906DD532A60BA2D2DE7825CF8FFC06"]
        ),
        ("a.yaml", "api:\n  key: 4AA28F01E9BAA628ADAE1E98CFA9FD51\n", ["4AA28F01E9BAA628ADAE1E98CFA9FD51"]),
        ("a.json", "{\"RegisteredUsers\": {\"ann\": \"Thorax2024\"}}", ["Thorax2024"]),
        ("a.lua", "local PARTNER_KEYS = {\n [\"x\"] = \"vn3ahrza8h9cbz4mn508qv7u\",\n}", ["vn3ahrza8h9cbz4mn508qv7u"]),
        // Other formats and languages.
        ("a.xml", "<w:Password Type=\"x#Text\">Dm1tTDPU</w:Password>", ["Dm1tTDPU"]),
        ("a.sql", "INSERT INTO `conf` VALUES ('smtp_pass','Reck+Barren79');", ["Reck+Barren79"]),
        (
            "a.sql", "CREATE TABLE u (id int, passwort text);\nINSERT INTO u VALUES (1,'Reck+Barren79');",
            ["Reck+Barren79"]
        ),
        ("a.R", "rc_token <- \"A9F634B6F169E2A09081D87788CFEA1D\"", ["A9F634B6F169E2A09081D87788CFEA1D"]),
        ("a.dart", "const adminToken = kDebug ? 'wk-adm-9b455d8ba79e6691' : '';", ["wk-adm-9b455d8ba79e6691"]),
        ("a.tcl", "set wetter(apikey) \"34a37e4f3160e68fe491cd54380605b6\"", ["34a37e4f3160e68fe491cd54380605b6"]),
        ("a.lua", "redis:auth(\"nQ0%upyY#FeLMHbWO\")", ["nQ0%upyY#FeLMHbWO"]),
        ("a.tcl", "putserv \"PRIVMSG NickServ :IDENTIFY bot teich-4711-quak\"", ["teich-4711-quak"]),
        ("a.rst", "   * - Host\n     - Password\n   * - db\n     - View3r-St4ging\n", ["View3r-St4ging"]),
        ("a.txt", "Host     User    Password\ndb1      root    Cassoulet9\n", ["Cassoulet9"]),
    ]) func `secrets are found by what their place means`(_ path: String, _ text: String, _ values: [String]) throws {
        #expect(try ProseTests.values(text, path) == values)
    }

    @Test func `a key as an array of bytes is found`() throws {
        let bytes = "0x3b, 0xe1, 0x90, 0x5c, 0x07, 0xda, 0x44, 0x12, 0xf8, 0x6e, 0xb3, 0x29, 0x81, 0xcd, 0x5a, 0x60"
        #expect(try ProseTests.values("static const uint8_t psk[16] = { \(bytes) };", "a.c") == [bytes])
        #expect(try ProseTests.values("static const uint8_t sbox[16] = { \(bytes) };", "a.c").isEmpty)
    }

    @Test(arguments: [
        ("a.txt", "E-imza: PIN kimseyle paylaşılmaz"), ("a.txt", "PIN: 4 to 8 digits, 12345-digit codes"),
        ("a.txt", "Use TCP / UDP, Linux / Windows11 and mp3 / ogg."), ("a.txt", "Model: Galaxy / SM-G991B"),
        ("a.txt", "error code 40412 was returned"), ("a.txt", "password: ask the admin who has it"),
        ("a.txt", "пароль: спросить у него же"), ("a.txt", "NIP 8914029398, code 4408"),
        ("a.md", "Test vector from RFC 4231: key `0b0b0b0b` → `b0344c61d8db38535ca8afceaf0bf12b881dc200`"),
        ("a.patch", "Subject: move the password\n\nChange-Id: I250e4fc675e15b709c62e269d5308a2bb44d20ae\n"),
        ("a.yaml", "# Beispiel aus der Doku:\n# cam: rtsp://rtsp:12345678@192.168.1.123/av\n"),
        ("a.yaml", "example:\n  refresh_token: def50200aB3xY7\n"), ("a.json", "{\"password\": \"Passwort\"}"),
        ("a.js", "fetch(u, {credentials: 'include'}); const password = 'string';"),
        ("a.js", "const authKeys = [\"ArrowUp\", \"ArrowDown\"];"), ("a.js", "auth: \"localhost:8080\""),
        ("a.md", "see https://h/hooks/pre-commit and https://h/announce"),
        ("a.yaml", "url: ssh://git@h/x\nother: https://user1@h/"),
        ("a.json", "{\"cache\": {\"key\": \"a9f634b6f169e2a09081d877\"}}"),
        ("a.xml", "<Password Type=\"x\"/>"), ("a.sql", "INSERT INTO `conf` VALUES ('pw_min_laenge','8');"),
        ("a.ts", "t = on ? 'password' : 'text'"), ("a.md", "Basic usage: Basic authentication is off"),
    ]) func `what only looks like them is left alone`(_ path: String, _ text: String) throws {
        #expect(try ProseTests.values(text, path) == [])
    }
}
