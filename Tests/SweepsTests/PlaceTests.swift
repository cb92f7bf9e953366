// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import Testing

@testable import Sweeps

@Suite struct PlaceTests {
    /// For each place a file as its program documents it, and the values in it.
    static let samples: [(String, String, [String])] = [
        (
            "npm",
            "//registry.npmjs.org/:_authToken=abc-123\n//r.example/:_password=c2VjcmV0LXB3\nalways-auth=true\n_auth=YW5uOnMzY3IzdA==\n",
            ["abc-123", "secret-pw", "s3cr3t"]
        ),
        (
            "yarn",
            "npmScopes:\n  x:\n    npmAuthToken: \"tok-1\"\nnpmAuthIdent: \"ann:pw-2\"\nnpmRegistryServer: \"https://r\"\n",
            ["tok-1", "pw-2"]
        ),
        (
            "pypi", "[distutils]\nindex-servers = pypi\n[pypi]\nusername = __token__\npassword = pypi-abc\n",
            ["pypi-abc"]
        ),
        ("pip", "[global]\nindex-url = https://ann:pw-1@pypi.example/simple\n", ["pw-1"]),
        (
            "netrc", "machine a.example\n  login ann\n  password \"p w\"\nmachine b login x password y1\n",
            ["p w", "y1"]
        ),
        ("git", "https://ann:p%40ss@github.com\nhttps://bob:pw2@git.example:8443\n", ["p@ss", "pw2"]),
        (
            "git-config",
            "[http \"https://x\"]\n\textraheader = Authorization: Basic YW5uOnMzY3IzdA==\n[remote \"origin\"]\n\turl = https://ann:tok1@h/r.git\n",
            ["s3cr3t", "tok1"]
        ),
        (
            "docker",
            "{\"auths\": {\"r.example\": {\"auth\": \"YW5uOnMzY3IzdA==\"}, \"i\": {\"identitytoken\": \"idt-1\"}}, \"credsStore\": \"x\"}",
            ["s3cr3t", "idt-1"]
        ),
        (
            "aws",
            "[default]\naws_access_key_id = AKIAQ\naws_secret_access_key = sek/ret+1\n[profile b]\nregion = x\naws_session_token=st-2\n",
            ["sek/ret+1", "st-2"]
        ),
        ("cargo", "[registry]\ntoken = \"t-1\"\n[registries.my]\ntoken = 't-2'\n", ["t-1", "t-2"]),
        ("gem", "---\n:rubygems_api_key: rubygems_abc\n:github: Bearer ghx\n", ["rubygems_abc", "ghx"]),
        (
            "bundle",
            "---\nBUNDLE_PATH: \"vendor/bundle\"\nBUNDLE_GEMS__EXAMPLE__COM: \"ann:pw-1\"\nBUNDLE_BUILD__X: \"--a:b\"\n",
            ["pw-1"]
        ),
        (
            "composer",
            "{\"http-basic\": {\"r\": {\"username\": \"a\", \"password\": \"pw-1\"}}, \"github-oauth\": {\"github.com\": \"tok-2\"}}",
            ["pw-1", "tok-2"]
        ),
        (
            "nuget",
            "<configuration><packageSourceCredentials><src><add key=\"Username\" value=\"u\"/><add key=\"ClearTextPassword\" value=\"pw-1\"/></src></packageSourceCredentials></configuration>",
            ["pw-1"]
        ),
        (
            "maven",
            "<settings><servers><server><id>a</id><password>pw&lt;1</password></server><server><password>{enc=}</password></server></servers></settings>",
            ["pw<1"]
        ),
        ("gradle", "org.gradle.jvmargs=-Xmx2g\nnexusPassword=pw-12345\nsigning.keyId=24875D73\n", ["pw-12345"]),
        (
            "gh",
            "github.com:\n    user: ann\n    oauth_token: gho_x\n    users:\n        ann:\n            oauth_token: gho_y\n",
            ["gho_x", "gho_y"]
        ),
        ("glab", "hosts:\n    gitlab.com:\n        token: glpat-x\n        api_protocol: https\n", ["glpat-x"]),
        ("hub", "github.com:\n- user: ann\n  oauth_token: tok-1\n  protocol: https\n", ["tok-1"]),
        ("pgpass", "# c\nlocalhost:5432:*:ann:p\\:w\n", ["p:w"]),
        ("pgservice", "[a]\nhost=h\npassword=pw-1\n", ["pw-1"]),
        ("mysql", "[client]\nuser=a\npassword=\"p w#1\"\n", ["p w#1"]),
        (
            "kube",
            "users:\n- name: ann\n  user:\n    token: tok-1\n    client-key-data: c2VjcmV0LXB3\n    client-certificate-data: LS0t\n",
            ["tok-1", "secret-pw"]
        ),
        (
            "rclone", "[a]\ntype = sftp\npass = obscured-1\ntoken = {\"access_token\":\"x\"}\nclient_secret = cs-1\n",
            ["obscured-1", "{\"access_token\":\"x\"}", "cs-1"]
        ),
        ("s3cmd", "[default]\naccess_key = AK\nsecret_key = sk-1\n", ["sk-1"]),
        ("mc", "{\"aliases\": {\"a\": {\"accessKey\": \"x\", \"secretKey\": \"sk-1\"}}}", ["sk-1"]),
        (
            "gcloud",
            "{\"client_id\": \"x\", \"client_secret\": \"cs\", \"refresh_token\": \"1//x\", \"type\": \"authorized_user\"}",
            ["cs", "1//x"]
        ),
        ("azure", "[{\"tokenType\": \"Bearer\", \"accessToken\": \"at\", \"refreshToken\": \"rt\"}]", ["at", "rt"]),
        ("terraform", "{\"credentials\": {\"app.terraform.io\": {\"token\": \"t.atlasv1.x\"}}}", ["t.atlasv1.x"]),
        ("tfvars", "region = \"x\"\ndb_password = \"pw-12345\"\n", ["pw-12345"]), ("vault", "hvs.abc\n", ["hvs.abc"]),
        ("doctl", "access-token: dop_1\nauth-contexts:\n  b: dop_2\ncontext: default\n", ["dop_1", "dop_2"]),
        ("msmtp", "account a\nhost h\nuser u\npassword \"p w\"\n", ["p w"]),
        ("mbsync", "IMAPAccount a\nUser u\nPass pw-1\n", ["pw-1"]),
        ("offlineimap", "[Repository R]\nremoteuser = a\nremotepass = pw-1\n", ["pw-1"]),
        ("mutt", "set imap_pass = \"pw-1\"\nset smtp_url=\"smtp://a:pw2@h/\"\n", ["pw-1", "pw2"]),
        ("fetchmail", "poll h protocol imap user \"a\" there with password \"pw-1\" is b here\n", ["pw-1"]),
        (
            "curl",
            "user = \"ann:pw-1\"\nheader = \"Authorization: Bearer tok-2\"\nheader = \"Accept: x\"\n--proxy-user b:pw3\n",
            ["pw-1", "tok-2", "pw3"]
        ), ("wget", "http_password = pw-1\ntries = 3\n", ["pw-1"]),
        (
            "filezilla",
            "<FileZilla3><Servers><Server><Host>h</Host><Pass encoding=\"base64\">c2VjcmV0LXB3</Pass></Server><Server><Pass>pl</Pass></Server></Servers></FileZilla3>",
            ["secret-pw", "pl"]
        ),
        ("irssi", "servers = ( { address = \"h\"; password = \"pw-1\"; } );\n", ["pw-1"]),
        ("weechat", "[server]\nlibera.sasl_password = \"pw-1\"\nlibera.nicks = \"x\"\n", ["pw-1"]),
        (
            "claude-desktop",
            "{\"mcpServers\": {\"g\": {\"command\": \"x\", \"env\": {\"GITHUB_TOKEN\": \"tok-1\", \"LOG\": \"debug\"}, \"headers\": {\"Authorization\": \"Bearer b-2\"}}}}",
            ["tok-1", "b-2"]
        ),
        ("codex", "[mcp_servers.x]\ncommand = \"y\"\nenv = { API_KEY = \"k-1\", MODE = \"a\" }\n", ["k-1"]),
        ("ngrok", "version: 2\nauthtoken: a-1\ntunnels:\n  w:\n    auth: \"u:pw2\"\n", ["a-1", "pw2"]),
        ("svn", "K 8\npasstype\nV 6\nsimple\nK 8\npassword\nV 4\npw-1\nEND\n", ["pw-1"]),
        ("ansible", "vault-pw-1\n", ["vault-pw-1"]), ("smb", "username=a\npassword=pw-1\n", ["pw-1"]),
        ("networkmanager", "[wifi-security]\npsk=pw-1\n", ["pw-1"]),
        ("wpa", "network={\n  ssid=\"x\"\n  psk=\"pw-1\"\n}\n", ["pw-1"]),
        ("davfs2", "https://h/ ann pw-1\n", ["pw-1"]),
        ("pidgin", "<account><account><protocol>p</protocol><password>pw-1</password></account></account>", ["pw-1"]),
    ]

    @Test(arguments: samples.map(\.0)) func `each place's file is read as its program reads it`(_ word: String) throws {
        let sample = try #require(Self.samples.first { $0.0 == word })
        let place = try #require(Catalogue.places.first { $0.word == word })
        let bytes = Array(sample.1.utf8)
        let found = try place.read(bytes, "/home/a/x")
        let values = try found.map { String(decoding: try [UInt8](exposing: $0.secret), as: UTF8.self) }
        #expect(values == sample.2)
        for secret in found {
            #expect(Array(secret.form.decoded(bytes[secret.range])) == (try [UInt8](exposing: secret.secret)))
            #expect(secret.line == bytes[..<secret.range.lowerBound].count { $0 == 0x0A } + 1)
        }
        // With CR LF the same.
        let returned = Array(sample.1.replacing("\n", with: "\r\n").utf8)
        let again = try place.read(returned, "x").map {
            String(decoding: try [UInt8](exposing: $0.secret), as: UTF8.self)
        }
        #expect(again == sample.2)
    }

    @Test(arguments: [
        "${TOKEN}", "<your-token>", "changeme", "xxxxxxxx", "$TOKEN", "{{ token }}", "%TOKEN%", "************",
    ]) func `what waits for a secret is none`(_ value: String) throws {
        let place = try #require(Catalogue.places.first { $0.word == "npm" })
        #expect(try place.read(Array("//r/:_authToken=\(value)\n".utf8), "x").isEmpty)
    }
}
