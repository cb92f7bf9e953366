// SPDX-License-Identifier: Apache-2.0

import Findings
import Foundation

/// What was found in an earlier revision: its files are put into a folder of their own and examined in the same way, so that what counts as new is what
/// a change brought, wherever its place is.
enum Revision {
    static func baseline(_ revision: String, _ settings: Settings) throws -> Baseline {
        guard !revision.hasPrefix("-") else { throw Failure(message: "\"\(revision.printable)\" is no revision") }
        let folder = FileManager.default.temporaryDirectory.appending(path: "zamok-audit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(revision, of: settings.root, to: folder)
        var earlier = settings
        earlier.root = folder.appending(path: "tree").path
        earlier.revision = nil
        earlier.baseline = nil
        earlier.usesCache = false
        var run = AuditRun(earlier)
        let report = try run.report()
        return Baseline(report.findings, &run.sources)
    }

    /// Through an index of its own: the one of the checkout stays as it is.
    private static func write(_ revision: String, of root: String, to folder: URL) throws {
        let prefix = try git(["rev-parse", "--show-prefix"], root, what: "\(root.printable) is not in a git checkout")
        let commit = try git(
            ["rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"], root,
            what: "git knows no revision \"\(revision.printable)\" here")
        let index = ["GIT_INDEX_FILE": folder.appending(path: "index").path, "GIT_LFS_SKIP_SMUDGE": "1"]
        let tree = folder.appending(path: "tree")
        try FileManager.default.createDirectory(at: tree, withIntermediateDirectories: true)
        // A folder that is new since then had nothing in it.
        let kind = try? git(["cat-file", "-t", "\(commit):\(prefix)"], root, what: "")
        guard kind == "tree" else { return }
        try git(["read-tree", "\(commit):\(prefix)"], root, index, what: "git could not read \(revision.printable)")
        try git(
            [
                "-c", "core.fsmonitor=false", "-c", "core.worktree=\(tree.path)", "checkout-index", "-a", "-q",
                "--prefix=\(tree.path)/",
            ], root, index,
            what: "git could not write the files of \(revision.printable)")
    }

    @discardableResult
    private static func git(
        _ words: [String], _ folder: String, _ variables: [String: String] = [:], what: String
    ) throws -> String {
        let git = try OtherProgram(["git", "-C", folder] + words, variables)
        guard git.status == 0 else {
            throw Failure(message: what + (git.errors.split(separator: "\n").first.map { ": \($0)".printable } ?? ""))
        }
        return git.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
