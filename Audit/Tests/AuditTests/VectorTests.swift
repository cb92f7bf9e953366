// SPDX-License-Identifier: Apache-2.0

import AuditModel
import AuditRules
import Findings
import Foundation
import Testing

/// Audit/Tests/Vectors/<rule>/<case>: small apps. A rule finds something in those whose name begins with `fires`, nothing in `fine`; where lines have the mark
/// `finds`, it finds exactly those.
@Suite("Vectors of the rules")
struct VectorTests {
    static let folder = URL(filePath: #filePath).appending(path: "../../Vectors").standardized.path
    static let cases: [String] = {
        let files = FileManager.default
        return ((try? files.contentsOfDirectory(atPath: folder)) ?? []).sorted().flatMap { rule in
            ((try? files.contentsOfDirectory(atPath: "\(folder)/\(rule)")) ?? []).sorted().map { "\(rule)/\($0)" }
        }.filter { $0.contains("/fires") || $0.contains("/fine") }
    }()

    /// The files of a vector.
    static func sources(_ path: String) throws -> [(path: String, text: String)] {
        let folder = "\(folder)/\(path)"
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }.sorted() ?? []
        return try names.compactMap { name in
            guard case .file = Disk.entry("\(folder)/\(name)") else { return nil }
            return (name, try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
        }
    }

    @Test(arguments: cases)
    func `a rule fires where it should, and nowhere else`(_ path: String) throws {
        let name = String(path.split(separator: "/")[0])
        let rule = try #require(allRules.first { type(of: $0).description.id == name }, "no rule \(name)")
        let project = ProjectModel.read("\(Self.folder)/\(path)")
        #expect(project.skipped.isEmpty)
        let found = Set(
            rule.examine(project).filter { $0.certainty >= .likely }.map { "\($0.place.file):\($0.place.line)" })
        guard path.contains("/fires") else {
            #expect(found.isEmpty)
            return
        }
        #expect(!found.isEmpty)
        let marked = try marks(path, project)
        if !marked.isEmpty { #expect(found == marked) }
    }

    private func marks(_ path: String, _ project: ProjectModel) throws -> Set<String> {
        var result = Set<String>()
        for file in project.files {
            let text = String(
                decoding: try Data(contentsOf: URL(filePath: "\(Self.folder)/\(path)/\(file.path)")), as: UTF8.self)
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            where line.contains("// finds") || line.contains("<!-- finds -->") {
                result.insert("\(file.path):\(index + 1)")
            }
        }
        return result
    }

    @Test func `every rule has a vector that fires and three that don't`() {
        for rule in allRules.map({ type(of: $0).description.id }) {
            #expect(Self.cases.contains { $0.hasPrefix("\(rule)/fires") }, "\(rule)")
            #expect(Self.cases.count { $0.hasPrefix("\(rule)/fine") } >= 3, "\(rule)")
        }
    }
}
