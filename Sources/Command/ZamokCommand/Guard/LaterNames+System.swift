// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation

/// What programs outside obey later in a folder that a guest writes to: configuration, tasks and hooks, which they read
/// because they are started in the folder.
///
/// What is run or obeyed without any question is read-only if it is there (`kept`). Of the rest a rule tells what may
/// be of the kind: each hidden name, apart from those of caches, and a few others. What of these a guest has made or
/// changed is named at its end.
enum LaterNames {
    /// What is kept from a guest, relative to a folder to write.
    static let kept = history + agents + editors + tools

    private static let history = [".git", ".hg", ".jj", ".svn"]

    /// Servers and hooks that an agent starts, and what it may do without asking.
    private static let agents = [
        ".mcp.json", ".claude", ".cursor", ".codex", ".gemini", ".qwen", ".roo", ".kiro", ".windsurf", ".continue",
        ".amazonq", ".junie", ".trae", ".opencode", "opencode.json", "opencode.jsonc", ".crush.json", "crush.json",
        ".aider.conf.yml", ".zamok-guard.json",
    ]

    private static let editors = [
        ".vscode", ".vs", ".idea", ".zed", ".fleet", ".helix", ".nova", ".devcontainer", ".devcontainer.json",
        ".dir-locals.el", ".dir-locals-2.el", ".exrc", ".vimrc", ".gvimrc", ".nvim.lua", ".nvimrc", ".lvimrc",
    ]

    private static let tools = [
        ".envrc", ".envrc.local", ".direnv", ".autoenv", ".autoenv.zsh", ".mise.toml", "mise.toml", ".mise",
        ".rtx.toml",
        ".tool-versions", ".husky", ".pre-commit-config.yaml", "lefthook.yml", ".lefthook.yml", ".overcommit.yml",
        ".npmrc", ".pnpmfile.cjs", ".pnpmfile.mjs", ".yarnrc", ".yarnrc.yml", ".yarn/releases", ".yarn/plugins",
        ".yarn/sdks", ".pnp.cjs", ".pnp.loader.mjs", "bunfig.toml", ".bundle", ".cargo", "rust-toolchain",
        "rust-toolchain.toml", ".mvn", "gradle.properties", ".bazelrc", ".bazeliskrc", ".swiftpm/configuration",
        ".gdbinit", ".lldbinit",
    ]

    /// Inside `.git`: what runs or points to what runs.
    static let keptInGit = [
        "config", "config.worktree", "hooks", "info", "commondir", "gitdir", "modules", "worktrees",
    ]

    /// Likewise inside `.hg`.
    static let keptInMercurial = ["hgrc", "hgrc-not-shared", "requires", "sharedpath"]

    /// Whether it lies inside the folder of a repository, where nearly each file says what runs outside.
    static func isInHistory(_ path: String) -> Bool {
        path.split(separator: "/").dropLast().contains { history.contains(String($0)) }
    }

    // MARK: What is named at the end

    /// Names that aren't hidden, and that programs obey.
    private static let shown: Set<String> = ["CLAUDE.md", "AGENTS.md", "GEMINI.md", "CRUSH.md", "GNUmakefile"]

    /// Hidden names in which a build or a test keeps what it has made. Programs outside may run that, too, as they do
    /// what is built in other folders.
    private static let made: Set<String> = [
        ".venv", ".build", ".tox", ".nox", ".next", ".nuxt", ".output", ".svelte-kit", ".turbo", ".gradle", ".kotlin",
        ".terraform", ".dart_tool", ".nyc_output", ".coverage", ".hypothesis", ".ipynb_checkpoints", ".eggs",
        ".stack-work", ".bsp", ".bloop", ".metals", ".pnpm-store", ".vite", ".angular", ".expo", ".parcel",
        ".DS_Store",
    ]

    private static func isObeyed(_ name: String) -> Bool {
        if kept.contains(name) || shown.contains(name) { return true }
        guard name.hasPrefix("."), !made.contains(name), !name.hasSuffix("cache"), !name.hasSuffix(".swp") else {
            return false
        }
        return true
    }

    /// What is in a folder, and what it was like, to see what changes. Entries of a folder in it that are looked at:
    /// the nearest.
    struct Seen {
        private static let mostEntries = 2_000

        private var marks: [String: Set<Mark>] = [:]

        /// A file or folder as it was. No program can set the time of the last change.
        private struct Mark: Hashable {
            let name: String
            let inode: UInt64
            let size: Int64
            let seconds: Int64
            let nanoseconds: Int64

            init(_ name: String, _ status: stat) {
                self.name = name
                (inode, size) = (UInt64(status.st_ino), Int64(status.st_size))
                (seconds, nanoseconds) = (Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec))
            }
        }

        /// `more`: names of the same kind, of this folder alone. `except`: paths that are not looked at, nor what lies
        /// in them.
        init(_ folder: String, _ more: [String], except: [String]) {
            var names = Set(more + LaterNames.kept)
            FolderEntries.each(of: folder) { name, _ in
                if LaterNames.isObeyed(name) { names.insert(name) }
                return true
            }
            for name in names where !except.contains(where: { GuardedFolders.isSame("\(folder)/\(name)", orBelow: $0) })
            {
                var status = stat()
                guard unsafe lstat("\(folder)/\(name)", &status) == 0 else { continue }
                marks[name] = Self.marks(of: "\(folder)/\(name)", status, except)
            }
        }

        private static func marks(of path: String, _ status: stat, _ except: [String]) -> Set<Mark> {
            var found: Set<Mark> = []
            // Mounts and shares in a folder are made there, which changes it.
            if status.st_mode & S_IFMT != S_IFDIR { found.insert(Mark("", status)) }
            guard status.st_mode & S_IFMT == S_IFDIR else { return found }
            var (waiting, next) = ([""], 0)
            while next < waiting.count, found.count < mostEntries {
                let below = waiting[next]
                next += 1
                FolderEntries.statuses(of: path + below) { name, status in
                    let inner = "\(below)/\(name)"
                    guard let status, !except.contains(path + inner) else { return }
                    if status.st_mode & S_IFMT == S_IFDIR {
                        waiting.append(inner)
                    } else {
                        found.insert(Mark(inner, status))
                    }
                }
            }
            return found
        }

        /// The names that were not there before, and those that were another thing then.
        func differences(from before: Seen) -> (made: [String], changed: [String]) {
            let made = marks.keys.filter { before.marks[$0] == nil }.sorted()
            let changed = marks.filter { name, marks in before.marks[name].map { $0 != marks } ?? false }.keys.sorted()
            return (made, changed)
        }
    }
}
