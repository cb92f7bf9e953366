// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// ssh, sshd, ssh-add, ssh-keygen and git with the agent. sshd answers over a pipe (`sshd -i`), so that no port is used
/// and no process is left.
@Suite struct SSHLoginTests {
    private static let hasServer =
        ["/usr/sbin/sshd", "/usr/bin/ssh", "/usr/bin/ssh-add", "/usr/bin/ssh-keygen", "/usr/bin/git"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: $0)
        }

    /// A home with a passcode, a server that lets our keys in, and an agent.
    fileprivate final class Scene {
        let stage: Stage
        /// Its path is a word in sshd's configuration.
        let folder = "/tmp/zamok-ssh-\(UUID().uuidString.prefix(8))"

        init() throws {
            stage = try Stage()
            let files = FileManager.default
            try files.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try files.createDirectory(
                atPath: folder + "/agent", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            stage.environment["ZAMOK_HOME"] = folder + "/home"
            stage.environment["SSH_AUTH_SOCK"] = folder + "/agent/socket"
            stage.environment["D"] = folder
            try write(
                "sshd_config",
                """
                HostKey \(folder)/host
                AuthorizedKeysFile \(folder)/authorized
                UsePAM no
                StrictModes no
                PermitRootLogin yes
                PasswordAuthentication no
                KbdInteractiveAuthentication no

                """)
            try write(
                "login",
                """
                key=$1; shift
                exec ssh -F none -o 'ProxyCommand=/usr/sbin/sshd -i -f \(folder)/sshd_config' -o UserKnownHostsFile=/dev/null -o StrictHostKeyChecking=no \\
                    -o BatchMode=yes -o LogLevel=ERROR -o IdentitiesOnly=yes -i "$key" "$(id -un)@loopback" "$@"

                """)
            try write("passcode", "tall-grass")
            try expect(
                "mkdir -p /run/sshd 2> log; ssh-keygen -q -t ed25519 -N '' -f $D/host; zamok passcode set --passcode-file $D/passcode 2> log",
                "")
        }

        deinit {
            _ = try? stage.run("test ! -f $D/agent.pid || kill $(cat $D/agent.pid)")
            try? FileManager.default.removeItem(atPath: folder)
        }

        func write(_ name: String, _ text: String) throws {
            #expect(
                FileManager.default.createFile(
                    atPath: "\(folder)/\(name)", contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
        }

        func expect(_ line: String, _ text: String, status: Int32 = 0) throws {
            try stage.expect(line, text, status: status)
        }

        func expect(_ line: String, containing text: String, status: Int32 = 0) throws {
            try stage.expect(line, containing: text, status: status)
        }

        func run(_ line: String) throws -> Ended { try stage.run(line) }

        func startAgent(_ options: String = "") throws {
            try expect(
                "eval \"$(zamok agent --socket $SSH_AUTH_SOCK \(options))\"; echo $SSH_AGENT_PID > $D/agent.pid", "")
        }
    }

    private static let types = ["ed25519", "p256", "rsa"]

    // Rule: the agent's socket is its owner's alone | made as the umask says | mode 755
    @Test(.enabled(if: hasServer, "this system has no sshd, ssh or git"))
    func `a real sshd logs in with keys of each type, and no longer from the moment of a lock`() throws {
        let scene = try Scene()
        for type in Self.types {
            try scene.expect(
                "zamok keys generate \(type) --type \(type) --ssh > log; zamok keys export \(type) --public --ssh > $D/\(type).pub; cat $D/\(type).pub >> $D/authorized",
                "")
        }
        try scene.startAgent()
        try scene.expect("stat -c %a $D/agent $SSH_AUTH_SOCK; ssh-add -l | wc -l", "700\n600\n3\n")
        try scene.expect("ssh-add -L | cmp - $D/authorized", "")
        for type in Self.types { try scene.expect("sh $D/login $D/\(type).pub echo in", "in\n") }
        try scene.expect("zamok agent --socket $SSH_AUTH_SOCK", containing: "an agent listens at", status: 45)
        try scene.expect("zamok lock; ssh-add -l", "The agent has no identities.\n", status: 1)
        for type in Self.types {
            try scene.expect("sh $D/login $D/\(type).pub echo in", containing: "Permission denied", status: 255)
        }
        // The keyring lets a person unlock for the agent, too; without one each process has its keys for itself.
        guard try scene.stage.has("kernel-keyring") else { return }
        try scene.expect("zamok unlock --passcode-file $D/passcode 2> log; sh $D/login $D/p256.pub echo in", "in\n")
        // A key of a file works in memory alone, until the agent ends, and not while locked.
        try scene.expect(
            "ssh-keygen -q -t ed25519 -N '' -f $D/foreign; ssh-add -q $D/foreign; rm $D/foreign; cat $D/foreign.pub >> $D/authorized; sh $D/login $D/foreign.pub echo in",
            "in\n")
        try scene.expect("zamok lock; sh $D/login $D/foreign.pub echo in", containing: "Permission denied", status: 255)
        try scene.expect(
            "kill $(cat $D/agent.pid); rm $D/agent.pid; while test -e $SSH_AUTH_SOCK; do sleep 0.05; done", "")
    }

    // The agent signs with a key in a TPM, and refuses while the TPM doesn't answer or the home is locked.
    @Test(
        .enabled(if: hasServer, "this system has no sshd, ssh or git"),
        .enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed"))
    func `a key in a TPM logs in, and not while the TPM is away or the home is locked`() throws {
        let tpm = try SoftwareTPM()
        let scene = try Scene()
        scene.stage.environment["ZAMOK_TPM"] = "swtpm:\(tpm.socket)"
        try scene.expect(
            "zamok keys generate badge --in-tpm --ssh > log; zamok keys export badge --public --ssh > $D/badge.pub; cp $D/badge.pub $D/authorized",
            "")
        try scene.startAgent()
        let login = "sh $D/login $D/badge.pub echo in"
        try scene.expect(login, "in\n")
        tpm.stop()
        try scene.expect("ssh-add -l | wc -l; \(login)", containing: "Permission denied", status: 255)
        try tpm.start()
        try scene.expect(login, "in\n")
        try scene.expect("zamok lock; \(login)", containing: "Permission denied", status: 255)
    }

    @Test(.enabled(if: hasServer, "this system has no sshd, ssh or git"))
    func `git signs and verifies a commit, and the disk has no private key`() throws {
        let scene = try Scene()
        try scene.expect(
            "zamok keys generate work --ssh > log; zamok keys export work --public --ssh > $D/work.pub; printf 'anna@example.com %s\\n' \"$(cat $D/work.pub)\" > $D/signers",
            "")
        try scene.startAgent()
        let options =
            "-c user.name=Anna -c user.email=anna@example.com -c gpg.format=ssh -c user.signingkey=$D/work.pub -c gpg.ssh.allowedSignersFile=$D/signers"
        try scene.expect("git init -q $D/tree", "")
        try scene.expect("git \(options) -C $D/tree commit -q -S --allow-empty -m signed", "")
        try scene.expect(
            "git \(options) -C $D/tree verify-commit HEAD", containing: "Good \"git\" signature for anna@example.com")
        try scene.expect("printf x | ssh-keygen -q -Y sign -f $D/work.pub -n file > $D/signature 2> log", "")
        try scene.expect(
            "printf x | ssh-keygen -Y verify -f $D/signers -I anna@example.com -n file -s $D/signature",
            containing: "Good \"file\" signature")
        // The last 32 bytes of its PKCS#8 are the key.
        let pem = try scene.run("zamok keys export work | openssl pkey -outform DER | tail -c 32 | od -An -v -tx1").text
        let bytes = pem.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0, radix: 16) }
        try #require(bytes.count == 32)
        #expect(try PlaintextSearch(bytes: bytes).findings(in: scene.folder).isEmpty)
        #expect(try PlaintextSearch(bytes: Array(bytes.prefix(16))).findings(in: scene.folder).isEmpty)
        try scene.expect("zamok lock", "")
        try scene.expect(
            "git \(options) -C $D/tree commit -q -S --allow-empty -m locked 2> log", "", status: 128)
    }

    /// Another machine that the first one can reach, and what ssh knows of both.
    private func addSecondServer(_ scene: Scene) throws {
        try scene.expect(
            "ssh-keygen -q -t ed25519 -N '' -f $D/host2; sed 's#/host$#/host2#' $D/sshd_config > $D/sshd_config2; sed 's#sshd_config#sshd_config2#; s#@loopback#@second#' $D/login > $D/login2",
            "")
        try scene.expect(
            "for name in loopback:host second:host2; do echo \"${name%:*} $(cut -d' ' -f1,2 $D/${name#*:}.pub)\"; done > $D/known",
            "")
        // Forwarding is for these commands; the second server is asked from the first one.
        try scene.expect("sed 's#exec ssh#exec ssh -A#' $D/login > $D/forward", "")
    }

    @Test(.enabled(if: hasServer, "this system has no sshd, ssh or git"))
    func `a key that ssh-add restricts logs in where it may, and forwarding is refused where it may not`() throws {
        let scene = try Scene()
        try addSecondServer(scene)
        try scene.expect(
            "zamok keys generate work --ssh > log; zamok keys export work --public --ssh | tee $D/work.pub > $D/authorized",
            "")
        try scene.startAgent()
        let through = "sh $D/forward $D/work.pub \"sh $D/login2 $D/work.pub echo behind\""
        try scene.expect("sh $D/login2 $D/work.pub echo in; \(through)", "in\nbehind\n")
        // To the first server alone: not to the second, neither from here nor from there, where it isn't even shown.
        try scene.expect(
            "ssh-add -h loopback -H $D/known -s zamok < /dev/null 2> log; cat log", containing: "Card added: zamok")
        try scene.expect("ssh-add -l | wc -l; sh $D/login $D/work.pub echo in", "1\nin\n")
        try scene.expect("sh $D/login2 $D/work.pub echo in", containing: "Permission denied", status: 255)
        try scene.expect(
            "sh $D/forward $D/work.pub 'ssh-add -l'", containing: "The agent has no identities", status: 1)
        try scene.expect(through, containing: "Permission denied", status: 255)
        // What is no login is not signed: git's signatures for example.
        try scene.expect(
            "printf x | ssh-keygen -q -Y sign -f $D/work.pub -n file > $D/signature",
            containing: "agent refused operation",
            status: 255)
        // By way of the first one, and not at once.
        try scene.expect(
            "ssh-add -q -h loopback -h 'loopback>second' -H $D/known -s zamok < /dev/null 2> log; \(through)",
            "behind\n")
        try scene.expect("sh $D/forward $D/work.pub 'ssh-add -l | wc -l'", "1\n")
        try scene.expect("sh $D/login2 $D/work.pub echo in", containing: "Permission denied", status: 255)
        // An unbound program at the first server can't use it.
        try scene.expect(
            "sh $D/forward $D/work.pub \"printf x | ssh-keygen -q -Y sign -f $D/work.pub -n file\"",
            containing: "agent refused operation", status: 255)
    }
}
