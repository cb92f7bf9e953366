// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Credentials

/// A home with a passcode, a bus of its own, and a provider.
final class SecretsScene {
    /// What the system must have.
    static let hasPrograms = ["/usr/bin/dbus-daemon", "/usr/bin/dbus-send", "/usr/bin/secret-tool"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    let stage: Stage
    let folder = "/tmp/zamok-bus-\(UUID().uuidString.prefix(8))"

    /// `options`: of the provider.
    init(_ options: String = "") throws {
        stage = try Stage()
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        stage.environment["ZAMOK_HOME"] = folder + "/home"
        stage.environment["D"] = folder
        stage.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(folder)/bus"
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" \
            "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>session</type><listen>unix:path=\(folder)/bus</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            <allow own="*"/></policy></busconfig>
            """
        for (name, text) in [("bus.conf", configuration), ("passcode", "tall-grass")] {
            #expect(
                FileManager.default.createFile(
                    atPath: "\(folder)/\(name)", contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
        }
        try expect(
            "dbus-daemon --config-file=$D/bus.conf --fork --print-pid > $D/bus.pid 2> $D/bus.log; zamok passcode set --passcode-file $D/passcode 2> log",
            "")
        try start(options)
    }

    /// Starts a provider and waits until it has the name.
    func start(_ options: String = "", _ name: String = "provider") throws {
        try expect(
            "zamok secrets \(options) > $D/\(name).out 2> $D/\(name).log < /dev/null & echo $! > $D/\(name).pid", ""
        )
        try expect("\(Self.waits) $(cat $D/\(name).pid)", "")
    }

    /// Ends the provider, and starts another one, whose prompts are answered by a program of these commands. `$D`: the
    /// scene's folder.
    func restart(asking commands: String) throws {
        let path = folder + "/ask"
        let script = "#!/bin/sh\n" + commands.replacingOccurrences(of: "$D", with: folder) + "\n"
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data(script.utf8), attributes: [.posixPermissions: 0o700]))
        try expect(
            "kill $(cat $D/provider.pid); while kill -0 $(cat $D/provider.pid) 2> log; do sleep 0.05; done", "")
        stage.environment["SSH_ASKPASS"] = path
        stage.environment["SSH_ASKPASS_REQUIRE"] = "force"
        try start()
    }

    /// Until the process of that number owns the name; at most 20 s.
    private static let waits = """
        w() { for i in $(seq 200); do dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus /org/freedesktop/DBus \
        org.freedesktop.DBus.GetConnectionUnixProcessID string:org.freedesktop.secrets 2> log | grep -qw "$1" && return 0; sleep 0.1; done; echo "no provider"; }; w
        """

    deinit {
        _ = try? stage.run("for f in $D/*.pid; do kill $(cat $f) 2> log; done")
        try? FileManager.default.removeItem(atPath: folder)
    }

    func expect(_ line: String, _ text: String, status: Int32 = 0) throws {
        try stage.expect(line, text, status: status)
    }

    func expect(_ line: String, containing text: String, status: Int32 = 0) throws {
        try stage.expect(line, containing: text, status: status)
    }
}

/// A program on the bus that speaks the protocol by hand.
final class BusClient {
    private let connection: BusConnection
    private(set) var signals: [BusMessage] = []
    static let name = "org.freedesktop.secrets"
    static let root = "/org/freedesktop/secrets"
    static let login = root + "/collection/login"

    init(_ scene: SecretsScene) throws {
        connection = try BusConnection(address: try #require(scene.stage.environment["DBUS_SESSION_BUS_ADDRESS"]))
    }

    var uniqueName: String { connection.name }

    /// Sends a call and waits for nothing.
    @discardableResult
    func send(_ path: String, _ interface: String, _ member: String, _ values: [BusValue] = []) throws -> UInt32 {
        let number = try connection.call(Self.name, path, interface, member, values)
        _ = connection.move()
        return number
    }

    /// The answer to a call. Errors: a `BusFailure`; a failed expectation after a minute.
    func call(
        _ path: String, _ interface: String, _ member: String, _ values: [BusValue] = [], to destination: String = name
    ) throws -> [BusValue] {
        let number = try connection.call(destination, path, interface, member, values)
        let answer = try #require(
            try waited(60) { message in
                switch message.kind {
                case .reply(of: number): return try message.arguments()
                case .failure(of: number, let name):
                    throw BusFailure(name, (try? message.arguments())?.first?.text ?? "")
                default: return nil
                }
            }, "\(member) was not answered")
        return answer
    }

    /// What `take` makes of the first message of which it makes something; nil after so many seconds. Signals are kept.
    func waited<R>(_ seconds: Int, _ take: (BusMessage) throws -> R?) throws -> R? {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            while let message = connection.next() {
                if case .signal = message.kind { signals.append(message) }
                if let made = try take(message) { return made }
            }
            guard connection.wait(.milliseconds(50)) else { return nil }
        }
        return nil
    }

    /// Listens to every broadcast of the provider.
    func listen() throws {
        let bus = "org.freedesktop.DBus"
        _ = try call(
            "/org/freedesktop/DBus", bus, "AddMatch", [.text("type='signal',sender='\(Self.name)'")], to: bus)
    }

    // MARK: The Secret Service

    static let service = "org.freedesktop.Secret.Service"
    static let item = "org.freedesktop.Secret.Item"

    func openSession() throws -> String {
        let answer = try call(Self.root, Self.service, "OpenSession", [.text("plain"), .variant(.text(""))])
        return try #require(answer.last?.path)
    }

    /// The path of a new item of the collection of logins.
    func create(_ attributes: [(String, String)], _ secret: [UInt8], _ session: String) throws -> String {
        let pairs = attributes.map { BusValue.entry(.text($0.0), .text($0.1)) }
        let properties = BusValue.properties([
            ("\(Self.item).Label", .text("label")), ("\(Self.item).Attributes", .array("{ss}", pairs)),
        ])
        let value = BusValue.structure([
            .path(session), .bytes(try Secret(copying: [])), .bytes(try Secret(copying: secret)), .text("text/plain"),
        ])
        let answer = try call(
            Self.login, "org.freedesktop.Secret.Collection", "CreateItem", [properties, value, .boolean(false)])
        return try #require(answer.first?.path)
    }

    func search(_ attributes: [(String, String)]) throws -> (unlocked: [String], locked: [String]) {
        let pairs = attributes.map { BusValue.entry(.text($0.0), .text($0.1)) }
        let answer = try call(Self.root, Self.service, "SearchItems", [.array("{ss}", pairs)])
        return (try #require(answer.first?.paths), try #require(answer.last?.paths))
    }

    func secret(_ item: String, _ session: String) throws -> [UInt8] {
        let answer = try call(item, Self.item, "GetSecret", [.path(session)])
        return try #require(answer.first?.fields?[2].bytes).exposedBytes
    }
}
