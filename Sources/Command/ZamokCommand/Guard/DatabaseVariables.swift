// SPDX-License-Identifier: Apache-2.0

import Guards
import Readers

/// What tells programs inside how to connect to a database: an address in a variable, and what libpq reads.
enum DatabaseVariables {
    /// `path`: a slash and the name of the database; empty: that of the grant, if it names one alone. `known`:
    /// variables that are there already, of which those of libpq stay.
    static func all(
        _ name: String, _ port: Int, _ user: String, _ path: String, _ grant: UseGrant, _ known: [String: String]
    ) -> [String: String] {
        let granted = grant.paths.map(\.text).filter { !$0.contains("*") }
        let database = String((path.isEmpty && grant.paths.count == 1 ? granted.first ?? "" : path).dropFirst())
        let rest = database.isEmpty ? "" : encoded(database)
        var all = [name: "postgresql://\(encoded(user))@127.0.0.1:\(port)/\(rest)?sslmode=disable"]
        guard known["PGHOST"] == nil else { return all }
        all["PGHOST"] = "127.0.0.1"
        all["PGPORT"] = "\(port)"
        all["PGUSER"] = user
        if !database.isEmpty { all["PGDATABASE"] = database }
        (all["PGSSLMODE"], all["PGGSSENCMODE"]) = ("disable", "disable")
        return all
    }

    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = text.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): [byte]
            default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
