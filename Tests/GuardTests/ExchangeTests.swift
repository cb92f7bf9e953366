// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A guest in a folder exchanges names for symbolic links while another guard starts there.
@Suite(.needsBoundary, .serialized) struct ExchangeTests {
    private let scene: GuardScene
    private let secret = "exchange-secret-77c0"

    init() throws {
        scene = try GuardScene()
        try scene.write(secret, to: "\(scene.person)/.ssh/id")
        try scene.write("mine", to: "\(scene.work)/.envrc")
        try scene.write("mine", to: "\(scene.work)/.vscode/id")
        try scene.write("mine", to: "\(scene.work)/below/id")
        for (name, target) in [(".envrc", ".ssh/id"), (".vscode", ".ssh"), ("below", ".ssh")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(scene.work)/other\(name)", withDestinationPath: "\(scene.person)/\(target)")
        }
    }

    /// Exchanges each name with its link for a moment, again and again. Most of the time all is as the guard has to see
    /// it, so that many guests begin.
    private static let attacker = """
        import ctypes, os, random, sys, time
        libc = ctypes.CDLL(None)
        def exchange():
            for name in sys.argv[1:]:
                libc.renameat2(-100, name.encode(), -100, ("other" + name).encode(), 2)
        print("ready", flush=True)
        while os.getppid() != 1:
            time.sleep(random.uniform(0, 0.02)); exchange()
            time.sleep(random.uniform(0, 0.004)); exchange()
        """

    private func attack(_ names: String...) throws -> Child {
        try scene.write(Self.attacker, to: "\(scene.person)/../attacker.py")
        let child = try Child(
            "/bin/sh", ["-c", #"cd "$0" && exec python3 ../../attacker.py "$@""#, scene.work] + names)
        try child.await("ready")
        return child
    }

    private static let rounds = ProcessInfo.processInfo.environment["ZAMOK_LONG"] == nil ? 25 : 300

    // Rule: the guest begins with what the guard opened | its mounts were not looked at | it read the secrets
    @Test func `names of the working folder`() throws {
        let child = try attack(".envrc", ".vscode")
        defer { child.kill(SIGKILL) }
        var ran = 0
        for _ in 0..<Self.rounds {
            let ended = try scene.inside("app", ["sh", "-c", "cat .envrc .vscode/id; echo ran"])
            #expect(!ended.text.contains(secret))
            if ended.text.contains("ran") { ran += 1 } else { #expect([1, 64, 126, 137].contains(ended.status)) }
        }
        // Otherwise nothing was shown.
        #expect(ran >= Self.rounds / 8)
        print("exchange of names: \(ran) of \(Self.rounds) guests began")
    }

    // Rule: a share is the folder that the guard opened | the guard did not look at the mounts | the secret was read
    @Test func `a folder that is shared`() throws {
        let child = try attack("below")
        defer { child.kill(SIGKILL) }
        var ran = 0
        for _ in 0..<Self.rounds {
            let ended = try scene.inside(
                "app", ["sh", "-c", "cat \(scene.work)/below/id; echo ran"], ["--share", "below:ro"])
            #expect(!ended.text.contains(secret))
            if ended.text.contains("ran") { ran += 1 }
        }
        // Otherwise nothing was shown.
        #expect(ran >= Self.rounds / 8)
        print("exchange of a share: \(ran) of \(Self.rounds) guests began")
    }
}
