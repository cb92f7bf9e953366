// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import DataProtection
import Foundation
import Keychains
import Readers
import SecretMemory

/// `zamok credential`
struct CredentialCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credential",
        abstract: "Serve git, docker, cargo, age, ssh, systemd and the AWS tools with secrets of the keychain.",
        discussion: """
            Links to this program do the same under the names that those programs look for: git-credential-zamok, docker-credential-zamok, \
            cargo-credential-zamok, age-plugin-zamok, zamok-askpass. A locked keychain is reported in the words of each, so that the caller stops: never "not found", and nothing is \
            erased that could not be read. There is no prompt to unlock; a passcode comes from $ZAMOK_PASSCODE_FILE, the user from $ZAMOK_USER.

            EXAMPLES:
              zamok setup git
              zamok setup docker
              ln -s "$(command -v zamok)" ~/.local/bin/git-credential-zamok
              CARGO_REGISTRY_GLOBAL_CREDENTIAL_PROVIDERS=cargo-credential-zamok cargo login
              aws configure set credential_process "zamok credential aws work"
            """.replacingOccurrences(of: "\\\n", with: ""),
        subcommands: [
            CredentialGit.self, CredentialDocker.self, CredentialCargo.self, CredentialAWS.self, CredentialAge.self,
            CredentialAskPass.self, CredentialSystemd.self,
        ]
    )
}

/// `zamok credential git`
struct CredentialGit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "git",
        abstract: "A credential helper of git.",
        discussion: """
            get, store and erase, as gitcredentials(7) has them. Passwords are internet passwords: those that were added with zamok keychain add \
            --server are found too. Passwords and OAuth tokens are kept with their time of expiry. Locked: git is told to quit (status 36).

            EXAMPLES:
              git config --global credential.helper '!zamok credential git'
              printf 'protocol=https\\nhost=example.com\\n\\n' | zamok credential git get
            """)

    @Argument(help: "get, store or erase.", completion: .list(["get", "store", "erase"]))
    var operation: String

    func run() throws { try CredentialHelpers.git(operation) }
}

/// `zamok credential docker`
struct CredentialDocker: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docker",
        abstract: "A credential helper of docker.",
        discussion: """
            get, store, erase, list and version, by the protocol of docker-credential-helpers; docker looks for it under the name docker-credential-zamok.

            EXAMPLES:
              echo https://registry.example.com | zamok credential docker get
              zamok credential docker list
            """)

    @Argument(
        help: "get, store, erase, list or version.", completion: .list(["get", "store", "erase", "list", "version"]))
    var operation: String

    func run() throws { try CredentialHelpers.docker(operation) }
}

/// `zamok credential cargo`
struct CredentialCargo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cargo",
        abstract: "A credential provider of cargo.",
        discussion: """
            Protocol 1: one JSON object a line, on standard input and output. cargo looks for it under the name cargo-credential-zamok.

            EXAMPLES:
              CARGO_REGISTRY_GLOBAL_CREDENTIAL_PROVIDERS=cargo-credential-zamok cargo login
              CARGO_REGISTRY_GLOBAL_CREDENTIAL_PROVIDERS="zamok credential cargo" cargo publish
            """)

    @Flag(name: .customLong("cargo-plugin"), help: "What cargo says.")
    var plugin = false

    func run() throws { try CredentialHelpers.cargo() }
}

/// `zamok credential aws`
struct CredentialAWS: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aws",
        abstract: "A credential_process of the AWS tools.",
        discussion: """
            The account of the item is the access key's identifier, its secret the secret access key. A secret that is a JSON object gives \
            AccessKeyId, SecretAccessKey, SessionToken and Expiration itself.

            EXAMPLES:
              printf %s "$SECRET_KEY" | zamok set work/AKIAIOSFODNN7EXAMPLE
              aws configure set credential_process "zamok credential aws work"
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "The service of the item.", completion: Completions.services)
    var service: String

    @Argument(help: "The access key's identifier, where there are several.", completion: Completions.accounts)
    var account: String?

    func run() throws {
        let keychain = try ChosenHome.keychain(global.reading)
        try CredentialHelpers.say(try AWSHelper(keychain).answer(service: service, account: account))
    }
}

/// The protocols of other programs, on standard input and output.
enum CredentialHelpers {
    /// The maximum size of a request in bytes.
    private static let limit = 1 << 20

    /// Translates the arguments by the name that the program was called with. Under a credential helper's name they run
    /// that helper, and no other command.
    static func words(_ program: String, _ words: [String]) -> [String] {
        let suffix = "-credential-zamok"
        switch program {
        case "age-plugin-zamok": return ["credential", "age"] + words
        case "zamok-askpass": return ["credential", "askpass"] + words
        case "security": return ["security"] + words
        default: break
        }
        // Some programs start the target of a link under the target's name. Their arguments still identify a helper.
        if let first = words.first {
            if first.hasPrefix("--age-plugin") { return ["credential", "age"] + words }
            if first == "--cargo-plugin" { return ["credential", "cargo"] + words }
        }
        return program.hasSuffix(suffix) ? ["credential", String(program.dropLast(suffix.count))] + words : words
    }

    /// The interface that the access log records for these arguments.
    ///
    /// Each name is written out: to ask an enumeration for the names of its cases is a quarter of a helper's start.
    static func accessSource(_ words: [String]) -> AccessSource {
        switch words.first {
        case "credential":
            switch words.dropFirst().first {
            case "git": .git
            case "docker": .docker
            case "cargo": .cargo
            case "aws": .aws
            case "age": .age
            case "askpass": .askpass
            case "systemd": .systemd
            default: .command
            }
        case "agent": .agent
        case "p11": .token
        case "run", "inject": .run
        default: .command
        }
    }

    /// Runs the credential helper named by plain arguments, without the general parser. Returns false if they
    /// name none.
    static func run(_ words: [String]) throws -> Bool {
        let plain = Array(words.dropFirst())
        guard words.first == "credential", plain.count == 2 else { return false }
        switch (plain[0], plain[1]) {
        case ("git", let operation) where !operation.hasPrefix("-"): try git(operation)
        case ("docker", let operation) where !operation.hasPrefix("-"): try docker(operation)
        case ("cargo", "--cargo-plugin"): try cargo()
        default: return false
        }
        return true
    }

    static func git(_ operation: String) throws {
        // A helper must ignore unknown operations (gitcredentials(7)).
        guard ["get", "store", "erase"].contains(operation) else { return }
        let request = try GitRequest(try input())
        if operation == "store", let reason = try GitHelper.reasonNotToStore(request) {
            return try Channel.error.line("zamok: the password is not kept: \(reason)")
        }
        do {
            let home = try ChosenHome.openUnlocked(
                HomeChoice(makesHome: operation == "store" && GitHelper.stores(request)))
            if operation == "erase" { try requireUnlocked(home) }
            guard let helper = try GitHelper(Keychain(home: home), request) else { return }
            switch operation {
            case "get": try say(try helper.get(now: Int(Date().timeIntervalSince1970)))
            case "store": try helper.store()
            default: try say(try helper.erase())
            }
        } catch let error as DataProtectionError where error.code == .noHome {
            return
        } catch {
            // On `quit=1` git stops: it doesn't prompt the user, store or erase anything.
            if operation == "get" { try Channel.output.line("quit=1") }
            throw error
        }
    }

    static func docker(_ operation: String) throws {
        guard operation != "version" else {
            return try Channel.output.line("docker-credential-zamok (zamok) \(Version.number)")
        }
        let given = operation == "list" ? try Secret(copying: []) : try input()
        try say(try answer(operation, given))
    }

    /// A failure is an answer too, because docker shows standard output.
    private static func answer(_ operation: String, _ given: Secret) throws -> HelperAnswer {
        if let refusal = try DockerHelper.refusal(operation, given) { return refusal }
        do {
            let choice = HomeChoice(makesHome: operation == "store")
            return try DockerHelper(opened(choice, erasing: operation == "erase")).answer(operation, given)
        } catch let error as DataProtectionError where error.code == .noHome {
            return try DockerHelper.absent(operation)
        } catch {
            guard let answer = try DockerHelper.failed(error) else { throw error }
            return answer
        }
    }

    static func cargo() throws {
        try Channel.output.write(Array(CargoHelper.hello.utf8))
        let helper = CargoHelper(
            { try opened(HomeChoice(makesHome: $0 == .storing), erasing: $0 == .erasing) },
            ask: { try Secret.readLine(prompt: "Token for \($0): ") })
        while let line = try StandardInput.line(atMost: limit) { try say(try helper.answer(line)) }
    }

    /// Opens the keychain. Errors: a `KeychainError`, or another error whose message a credential helper can pass on.
    static func opened(_ choice: HomeChoice, erasing: Bool = false) throws -> Keychain {
        do {
            let home = try ChosenHome.openUnlocked(choice)
            if erasing { try requireUnlocked(home) }
            return Keychain(home: home)
        } catch let failure as CommandFailure {
            throw KeychainError(.parameter, failure.message ?? "the keychain can't be opened")
        }
    }

    /// Every erase fails while locked, even one that would find nothing. A program that erases under several names
    /// treats one success as success for all.
    private static func requireUnlocked(_ home: Home) throws {
        guard home.keybag.lockState != .unlocked else { return }
        throw KeychainError(.locked, "the keychain is locked, and nothing was erased; run: zamok unlock")
    }

    static func say(_ answer: HelperAnswer) throws {
        for part in answer.output { try Channel.output.write(part) }
        if let message = answer.message { try Channel.error.line("zamok: \(message)") }
        guard answer.status == 0 else { throw CommandFailure.silent(answer.status) }
    }

    private static func input() throws -> Secret {
        guard let input = try StandardInput.all(limit: limit) else {
            throw CommandFailure.usage("the request on standard input is larger than 1 MiB")
        }
        return input
    }
}
