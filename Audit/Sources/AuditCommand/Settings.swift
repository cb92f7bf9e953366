// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings
import Foundation

/// What the command line and the configuration ask for together.
struct Settings: Sendable {
    var root: String
    var rulebook = Rulebook.whole
    var configuration = Configuration()
    var baseline: Baseline?
    var revision: String?
    var minCertainty: Certainty?
    /// Empty for all.
    var rules: Set<String> = []
    var options = ProjectModel.Options()
    var usesCache = true
    /// Where it is kept; nil is `$XDG_CACHE_HOME/zamok-audit`.
    var cacheFolder: String?
    /// What the configuration says, as it is: part of what the cache goes by.
    var configurationText: [UInt8] = []

    init(root: String) { self.root = root }

    init(_ command: CheckCommand) throws {
        root = command.path
        guard FileManager.default.fileExists(atPath: root) else {
            throw Failure(message: "\(root.printable): there is no such file or folder")
        }
        try readConfiguration(command.config)
        let own = configuration.baseline.map { "\(root)/\($0)" }
        if command.baseline == nil, let own { try refuseOutside(own) }
        if let path = command.baseline ?? own {
            do { baseline = try Baseline(text: try Output.read(path)) } catch let failure as Baseline.Failure {
                throw Failure(message: "\(path.printable): \(failure.message)")
            }
        }
        revision = command.changedSince
        minCertainty = command.minCertainty
        rules = Set(command.rule)
        usesCache = !command.noCache
        options.includeThirdParty = command.includeThirdParty
        options.includeTests = command.includeTests
        options.workers = command.threads
    }

    private mutating func readConfiguration(_ given: String?) throws {
        let path = given ?? "\(root)/\(Configuration.name)"
        // A link that leads nowhere is no configuration that isn't there.
        guard given != nil || Disk.entry(path) != nil else { return }
        if given == nil { try refuseOutside(path) }
        configurationText = try Output.read(path)
        do {
            configuration = try Configuration(text: configurationText, knownRules: rulebook.names)
        } catch {
            throw Failure(message: "\(path.printable): \(error.message)")
        }
        let (own, foreign, left) = (configuration.own, configuration.thirdParty, configuration.exclude)
        options.origin = { path in
            if own.contains(where: { $0.matches(path) }) { return .own }
            return foreign.contains { $0.matches(path) } ? .thirdParty : nil
        }
        if !left.isEmpty { options.leaveOut = { path in left.contains { $0.matches(path) } } }
    }

    /// What the folder itself names is in it: a link there would bring in what others wrote.
    private func refuseOutside(_ path: String) throws {
        guard !path.dropFirst(root.count).split(separator: "/").contains(".."), let target = Disk.resolved(path),
            let folder = Disk.resolved(root), !target.hasPrefix(folder == "/" ? folder : folder + "/")
        else { return }
        throw Failure(message: "\(path.printable): the link leads out of the examined folder")
    }

    var absoluteRoot: String { URL(fileURLWithPath: root).standardizedFileURL.path }
    var name: String { URL(fileURLWithPath: root).standardizedFileURL.lastPathComponent }

    /// Whether a file is looked at.
    func isExamined(_ file: ProjectFile) -> Bool { options.examines(file.origin) }
}
