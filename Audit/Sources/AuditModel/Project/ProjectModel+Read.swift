// SPDX-License-Identifier: Apache-2.0

extension ProjectModel {
    /// Reads and joins the files of a tree.
    package init(_ tree: FileTree, options: Options) {
        files = tree.files
        var skipped = tree.skipped
        let examined = tree.files.filter { options.examines($0.origin) }
        let sources = examined.filter { $0.ending == "swift" }
        let largest = options.largestFile
        let most = options.mostSeconds
        let read = Workers.map(sources, workers: options.workers, within: most) { file in
            tree.text(of: file, most: largest).map { (SwiftReader.read($0.bytes, path: file.path), $0.isWhole) }
        }
        for (file, result) in zip(sources, read) where result??.1 != true {
            let reason =
                switch result {
                case nil: "it takes more than \(Int(most)) seconds to be read"
                case .some(.some): "it holds bytes that are no text"
                case .some(nil) where file.size > largest: "it is larger than \(largest) bytes"
                case .some(nil): "it can't be read"
                }
            skipped.append(Skipped(path: file.path, reason: reason))
        }
        resources = Resources.read(examined, text: { tree.text(of: $0, most: largest) }, skipped: &skipped)
        swift =
            read.compactMap { $0??.0 }
            + Workers.map(resources.objectiveC, workers: options.workers) { ObjCReader.read($0) }
        skipped += Self.missing(resources.signing, tree, options)
        swiftByPath = Dictionary(swift.enumerated().map { ($0.element.path, $0.offset) }) { first, _ in first }
        for file in swift { if let cut = file.cut { skipped.append(Skipped(path: file.path, reason: cut)) } }
        for file in swift where file.isMerging {
            skipped.append(Skipped(path: file.path, reason: Skipped.conflict))
        }
        self.skipped = skipped

        var aliases: [String: Set<String>] = [:]
        for (name, type) in swift.flatMap(\.aliases) where name != type { aliases[name, default: []].insert(type) }
        self.aliases = aliases.compactMapValues { $0.count == 1 ? $0.first : nil }
        let declarations = Targets.separate(swift.flatMap(\.types))
        types = ByName(
            declarations.sorted { $0.key < $1.key }
                .map { ($0.key, TypeModel(name: $0.key, declarations: $0.value)) })
        typesByShortName = Dictionary(grouping: types.values, by: \.shortName)
        namesakes = Dictionary(grouping: types.values, by: \.plainName).filter { $0.value.count > 1 }
            .mapValues(Namesakes.init)
        var below: [String: [TypeModel]] = [:]
        for type in types.values { for base in type.inherits { below[lastPart(of: base), default: []].append(type) } }
        subclasses = below
        let methods = declarations.values.flatMap { $0.flatMap(\.functions) }
        functions = (methods + swift.flatMap(\.functions)).sorted {
            ($0.file, $0.span.start) < ($1.file, $1.span.start)
        }
        functionsByName = Dictionary(grouping: functions, by: \.name)
        variables = ByName(swift.flatMap(\.variables).map { ($0.name, $0) })
        var calls: [String: [CallSite]] = [:]
        var assignments: [String: [Assignment]] = [:]
        var expressions = 0
        for function in functions {
            function.body.visit { part in
                expressions += 1
                if case .call(let callee, let arguments) = part.kind {
                    let call = CallSite(expression: part, callee: callee, arguments: arguments, caller: function)
                    calls[call.name, default: []].append(call)
                }
                guard let (name, site) = part.assignment(in: function) else { return }
                assignments[name, default: []].append(site)
            }
        }
        steps = StepLimit(expressions: expressions)
        callsByName = calls
        assignmentsByName = assignments
        ownersByProperty = types.values.reduce(into: [:]) { count, type in
            for name in type.properties.keys { count[name, default: 0] += 1 }
        }
    }
}

extension Expression {
    /// What the expression gives a name: `name = value`, `name += value`, `name[key] = value`, `name.append(value)`.
    fileprivate func assignment(in function: Function) -> (String, Assignment)? {
        switch kind {
        case .binary("=", let target, let value), .binary("+=", let target, let value):
            if case .element(let base, _) = target.kind {
                return base.memberName.map {
                    ($0, Assignment(target: target, value: value, function: function, isPart: true))
                }
            }
            return target.memberName.map {
                ($0, Assignment(target: target, value: value, function: function, isPart: false))
            }
        case .call(let callee, let arguments):
            guard case .member(let base?, let method) = callee.kind, Flow.filling.contains(method),
                let name = base.memberName, let value = arguments.first, !value.isTrailing
            else { return nil }
            return (name, Assignment(target: base, value: value.value, function: function, isPart: true))
        default: return nil
        }
    }

    /// The name of a local or of a member; nil for calls and other expressions.
    private var memberName: String? {
        switch kind {
        case .name(let name): name.hasPrefix("_") ? String(name.dropFirst()) : name
        case .member(_, let name): name
        default: nil
        }
    }
}

extension ProjectModel {
    /// Projects that are based on a file that isn't there say only a part of their settings. Each such file is told
    /// once.
    private static func missing(
        _ projects: [SigningFile], _ tree: FileTree, _ options: Options
    ) -> [Skipped] {
        var told = Set<String>()
        return projects.flatMap { project -> [Skipped] in
            let root = tree.absolute(project.path)?.dropLast(project.path.utf8.count) ?? ""
            return project.missingFiles.compactMap { file in
                let name = file.split(separator: "/").last.map(String.init) ?? ""
                // One outside of the folder goes by its name.
                let isBelow = !root.isEmpty && file.hasPrefix(root) && !file.contains("/../")
                let path = isBelow ? String(file.dropFirst(root.count)) : name
                guard !options.leaveOut(path), told.insert(path).inserted else { return nil }
                return Skipped(
                    path: project.path,
                    reason: "it is based on \(name), which is not there; if git ignores that file, "
                        + "write \"exclude\": [\"\(path)\"] into .zamok-audit.json")
            }
        }
    }
}

extension Function {
    /// The calls in the body, those inside of closures and local functions too, in the order of the source's nesting.
    package var calls: [CallSite] {
        var result: [CallSite] = []
        body.visit { expression in
            guard case .call(let callee, let arguments) = expression.kind else { return }
            result.append(CallSite(expression: expression, callee: callee, arguments: arguments, caller: self))
        }
        return result
    }

    /// Whether calls reach it under its name, as they reach no accessor.
    var isCalled: Bool { kind == .function || kind == .initializer }

    /// `save(value:key:)`'s labels.
    package var labels: [String?] { parameters.map(\.label) }
}
