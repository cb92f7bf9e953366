// SPDX-License-Identifier: Apache-2.0

import Findings
import Foundation

/// What was found in an earlier revision: its files are put into a folder of their own and examined in the same way, so that what counts as new is what
/// a change brought, wherever its place is.
enum Revision {
    static func baseline(_ revision: String, _ settings: Settings) throws -> Baseline {
        let folder = FileManager.default.temporaryDirectory.appending(path: "zamok-audit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        for (path, bytes) in try GitObjects(folder: settings.root).files(of: revision) {
            // A name that is no text can't be examined either.
            guard let name = String(validating: path, as: UTF8.self) else { continue }
            let file = folder.appending(path: name)
            do {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try bytes.write(to: file, options: .withoutOverwriting)
            } catch {
                throw Failure(
                    message: "\(name.printable) of that revision can't be put aside: it may be there twice")
            }
        }
        var earlier = settings
        earlier.root = folder.path
        earlier.revision = nil
        earlier.baseline = nil
        earlier.usesCache = false
        var run = AuditRun(earlier)
        let report = try run.report()
        return Baseline(report.findings, &run.sources)
    }
}
