// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

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
