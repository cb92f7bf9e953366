// SPDX-License-Identifier: Apache-2.0

/// The flows of a project's functions, each made once.
package final class Flows {
    package let project: ProjectModel
    private var known: [ObjectIdentifier: Flow] = [:]

    package init(_ project: ProjectModel) { self.project = project }

    package func of(_ function: Function) -> Flow {
        if let flow = known[ObjectIdentifier(function)] { return flow }
        let flow = Flow(function, in: project)
        known[ObjectIdentifier(function)] = flow
        return flow
    }

    /// A secret in an expression of a function; if it comes in by a parameter, what the callers pass, `hops` calls back at most.
    package func secret(in expression: Expression, of function: Function, hops: Int = 2) -> Secret? {
        let flow = of(function)
        if let found = flow.secret(in: expression) { return found }
        guard hops > 0, let parameter = flow.parameter(in: expression) else { return nil }
        for call in project.callers(of: function).prefix(16) {
            guard
                let value = project.bound(call, to: function).first(where: { $0.parameter.name == parameter.name })?
                    .value,
                let found = secret(in: value, of: call.caller, hops: hops - 1)
            else { continue }
            return found.through("it is passed to \(function.name)", at: call.place)
        }
        return nil
    }
}
