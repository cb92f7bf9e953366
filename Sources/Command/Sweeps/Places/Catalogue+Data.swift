// SPDX-License-Identifier: Apache-2.0

import SecretMemory

extension Catalogue {
    /// Databases.
    static let databases: [Place] = [
        // https://www.postgresql.org/docs/current/libpq-pgpass.html
        Place(
            "pgpass", program: "PostgreSQL", files: [".pgpass"], variables: [("PGPASSFILE", "")],
            names: [".pgpass", "pgpass.conf"],
            move: .environment(name: "PGPASSWORD"), fields: PgpassText.fields,
            [Pick("*", "*", "*", "*", name: "password", service: "$1", account: "$4")]),
        // https://www.postgresql.org/docs/current/libpq-pgservice.html
        Place(
            "pgservice", program: "PostgreSQL", files: [".pg_service.conf"], variables: [("PGSERVICEFILE", "")],
            names: [".pg_service.conf", "pg_service.conf"], move: .environment(name: "PGPASSWORD"), format: .ini,
            [Pick("*", "password", name: "password", account: "$1")]),
        // https://dev.mysql.com/doc/refman/8.4/en/option-files.html
        Place(
            "mysql", program: "MySQL and MariaDB", files: [".my.cnf", ".mariadb.cnf"], names: [".my.cnf", "my.cnf"],
            move: .environment(name: "MYSQL_PWD"), format: .git,
            [Pick("*", "*password", name: "password", account: "$1")]),
        // https://dev.mysql.com/doc/refman/8.4/en/mysql-config-editor.html
        Place(
            "mylogin", program: "MySQL's login path", files: [".mylogin.cnf"], names: [".mylogin.cnf"],
            move: .clearOnly(reason: "the file is obfuscated with a key that it contains: it reads like clear text")
        ) { bytes, path in
            // Four bytes, the key of 20 bytes, then lines under AES with this key.
            guard bytes.count > 28, bytes.starts(with: [0, 0, 0, 0]) else { return [] }
            return [
                ClearSecret(
                    rule: Rule(.place, "mylogin/key", issuer: "MySQL's login path"), path: path, line: 1, range: 4..<24,
                    secret: try Secret(copying: bytes[4..<24]), service: "mylogin")
            ]
        },
        // https://docs.influxdata.com/influxdb/v2/reference/cli/influx/config/
        Place(
            "influx", program: "InfluxDB", files: [".influxdbv2/configs"], move: .environment(name: "INFLUX_TOKEN"),
            format: .toml, [Pick("*", "token", name: "token", account: "$1")]),
        // https://cassandra.apache.org/doc/latest/cassandra/managing/tools/cqlsh.html
        Place(
            "cqlsh", program: "Cassandra", files: [".cassandra/cqlshrc", ".cassandra/credentials"], names: ["cqlshrc"],
            move: .clearOnly(reason: "cqlsh reads it in clear, or asks"), format: .ini,
            [Pick("*", "password", name: "password")]),
        // https://clickhouse.com/docs/interfaces/cli#configuration_files
        Place(
            "clickhouse", program: "ClickHouse", files: [".clickhouse-client/config.xml"],
            move: .environment(name: "CLICKHOUSE_PASSWORD"), format: .xml, [Pick("**", "password", name: "password")]),
        // https://www.unixodbc.org/odbcinst.html
        Place(
            "odbc", program: "unixODBC", files: [".odbc.ini"], names: [".odbc.ini", "odbc.ini"],
            move: .clearOnly(reason: "a driver reads it in clear; give the password in the connection string"),
            format: .ini,
            [Pick("*", "password", name: "password", account: "$1"), Pick("*", "pwd", name: "password", account: "$1")]),
        // https://github.com/dbeaver/dbeaver/wiki/Admin-Manage-Connections
        Place(
            "smb", program: "Samba and mount.cifs", files: [".smbcredentials", ".smb/credentials", ".credentials/smb"],
            names: [".smbcredentials", ".smbcred", "smbcredentials"],
            move: .clearOnly(reason: "mount.cifs reads it in clear"),
            format: .environment, [Pick("password", name: "password"), Pick("pass", name: "password")]),
    ]

    /// Mail.
    static let mail: [Place] = [
        // https://marlam.de/msmtp/msmtp.html
        Place(
            "msmtp", program: "msmtp and mpop",
            files: [".msmtprc", ".config/msmtp/config", ".mpoprc", ".config/mpop/config"],
            names: [".msmtprc", "msmtprc", ".mpoprc"],
            move: .command(key: "password", template: "passwordeval \"$COMMAND\""),
            format: .words, [Pick("*", "password", name: "password")]),
        // https://isync.sourceforge.io/mbsync.html
        Place(
            "mbsync", program: "mbsync", files: [".mbsyncrc", ".config/isyncrc"], names: [".mbsyncrc", "isyncrc"],
            move: .command(key: "Pass", template: "PassCmd \"$COMMAND\""), format: .words,
            [Pick("*", "Pass", name: "pass")]),
        // https://www.offlineimap.org/doc/
        Place(
            "offlineimap", program: "OfflineIMAP", files: [".offlineimaprc", ".config/offlineimap/config"],
            names: [".offlineimaprc", "offlineimaprc"],
            move: .command(
                key: "remotepass",
                template:
                    "remotepasseval = __import__(\"subprocess\").check_output(\"$COMMAND\".split()).decode().rstrip(\"\\n\")"
            ),
            format: .ini,
            [
                Pick("*", "*pass", name: "password", account: "$1"),
                Pick("*", "*client_secret", name: "clientSecret", account: "$1"),
                Pick("*", "*refresh_token", name: "refreshToken", account: "$1"),
                Pick("*", "*access_token", name: "accessToken", account: "$1"),
            ]),
        // http://www.mutt.org/doc/manual/
        Place(
            "mutt", program: "Mutt and NeoMutt",
            files: [
                ".muttrc", ".mutt/muttrc", ".config/mutt/muttrc", ".neomuttrc", ".config/neomutt/neomuttrc",
                ".config/neomutt/account*", ".mutt/account*",
            ],
            names: [".muttrc", "muttrc", "neomuttrc"], move: .command(key: "$KEY", template: "set $KEY=\"`$COMMAND`\""),
            format: .environment,
            [Pick("*_pass", name: "pass", account: "$1"), Pick("*", name: "url", as: .url)]),
        // https://www.fetchmail.info/fetchmail-man.html
        Place(
            "fetchmail", program: "fetchmail", files: [".fetchmailrc"], names: [".fetchmailrc", "fetchmailrc"],
            move: .filled(start: "zamok inject -i $FILE | fetchmail -f -"), fields: WordText.pairs,
            [Pick("password", name: "password"), Pick("pass", name: "password")]),
        // https://getmail6.org/configuration.html
        Place(
            "getmail", program: "getmail", files: [".getmail/getmailrc", ".config/getmail/getmailrc", ".getmail/*"],
            names: ["getmailrc"],
            move: .command(key: "password", template: "password_command = (\"zamok\", \"get\", \"$ITEM\")"),
            format: .ini,
            [Pick("*", "password", name: "password")]),
        // https://vdirsyncer.pimutils.org/en/stable/config.html
        Place(
            "vdirsyncer", program: "vdirsyncer", files: [".vdirsyncer/config", ".config/vdirsyncer/config"],
            move: .command(key: "password", template: "password.fetch = [\"command\", \"zamok\", \"get\", \"$ITEM\"]"),
            format: .ini,
            [
                Pick("*", "password", name: "password", account: "$1"),
                Pick("*", "client_secret", name: "clientSecret", account: "$1"),
            ]),
        // https://github.com/lefcha/imapfilter
        Place(
            "imapfilter", program: "imapfilter", files: [".imapfilter/config.lua", ".config/imapfilter/config.lua"],
            move: .command(
                key: "password", template: "password = io.popen(\"$COMMAND\"):read(\"*a\"):gsub(\"\\n$\", \"\"),"),
            format: .environment, [Pick("password", name: "password")]),
        // https://man.sr.ht/~rjarry/aerc/
        Place(
            "aerc", program: "aerc", files: [".config/aerc/accounts.conf"], names: ["aerc/accounts.conf"],
            move: .clearOnly(reason: "remove the password from the address, and set source-cred-cmd = zamok get NAME"),
            format: .ini, [Pick("*", "*", name: "url", as: .url)]),
        // https://pimalaya.org/himalaya/
        Place(
            "himalaya", program: "Himalaya", files: [".config/himalaya/config.toml", ".himalayarc"],
            move: .command(key: "raw", template: "cmd = \"$COMMAND\""), format: .toml,
            [Pick("**", "raw", name: "password")]),
        // https://github.com/neomutt/neomutt: other senders of mail
        Place(
            "ssmtp", program: "sSMTP and esmtp", files: [".esmtprc", ".ssmtprc"], names: ["ssmtp.conf", ".esmtprc"],
            move: .clearOnly(reason: "it reads clear text only; msmtp takes a command"), format: .words,
            [Pick("*", "AuthPass", name: "password"), Pick("*", "password", name: "password")]),
    ]

    /// Programs that transfer files, chat, or reach networks.
    static let networks: [Place] = transfers + chats + interfaces

    private static let transfers: [Place] = [
        // https://curl.se/docs/manpage.html#-K
        Place(
            "curl", program: "curl", files: [".curlrc", ".config/curlrc"], variables: [("CURL_HOME", ".curlrc")],
            names: [".curlrc", "_curlrc", "curlrc"], move: .filled(start: "curl -q -K <(zamok inject -i $FILE)"),
            format: .words,
            [
                Pick("*", "*user", name: "user", as: .afterColon), Pick("*", "-u", name: "user", as: .afterColon),
                Pick("*", "-U", name: "user", as: .afterColon),
                Pick("*", "*oauth2-bearer", name: "bearer"), Pick("*", "*pass", name: "pass"),
                Pick("*", "*tlspassword", name: "tlspassword"), Pick("*", "*url", name: "url", as: .url),
                Pick("*", "*proxy", name: "proxy", as: .url), Pick("*", "-x", name: "proxy", as: .url),
                Pick("*", "*header", name: "header", as: .secretHeader),
                Pick("*", "-H", name: "header", as: .secretHeader),
            ]),
        // https://www.gnu.org/software/wget/manual/html_node/Wgetrc-Commands.html
        Place(
            "wget", program: "wget", files: [".wgetrc", ".config/wget/wgetrc", ".wget2rc"], variables: [("WGETRC", "")],
            names: [".wgetrc", "wgetrc"], move: .clearOnly(reason: "wget reads it from a regular file alone"),
            format: .words,
            [
                Pick("*", "*password", name: "password"), Pick("*", "*passwd", name: "password"),
                Pick("*", "header", name: "header", as: .secretHeader), Pick("*", "*proxy", name: "proxy", as: .url),
            ]),
        // https://lftp.yar.ru/lftp-man.html
        Place(
            "lftp", program: "lftp",
            files: [".local/share/lftp/bookmarks", ".lftp/bookmarks", ".lftprc", ".config/lftp/rc"],
            names: [".lftprc"], move: .clearOnly(reason: "lftp reads it in clear; it takes passwords from .netrc, too"),
            fields: LineText.whole, [Pick("line", name: "bookmark", as: .url)]),
        // https://filezillapro.com/docs/v3/advanced/configuration-files/
        Place(
            "filezilla", program: "FileZilla",
            files: [
                ".config/filezilla/sitemanager.xml", ".config/filezilla/recentservers.xml",
                ".filezilla/sitemanager.xml",
                ".filezilla/recentservers.xml", ".config/filezilla/filezilla.xml",
            ], names: ["sitemanager.xml", "recentservers.xml"],
            move: .clearOnly(reason: "set a master password in FileZilla's settings, or let it ask"),
            fields: XMLText.withEncodings,
            [Pick("**", "Pass", name: "pass"), Pick("**", "Pass", "base64", name: "pass", as: .is(.base64))]),
        // https://aria2.github.io/manual/en/html/aria2c.html
        Place(
            "aria2", program: "aria2", files: [".aria2/aria2.conf", ".config/aria2/aria2.conf"], names: ["aria2.conf"],
            move: .clearOnly(reason: "aria2 reads it in clear"), format: .environment,
            [
                Pick("*passwd", name: "password"), Pick("rpc-secret", name: "secret"),
                Pick("*proxy", name: "proxy", as: .url),
            ]),
        // https://docs.syncthing.net/users/config.html
        Place(
            "syncthing", program: "Syncthing",
            files: [".config/syncthing/config.xml", ".local/state/syncthing/config.xml"],
            move: .clearOnly(reason: "Syncthing reads its own key in clear"), format: .xml,
            [
                Pick("configuration", "gui", "apikey", name: "apiKey"),
                Pick("configuration", "ldap", "*password", name: "password"),
            ]),
        // https://remmina.org/
        Place(
            "remmina", program: "Remmina", files: [".local/share/remmina/*.remmina", ".remmina/*.remmina"],
            move: .clearOnly(
                reason: "the password is obfuscated with a key of Remmina's own file; it can use the keyring"),
            format: .ini, [Pick("*", "*password", name: "password")]),
    ]

    private static let chats: [Place] = [
        // https://irssi.org/documentation/settings/
        Place(
            "irssi", program: "irssi", files: [".irssi/config"], names: [".irssi/config"],
            move: .clearOnly(reason: "irssi reads clear text only"), fields: WordText.assignments,
            [Pick("*password", name: "password"), Pick("autosendcmd", name: "nickserv", as: .lastWord)]),
        // https://weechat.org/files/doc/stable/weechat_user.en.html
        Place(
            "weechat", program: "WeeChat", files: [".weechat/*.conf", ".config/weechat/*.conf"],
            names: ["weechat/irc.conf", "weechat/plugins.conf", "weechat/sec.conf"],
            move: .variable(template: "${env:$NAME}"), format: .ini,
            [
                Pick("*", "*password", name: "password", account: "$2"), Pick("*", "*_token*", name: "token"),
                Pick("data", "*", name: "secured", account: "$1"),
                Pick("*", "*.command", name: "nickserv", as: .identify),
            ]),
        // https://hexchat.readthedocs.io/
        Place(
            "hexchat", program: "HexChat", files: [".config/hexchat/servlist.conf"], names: ["servlist.conf"],
            move: .clearOnly(reason: "HexChat reads clear text only"), format: .environment,
            [Pick("P", name: "password")]),
        // https://developer.pidgin.im/wiki/PlainTextPasswords
        Place(
            "pidgin", program: "Pidgin and Finch", files: [".purple/accounts.xml"], names: [".purple/accounts.xml"],
            move: .clearOnly(reason: "Pidgin reads clear text only; without a stored password it asks"), format: .xml,
            [Pick("**", "password", name: "password")]),
        // https://profanity-im.github.io/
        Place(
            "profanity", program: "Profanity", files: [".local/share/profanity/accounts"],
            move: .command(key: "password", template: "eval_password=$COMMAND"), format: .ini,
            [Pick("*", "password", name: "password", account: "$1")]),
        // https://toot.bezdomni.net/
        Place(
            "toot", program: "toot", files: [".config/toot/config.json"],
            move: .clearOnly(reason: "toot stores it itself; toot logout removes it"),
            format: .json,
            [
                Pick("users", "*", "access_token", name: "token", account: "$1"),
                Pick("apps", "*", "client_secret", name: "clientSecret", account: "$1"),
            ]),
        // https://docs.spotifyd.rs/configuration/
        Place(
            "spotifyd", program: "spotifyd", files: [".config/spotifyd/spotifyd.conf"],
            move: .command(key: "password", template: "password_cmd = \"$COMMAND\""),
            format: .toml, [Pick("**", "password", name: "password")]),
        // https://newsboat.org/releases/2.38/docs/newsboat.html
        Place(
            "newsboat", program: "Newsboat", files: [".newsboat/config", ".config/newsboat/config"],
            move: .command(key: "$KEY", template: "$KEYeval \"$COMMAND\""), format: .words,
            [Pick("*", "*-password", name: "password")]),
    ]

    private static let interfaces: [Place] = [
        // https://w1.fi/cgit/hostap/plain/wpa_supplicant/wpa_supplicant.conf
        Place(
            "wpa", program: "wpa_supplicant", files: ["wpa_supplicant.conf"], names: ["wpa_supplicant*.conf"],
            move: .clearOnly(reason: "wpa_supplicant reads it in clear; ext:NAME takes it from elsewhere"),
            format: .environment,
            [
                Pick("psk", name: "psk"), Pick("password", name: "password"), Pick("*passwd", name: "password"),
                Pick("sae_password", name: "password"), Pick("wep_key*", name: "wepKey"),
            ]),
        // https://networkmanager.dev/docs/api/latest/nm-settings-keyfile.html
        Place(
            "networkmanager", program: "NetworkManager", files: [], names: ["*.nmconnection"],
            move: .clearOnly(reason: "NetworkManager reads it in clear; psk-flags=1 leaves it to the user's keyring"),
            format: .ini,
            [
                Pick("*", "psk", name: "psk"), Pick("*", "*password", name: "password"),
                Pick("*", "wep-key*", name: "wepKey"),
                Pick("vpn-secrets", "*", name: "secret", account: "$1"), Pick("*", "*private-key", name: "privateKey"),
                Pick("*", "preshared-key", name: "presharedKey"),
            ]),
        // https://man7.org/linux/man-pages/man8/wg.8.html
        Place(
            "wireguard", program: "WireGuard", files: [], names: ["wg*.conf", "wireguard/*.conf"],
            move: .clearOnly(
                reason: "wg reads it in clear; PostUp = wg set %i private-key <(zamok get NAME) takes it from elsewhere"
            ),
            format: .ini,
            [Pick("*", "PrivateKey", name: "privateKey"), Pick("*", "PresharedKey", name: "presharedKey")]),
    ]
}
