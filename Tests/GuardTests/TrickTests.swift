// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What a hostile guest tries, in a real guard; and the same tricks outside, of which those have to get through that
/// need nothing but what is there for them.
@Suite(.needsBoundary) struct TrickTests {
    static let secret = "trick-secret-5d1f"

    /// Things for the tricks to find: files, sockets, shared memory, an environment, a descriptor.
    /// `changed`: what is changed in the words of bubblewrap before it gets them.
    static func results(
        inside: Bool, _ tricks: [Trick] = Trick.all, _ options: [String] = [], changed: [WordChange] = []
    ) throws -> [String: (status: Int, text: String)] {
        let scene = try GuardScene()
        try scene.store("account", in: "example", secret)
        try scene.write(secret, to: "\(scene.person)/.ssh/id_ed25519")
        try scene.write(secret, to: "\(scene.person)/.netrc")
        try scene.write(secret, to: "\(scene.person)/../neighbour")
        try scene.write("[core]\n\tbare = false\n", to: "\(scene.work)/.git/config")
        try FileManager.default.createDirectory(
            atPath: "\(scene.work)/.git/hooks", withIntermediateDirectories: true)
        for name in [".envrc", ".vscode/tasks.json"] { try scene.write("\n", to: "\(scene.work)/\(name)") }
        let path = (scene.person as NSString).deletingLastPathComponent
        // Everything that has to be outside is held by this helper, which also starts the guard.
        let helper = """
            import ctypes, json, os, socket, subprocess, sys, tempfile
            words = json.load(open(sys.argv[1]))
            libc = ctypes.CDLL(None)
            abstract = "zamok-trick-%d" % os.getpid()
            kept = []
            for name in ["\\0" + abstract, "\(path)/socket"]:
                made = socket.socket(socket.AF_UNIX); made.bind(name); made.listen(); kept.append(made)
            port = socket.socket(); port.bind(("127.0.0.1", 0)); port.listen(); kept.append(port)
            temporary = tempfile.NamedTemporaryFile(prefix="zamok-trick-", dir="/tmp")
            memory = os.getpid()
            identifier = libc.shmget(memory, 4096, 0o1600)
            os.dup2(os.open("\(path)/neighbour", os.O_RDONLY), 9)
            os.environ["TRICK_SECRET"] = "\(secret)"
            for script in words["scripts"]:
                text = open(script).read()
                for name, value in [("abstract", abstract), ("port", port.getsockname()[1]), ("memory", memory),
                                    ("socket", "\(path)/socket"), ("guard", os.getpid()),
                                    ("temporary", temporary.name)]:
                    text = text.replace("{%s}" % name, str(value))
                open(script, "w").write(text)
            ended = subprocess.run(words["command"], pass_fds=[9])
            libc.shmctl(identifier, 0, 0)
            sys.exit(ended.returncode)
            """
        let driver = """
            import ctypes, errno, json, os, platform, signal, socket, struct, subprocess, sys, traceback
            for name in sorted(n for n in os.listdir("scripts") if n.endswith(".py")):
                reading, writing = os.pipe()
                child = os.fork()
                if child == 0:
                    signal.alarm(20)
                    os.dup2(writing, 1); os.dup2(writing, 2); os.close(reading); os.close(writing)
                    status = 1
                    try:
                        exec(compile(open("scripts/" + name).read(), name, "exec"), {"__name__": "__main__"})
                    except SystemExit as end:
                        status = end.code
                    except BaseException:
                        traceback.print_exc()
                    sys.stdout.flush()
                    os._exit(status)
                os.close(writing)
                with os.fdopen(reading, errors="replace") as said: text = said.read()
                ended = os.waitpid(child, 0)[1]
                print(json.dumps([name, os.waitstatus_to_exitcode(ended), text]), flush=True)
            """
        try scene.write(helper, to: "\(path)/helper.py")
        try scene.write(driver, to: "\(scene.work)/driver.py")
        var scripts: [String] = []
        for (place, trick) in tricks.enumerated() {
            var text = Trick.prelude + trick.script
            for (name, value) in [
                ("person", scene.person), ("home", scene.home), ("outside", "\(path)/neighbour"), ("work", scene.work),
            ] { text = text.replacingOccurrences(of: "{\(name)}", with: value) }
            let script = "\(scene.work)/scripts/\(String(format: "%03d", place)).py"
            try scene.write(text, to: script)
            scripts.append(script)
        }
        let guarded = [try Tool.url("zamok").path, "guard", "--name", "trick"] + options + ["--"]
        let words: [String: Any] = [
            "scripts": scripts,
            "command": try WordChange.wrapper(changed, in: path) + (inside ? guarded : []) + ["python3", "driver.py"],
        ]
        let list = "\(path)/words.json"
        try JSONSerialization.data(withJSONObject: words).write(to: URL(fileURLWithPath: list))
        let child = try Child(
            "/bin/sh", ["-c", #"cd "$1" && exec python3 "$2" "$3""#, "sh", scene.work, "\(path)/helper.py", list],
            environment: scene.environment)
        let lines = try child.rest().text.split(separator: "\n")
        var results: [String: (status: Int, text: String)] = [:]
        for line in lines {
            guard let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any], row.count == 3,
                let name = row[0] as? String, let place = Int(name.prefix(3)), let status = row[1] as? Int,
                let text = row[2] as? String
            else { continue }
            results[tricks[place].name] = (status, text)
        }
        return results
    }

    @Test func `no trick gets out`() throws {
        let results = try Self.results(inside: true)
        #expect(results.count == Trick.all.count)
        for (name, result) in results {
            #expect(result.status == 3, "\(name): \(result.status) \(result.text)")
            #expect(!result.text.contains(Self.secret), "\(name)")
        }
    }

    @Test(arguments: ["seccomp", "landlock", "cgroup", "ipc", "uts"])
    func `without a layer that is left out, files and processes stay out`(layer: String) throws {
        let results = try Self.results(inside: true, Trick.all, ["--without", layer])
        #expect(results.count == Trick.all.count)
        for (name, result) in results { #expect(!result.text.contains(Self.secret), "\(name)") }
        let through = results.filter { $0.value.status != 3 }.map(\.key)
        switch layer {
        case "seccomp": #expect(through.contains("keyctl"))
        case "ipc": #expect(through == ["System V shared memory of the machine"])
        case "uts": #expect(through == ["know the machine's name"])
        case "cgroup": #expect(Set(through).isSubset(of: ["know the cgroup of the machine"]))
        default: #expect(through.isEmpty, "\(through)")
        }
    }

    @Test func `outside, the same tricks find what is there`() throws {
        // Only those that change nothing of the machine.
        let names = [
            "read the home of Zamok", "read a key of ssh", "read .netrc", "read a neighbour of the working folder",
            "change git's configuration", "leave a hook of git", "change .envrc", "an abstract socket of the machine",
            "a socket by its path", "a service of the machine's loopback", "find a secret in the own environment",
            "find an inherited descriptor", "see temporary files of the machine",
            "System V shared memory of the machine", "end a process outside",
        ]
        let results = try Self.results(inside: false, Trick.all.filter { names.contains($0.name) })
        for name in names {
            #expect(results[name]?.status == 0, "\(name): \(results[name]?.text ?? "")")
        }
    }
}
