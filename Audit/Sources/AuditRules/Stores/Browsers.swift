// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// URLs that are opened outside of the app: the browser keeps them in its history, and another app is given them whole.
struct Browsers: Store {
    static let name = "the browser's history"

    func writes(in project: ProjectModel, flows: Flows) -> [Write] {
        let opened = (project.calls(to: "open") + project.calls(to: "openURL")).filter { call in
            if call.name == "openURL" { return true }
            return call.receiver(
                flows, isOneOf: ["UIApplication", "NSWorkspace", "OpenURLAction"],
                orNamed: [
                    "uiapplication", "application.shared", "nsworkspace",
                ])
        }
        let shown = project.calls(to: "SFSafariViewController") + project.calls(to: "Link")
        return opened.compactMap { call in
            call.plainArguments.first.map { Write(Self.name, call, values: [$0.value]) }
        }
            + shown.compactMap { call in
                (call.argument("url") ?? call.argument("URL") ?? call.argument("destination")).map {
                    Write(Self.name, call, values: [$0])
                }
            }
    }
}
