// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Guards
import Readers

/// What a guest gets of the network.
struct NetworkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The network: none; listed, the hosts of grants and --reach (default, if there are any); open, every public host.",
            valueName: "none|listed|open"))
    var net: String?

    @Option(
        help: ArgumentHelp(
            "A variable with a placeholder for the secret of an item that is granted for use. It is set inside: put arguments that name it in single quotes, after sh -c. May be repeated.",
            valueName: "var=service/account"))
    var env: [String] = []

    @Option(
        help: ArgumentHelp(
            "A variable with an address of plain HTTP inside, to which the guard adds TLS and the secret; or of PostgreSQL, with postgres:// before the host. May be repeated.",
            valueName: "var=service/account@host[/path]"))
    var base: [String] = []

    @Option(
        help: ArgumentHelp(
            "A file of authorities that verify servers of databases, in place of the system's.", valueName: "file"),
        completion: .file())
    var databaseCa: String?

    @Option(
        help: ArgumentHelp(
            "A host that is reached without any secret, its TLS closed; with an address also one of your own network. May be repeated.",
            valueName: "host[:port][=address]"))
    var reach: [String] = []
}

/// How long, how often and by whose word a grant counts.
struct LimitOptions: ParsableArguments {
    @Flag(help: "Ask a person about each use, outside the boundary.")
    var ask = false

    @Option(
        help: ArgumentHelp(
            "The most uses in each run: 100/h, 5/m, 1/s, 1000/d, or 3/run for all of a run.", valueName: "number/time"))
    var limit: String?

    @Option(
        help: ArgumentHelp("When the grant ends: 2027-01-31, or 2027-01-31T12:00:00Z.", valueName: "when"))
    var until: ExpiryWord?

    @Option(
        name: .customLong("for"), help: ArgumentHelp("The grant ends after this time: 8h, 30m, 7d.", valueName: "time"))
    var duration: DurationWord?

    /// Errors: wrong usage.
    func limits() throws -> GrantLimits {
        guard until == nil || duration == nil else { throw CommandFailure.usage("--until and --for say the same") }
        var rate: GrantLimits.Rate?
        if let limit {
            rate = GrantLimits.Rate(word: limit)
            guard rate != nil else {
                throw CommandFailure.usage(
                    "--limit takes a number of 1 to 10000 and s, m, h, d or run, as 100/h, not \(limit.printable)")
            }
        }
        let end = until?.date ?? duration.map { Date() + Double($0.duration.components.seconds) }
        guard end.map({ $0 > Date() }) ?? true else { throw CommandFailure.usage("--until is over already") }
        return GrantLimits(asks: ask, end: end.map { Int64($0.timeIntervalSince1970) }, rate: rate)
    }
}

/// What a grant for use says.
struct UseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The item that may be used.", valueName: "service/account"), completion: Completions.names)
    var item: String?

    @Flag(help: "Use its secret in requests to a host, without holding it.")
    var use = false

    @Option(
        help: ArgumentHelp(
            "The server: by TLS; plainly with http:// before it; of PostgreSQL with postgres://.",
            valueName: "host[:port]"))
    var host: String?

    @Option(
        help: ArgumentHelp(
            "The address at which the server is, in place of those of its name; also of your own network.",
            valueName: "address"))
    var at: String?

    @Option(help: ArgumentHelp("A method (default: any). May be repeated.", valueName: "method"))
    var method: [String] = []

    @Option(
        help: ArgumentHelp(
            "A path: * is any text without a slash, ** any text (default: any path). May be repeated.",
            valueName: "pattern"))
    var path: [String] = []

    @Option(help: ArgumentHelp("The header that has the secret (default: Authorization).", valueName: "name"))
    var header: String?

    @Flag(help: "The secret is the password of Basic authentication.")
    var basicPassword = false

    @Flag(help: "The secret is the user of Basic authentication.")
    var basicUser = false

    @Option(help: ArgumentHelp("The parameter of the query that has the secret.", valueName: "name"))
    var query: String?

    @Option(
        help: ArgumentHelp(
            "With postgres://: the role whose password the secret is (default: the item's account).", valueName: "role")
    )
    var role: String?

    @Option(
        help: ArgumentHelp(
            "With postgres://: a database, also with * for any text (default: any). May be repeated.",
            valueName: "database"))
    var database: [String] = []

    @Option(
        help: ArgumentHelp(
            "What a placeholder begins with (default: as the secret, if its form is known).", valueName: "prefix"))
    var shape: String?
}
