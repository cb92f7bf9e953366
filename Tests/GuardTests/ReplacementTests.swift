// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import ZamokCommand

/// Programs outside that replace files while a guest runs: a mount ends when its mount point is replaced.
@Suite(.needsBoundary) struct ReplacementTests {
    private let scene: GuardScene

    init() throws { scene = try GuardScene() }

    /// A guest that tries something for each line, and says how it ended.
    private func guest(_ script: String, _ options: [String] = []) throws -> Child {
        let loop = "echo began; while read line; do (\(script)) 2>/dev/null && echo through || echo refused; done"
        let child = try scene.start(["guard", "--name", "app"] + options + ["--", "sh", "-c", loop])
        try child.await("began")
        return child
    }

    /// As an editor saves.
    private func replace(_ path: String) throws {
        try scene.write("new\n", to: "\(path).new")
        #expect(unsafe rename("\(path).new", path) == 0)
    }

    // Rule: a guest ends when what is kept from it is replaced | the watch did not look | the guest ran on
    @Test func `a guest ends when a program outside replaces a name that is kept from it`() throws {
        try scene.write("old\n", to: "\(scene.work)/.envrc")
        #expect(try scene.zamok(["log", "on"]).status == 0)
        let child = try guest("echo mine >> .envrc")
        try child.proceed()
        try child.await("refused")
        try replace("\(scene.work)/.envrc")
        #expect(throws: Child.Failure.self) { try child.line(seconds: 60) }
        #expect(try child.finish() == 137)
        #expect(try String(contentsOfFile: "\(scene.work)/.envrc", encoding: .utf8) == "new\n")
    }

    // Rule: .git is to read as a whole | it was none of the kept names | the guest wrote to it
    @Test func `git's configuration stays to read when git outside replaces it`() throws {
        for name in ["config", "HEAD", "hooks/sample"] { try scene.write("old\n", to: "\(scene.work)/.git/\(name)") }
        let child = try guest("echo mine >> .git/config || echo mine > .git/hooks/pre-commit || mv .git old")
        for _ in 0..<3 {
            try replace("\(scene.work)/.git/config")
            try child.proceed()
            try child.await("refused")
        }
        #expect(try child.finish() == 0)
    }

    @Test func `a guest has git's folder to write by a share, without what runs`() throws {
        let words = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--allow-empty", "-m", "message"]
        let made = try Child("/bin/sh", ["-c", #"cd "$0" && git init -q . && git "$@" -q"#, scene.work] + words)
        guard try made.finish() == 0 else { return }
        #expect(try scene.inside("app", ["git"] + words).status != 0)
        #expect(try scene.inside("app", ["git", "status", "--short"]).status == 0)
        let share = ["--share", ".git"]
        #expect(try scene.inside("app", ["git"] + words, share).status == 0)
        for name in ["config", "commondir", "hooks/pre-commit", "info/attributes"] {
            #expect(try scene.inside("app", ["sh", "-c", "echo x >> .git/\(name)"], share).status != 0, "\(name)")
        }
        let child = try guest("true", share)
        try replace("\(scene.work)/.git/config")
        #expect(throws: Child.Failure.self) { try child.line(seconds: 60) }
        #expect(try child.finish() == 137)
    }

    // Rule: what a configuration of git names is to read | `protections` gave none of it | the guest wrote to all
    @Test func `folders of hooks and configurations that git's own names are to read`() throws {
        for name in ["tools/hooks/pre-commit", "tools/conf/git", "more.inc"] {
            try scene.write("old\n", to: "\(scene.work)/\(name)")
        }
        try scene.write(
            "[core]\n\thooksPath = tools/hooks ; as ever\n[include]\n\tpath = \"../tools/conf/git\"\n",
            to: "\(scene.work)/.git/config")
        try scene.write(
            "[includeIf \"gitdir:~/x]/\"] path = ~/work/more.inc\n[core] hookspath = later\n",
            to: "\(scene.person)/.gitconfig")
        let script = """
            for name in tools/hooks/pre-commit tools/hooks/new tools/conf/git more.inc; do echo x >> $name && echo through; done
            mv tools away && echo through; mv tools/hooks away && echo through; echo x > tools/own && echo written
            mkdir later; exit 0
            """
        let ended = try Child(
            "/bin/sh",
            ["-c", #"cd "$0" && exec "$1" guard -- sh -c "$2" 2>&1"#, scene.work, try Tool.url("zamok").path, script],
            environment: scene.environment
        ).rest()
        #expect(ended.status == 0 && !ended.text.contains("through") && ended.text.contains("written"), "\(ended.text)")
        #expect(ended.text.contains("has made \(scene.work)/later"))
        #expect(unsafe symlink("tools", "\(scene.work)/link") == 0)
        try scene.write("[core]\nhooksPath = link/hooks\n", to: "\(scene.work)/.git/config")
        #expect(try scene.inside("app", ["true"]).status == 64)
    }

    @Test(
        arguments: [
            ("[core]\n hooksPath=a b # c", "a b"), ("[Core] HOOKSPATH = \"a;b\"", "a;b"),
            ("[core]\nhooksPath = a\\\nb", "ab"),
            ("[include]\npath = \"a\\\"b\"", "a\"b"), ("[includeIf \"x]\"]path=c", "c"),
            ("[core \"x\"]\nhooksPath = a", "a"),
            ("[other]\nhooksPath = a", nil), ("[core]\nhooksPath", nil), ("hooksPath = a", nil),
            ("[core\nhooksPath = a", nil),
        ] as [(String, String?)]) func `settings of git`(text: String, value: String?)
    {
        #expect(GitSetting.all(in: Array(text.utf8)).map(\.value) == [value].compactMap(\.self))
    }

    // Rule: without /proc nothing starts | the program's own path was taken as there | a trap (SIGILL)
    @Test func `without /proc it says so`() throws {
        let child = try Child(
            "/bin/sh",
            [
                "-c", #"cd "$0" && exec bwrap --dev-bind / / --tmpfs /proc -- "$1" guard -- true 2>&1"#, scene.work,
                try Tool.url("zamok").path,
            ], environment: scene.environment)
        let ended = try child.rest()
        #expect(ended.status == 126 && ended.text.contains("/proc"), "\(ended)")
    }

    @Test func `a repository's inside is no working folder, and a bare one is kept, too`() throws {
        for name in ["config", "HEAD", "objects/x", "hooks/x"] {
            try scene.write("old\n", to: "\(scene.work)/bare/\(name)")
            try scene.write("old\n", to: "\(scene.work)/.git/\(name)")
        }
        func start(in folder: String, _ script: String) throws -> GuardScene.Ended {
            try Child(
                "/bin/sh",
                ["-c", #"cd "$0" && exec "$1" guard -- sh -c "$2""#, folder, try Tool.url("zamok").path, script],
                environment: scene.environment
            ).rest()
        }
        #expect(try start(in: "\(scene.work)/.git/hooks", "true").status == 64)
        for folder in ["bare", ".git"] {
            for name in ["config", "hooks/pre-commit", "commondir"] {
                #expect(try start(in: "\(scene.work)/\(folder)", "echo x >> \(name)").status != 0, "\(folder)/\(name)")
            }
            #expect(try start(in: "\(scene.work)/\(folder)", "echo x >> packed-refs").status == 0)
        }
    }

    // Rule: folders that many programs use are refused | the list was not looked at | they were shared
    @Test(arguments: ["/tmp", "/var/tmp", "/var", "/home", "/opt", "/srv"])
    func `folders that many programs use are none of a guest`(path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        #expect(try scene.inside("app", ["true"], ["--share", path]).status == 64)
    }

    // Rule: of the system's folders nothing is shared, and of other accounts' homes nothing secret | only `/var/lib` of
    //   `/var` was refused, and only the person's own home | the first list was taken
    @Test func `what belongs to the system or another account is none of a guest`() {
        let folders = GuardedFolders(homes: ["/root", "/var/lib/jenkins"], closed: [])
        for path in [
            "/var/spool", "/var/spool/cron/crontabs", "/var/backups", "/var/log", "/var/cache/x", "/var/mail/me",
            "/var/lib/dpkg", "/var/www", "/boot/grub", "/lost+found", "/data/lost+found/x", "/usr/local/src/x",
            "/var/lib/jenkins", "/var/lib/jenkins/.ssh", "/root", "/root/.ssh/id",
        ] { #expect(folders.objection(to: path) != nil, "\(path)") }
        for path in [
            "/var/tmp/work", "/var/www/site", "/var/lib/jenkins/workspace/job", "/root/work", "/srv/app", "/work/app",
        ] { #expect(folders.objection(to: path) == nil, "\(path)") }
        for home in GuardedFolders.accounts.prefix(10) {
            #expect(folders.objection(to: home) != nil && folders.objection(to: "\(home)/.ssh") != nil, "\(home)")
        }
    }

    // Rule: a link that a guest left keeps no guard from starting | links were followed | "a home of Zamok", 64
    @Test func `a link to a home of Zamok is none`() throws {
        let other = "\(scene.person)/other"
        for name in ["device-secret", "keybag", "epoch"] { try scene.write("x", to: "\(other)/\(name)") }
        #expect(unsafe symlink(other, "\(scene.work)/link") == 0)
        #expect(try scene.inside("app", ["sh", "-c", "cat link/keybag"]).status == 1)
    }

    @Test func `too few open files are told as such`() throws {
        let child = try Child(
            "/bin/sh",
            [
                "-c", #"cd "$0" && ulimit -n 40 && exec "$1" guard -- true 2>&1"#, scene.work,
                try Tool.url("zamok").path,
            ],
            environment: scene.environment)
        let ended = try child.rest()
        #expect(ended.status == 126 && ended.text.contains("96 open files, and 40 are permitted"), "\(ended)")
    }

    // Rule: what is obeyed without a question is to read if it is there | the list was that of git alone | all written
    // Rule: a folder with something kept in it keeps its place | it was no mount | `mv .yarn away` was done
    @Test func `configuration of agents, editors and tools is to read, and its folder keeps its place`() throws {
        let names = [
            ".hg/hgrc", ".jj/repo/config.toml", ".codex/config.toml", "opencode.json", ".dir-locals.el", ".exrc",
            ".gdbinit", ".bazelrc", ".mvn/jvm.config", "gradle.properties", ".yarn/releases/yarn.cjs",
            ".bundle/config",
        ]
        for name in names + [".yarn/cache/x"] { try scene.write("old\n", to: "\(scene.work)/\(name)") }
        let script = """
            exec 2>/dev/null
            for name in \(names.joined(separator: " ")); do echo x >> $name && echo through $name; done
            mv .yarn away && echo through; rm -rf .hg; echo x > .yarn/cache/y && echo cached; exit 0
            """
        #expect(try scene.inside("app", ["sh", "-c", script]).text == "cached\n")
        #expect(try scene.inside("app", ["sh", "-c", "echo x >> .exrc"], ["--share", ".exrc"]).status == 0)
    }

    // Rule: .hg is to write by a share, without what runs | nothing in it was kept | hgrc was written
    @Test func `a guest has Mercurial's folder by a share, without what runs`() throws {
        for name in ["requires", "store/data"] { try scene.write("old\n", to: "\(scene.work)/.hg/\(name)") }
        let script =
            "for name in hgrc requires hgrc-not-shared; do echo x >> .hg/$name && echo through; done; echo x > .hg/store/new"
        let ended = try scene.inside("app", ["bash", "-c", script], ["--share", ".hg"])
        #expect(ended.text.isEmpty && ended.status == 0)
    }

    // Rule: what may be obeyed and was made or changed is named at the end | only new names of the list were | the
    //   changed ones were missing
    @Test func `hidden names that a guest has made or changed are named at its end, but no caches`() throws {
        for name in [".github/workflows/ci.yml", ".env", "AGENTS.md", ".eslintrc.js", ".same", ".venv/bin/x"] {
            try scene.write("old\n", to: "\(scene.work)/\(name)")
        }
        let script = """
            echo x >> .github/workflows/ci.yml; echo x > .github/new; echo x > .env.new; mv .env.new .env
            echo x >> AGENTS.md; touch -d @1 .eslintrc.js; mkdir .codex .my-cache; echo x > .codex/config.toml
            echo x >> .venv/bin/x; echo x > plain; cat .same
            """
        let ended = try Child(
            "/bin/sh",
            [
                "-c", #"cd "$0" && exec "$1" guard --name app -- sh -c "$2" 2>&1"#, scene.work,
                try Tool.url("zamok").path, script,
            ], environment: scene.environment
        ).rest()
        let told = ended.text.split(separator: "\n").filter { $0.contains("programs outside") }
        #expect(told.count == 5, "\(ended.text)")
        #expect(told.first?.contains("app has made \(scene.work)/.codex;") == true)
        for name in [".env", ".eslintrc.js", ".github", "AGENTS.md"] {
            #expect(told.contains { $0.contains("/\(name) was changed while app ran") }, "\(name)")
        }
    }

    // Rule: what is hidden in /etc stays hidden | isHidden was always false | the guest read the secret
    @Test func `a file in /etc that is replaced stays hidden`() throws {
        let folder = "\((scene.person as NSString).deletingLastPathComponent)/etc"
        let names = ["passwd", "group", "ld.so.cache", "alternatives"]
        let copied = try Child(
            "/bin/sh",
            ["-c", #"mkdir "$0" && cd /etc && cp -a "$@" "$0"; mkdir "$0/ssl" "$0/ssl/private""#, folder] + names)
        _ = try copied.finish()
        let hidden = ["shadow", "ssl/private/key", "sudoers"]
        for name in hidden { try scene.write("old-secret\n", to: "\(folder)/\(name)") }
        for name in ["shadow", "ssl/private"] { #expect(unsafe chmod("\(folder)/\(name)", 0o700) == 0) }
        let look =
            "cat /etc/shadow /etc/ssl/private/key /etc/sudoers /etc/later 2>/dev/null; cat /etc/passwd >/dev/null"
        let loop = "echo began; while read line; do \(look) && echo done; done"
        let child = try Child(
            "/bin/sh",
            [
                "-c", #"cd "$0" && exec bwrap --dev-bind / / --bind "$1" /etc -- "$2" guard --name app -- sh -c "$3""#,
                scene.work, folder, try Tool.url("zamok").path, loop,
            ], environment: scene.environment)
        try child.await("began")
        try child.proceed()
        try child.await("done")
        for name in hidden + ["passwd"] { try replace("\(folder)/\(name)") }
        try scene.write("later-secret\n", to: "\(folder)/later")
        #expect(unsafe rename("\(folder)/ssl/private", "\(folder)/ssl/old") == 0)
        try scene.write("new-secret\n", to: "\(folder)/ssl/private/key")
        try child.proceed()
        try child.await("done")
        #expect(try child.finish() == 0)
    }

    // Rule: the umask doesn't shut a guest out of /etc | the folder had mode 0600 | Permission denied
    @Test func `under any umask a guest reads the copy of /etc`() throws {
        let script = #"cd "$0" && umask 0177 && exec "$1" guard --name app -- cat /etc/passwd"#
        let words = ["-c", script, scene.work, try Tool.url("zamok").path]
        let child = try Child("/bin/sh", words, environment: scene.environment)
        #expect(try child.rest().text.contains("root:"))
    }

    // Rule: nothing is mounted in the kept home folder | HOME was the person's | the other's mounts were in it
    @Test func `another guest of the name can't take a mount away`() throws {
        let child = try guest("echo mine >> .envrc || echo mine >> file && rm file && false")
        let remove = #"cd; rm -rf work .git x; rmdir "$0"; find . | wc -l"#
        #expect(try scene.inside("app", ["sh", "-c", remove, scene.work]).text == "1\n")
        try child.proceed()
        try child.await("refused")
        #expect(try child.finish() == 0)
    }

    // A share keeps its place.
    @Test func `the parents of a share can't be renamed, and what permits less counts`() throws {
        try scene.write("old\n", to: "\(scene.work)/p/a/b/f")
        let script = "mv p z || mv p/a p/z || mv p/a/b p/a/z || echo x > p/a/b/f || echo kept"
        #expect(try scene.inside("app", ["sh", "-c", script], ["--share", "p/a/b:ro"]).text == "kept\n")
        let twice = ["--share", "p/a/b", "--share", "p/a/b:ro", "--share", "p/a/b"]
        #expect(try scene.inside("app", ["sh", "-c", "echo x > p/a/b/f"], twice).status != 0)
        #expect(try scene.inside("app", ["sh", "-c", "echo x > p/a/b/f"], ["--share", "p/a/b"]).status == 0)
        #expect(try scene.inside("app", ["sh", "-c", "echo x > file"], ["--share", ".:ro"]).status != 0)
    }

    // MARK: What lies in the folders

    // The passcode on standard input is not the guest's.
    @Test(arguments: [["--passcode-file", "-"], ["--passcode-file", "/dev/stdin"], ["--passcode-file", "/dev/fd/0"]])
    func `a passcode on standard input doesn't reach the guest`(words: [String]) throws {
        try scene.store("one", in: "group.a", "first")
        let ended = try scene.zamok(["guard"] + words + ["--", "cat"], input: "tall-grass\n")
        #expect(ended.text.isEmpty && ended.status == 0)
        #expect(try scene.zamok(["guard", "--", "cat"], input: "given\n").text == "given\n")
    }

    // Rule: a folder with a home of Zamok below it is refused | the scan's homes were passed over | the guest began
    @Test func `a home of Zamok, a device secret and a passcode below a folder are refused`() throws {
        for name in ["device-secret", "keybag", "epoch"] { try scene.write("x", to: "\(scene.work)/a/b/c/d/\(name)") }
        #expect(try scene.inside("app", ["true"]).status == 64)
        try FileManager.default.removeItem(atPath: "\(scene.work)/a")
        #expect(try scene.inside("app", ["true"]).status == 0)
        try scene.write("x", to: "\(scene.work)/secret/ds")
        for name in ["ZAMOK_DEVICE_SECRET", "ZAMOK_PASSCODE_FILE"] {
            let child = try scene.start(["guard", "--", "true"], [name: "\(scene.work)/secret/ds"])
            #expect(try child.finish() == 64, "\(name)")
        }
    }

    @Test func `a socket in a folder is covered`() throws {
        let server = """
            import socket, time
            made = socket.socket(socket.AF_UNIX); made.bind("server.sock"); made.listen(); print("ready", flush=True)
            while True: made.accept()[0].sendall(b"through")
            """
        try scene.write(server, to: "\(scene.work)/server.py")
        let child = try Child("/bin/sh", ["-c", #"cd "$0" && exec python3 server.py"#, scene.work])
        defer { child.kill(SIGKILL) }
        try child.await("ready")
        let client = [
            "python3", "-c",
            "import socket; s = socket.socket(socket.AF_UNIX); s.connect('server.sock'); print(s.recv(9).decode())",
        ]
        #expect(try scene.inside("app", client).text.isEmpty)
        let outside = try Child("/bin/sh", ["-c", #"cd "$0" && shift 0 && exec "$@""#, scene.work] + client)
        #expect(try outside.rest().text == "through\n")
    }

    // Rule: what is unreadable in /opt, and a home there, are not seen | isHidden was always false | all were shown
    @Test func `of a folder of the system, what other users can't read is left out`() throws {
        let folder = "\((scene.person as NSString).deletingLastPathComponent)/opt"
        for (name, mode) in [("app/run", 0o755), ("app/.env", 0o600), ("user/.ssh/id", 0o644), ("home/keybag", 0o644)] {
            try scene.write("opt-secret\n", to: "\(folder)/\(name)")
            #expect(unsafe chmod("\(folder)/\(name)", mode_t(mode)) == 0)
        }
        #expect(unsafe chmod("\(folder)/user/.ssh", 0o700) == 0)
        let words = HiddenFiles.words(folder, mostEntries: 5000, ["\(folder)/home"])
        let shown = zip(words, words.dropFirst()).filter { $0.0 == "--ro-bind" }.map(\.1)
        #expect(shown == ["\(folder)/app/run"])
        #expect(
            HiddenFiles.words("\(folder)/app", mostEntries: 0, []) == ["--ro-bind", "\(folder)/app", "\(folder)/app"])
        #expect(
            HiddenFiles.covers(in: folder, ["\(folder)/home", "/elsewhere"]).filter { $0.hasPrefix("/") }
                == ["\(folder)/home", "\(folder)/home", "\(folder)/user/.ssh", "\(folder)/user/.ssh"])
    }
}
