// SPDX-License-Identifier: Apache-2.0

/// The flows of a project's functions, each made once.
package final class Flows {
    package let project: ProjectModel
    private let context: FlowContext

    package init(_ project: ProjectModel) {
        self.project = project
        context = FlowContext(project)
    }

    package func of(_ function: Function) -> Flow { context.flow(of: function, budget: FlowContext.most) }

    /// A secret in an expression of a function; if it comes in by a parameter, what the callers pass, `hops` calls back at most.
    package func secret(in expression: Expression, of function: Function, hops: Int = 2) -> Secret? {
        context.secret(in: expression, of: function, hops: hops, budget: FlowContext.most)
    }

    /// What a property is given anywhere in the project, if that is a secret.
    package func secret(of property: Property) -> Secret? { context.secret(of: property, budget: FlowContext.most) }
}
