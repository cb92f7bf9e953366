// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// NSUserActivity, which the system indexes and hands to other devices, and the state that is saved for restoration.
struct UserActivities: Store {
    func writes(in project: ProjectModel, flows: Flows) -> [Write] {
        var result: [Write] = []
        for call in project.calls(to: "addUserInfoEntries") {
            result.append(Write("an NSUserActivity", call, values: call.plainArguments.map(\.value)))
        }
        for function in project.functions where function.name == "encodeRestorableState" {
            for call in function.calls where call.name == "encode" {
                guard let value = call.plainArguments.first?.value else { continue }
                let key = call.argument("forKey").flatMap { flows.project.scope(of: function).literal($0) }
                result.append(Write("the state saved for restoration", call, values: [value], key: key))
            }
        }
        for site in project.assignments(to: "userInfo") {
            var target = site.target
            if case .element(let inner, _) = target.kind { target = inner }
            guard case .member(let base?, _) = target.kind,
                project.scope(of: site.function).type(of: base) == "NSUserActivity"
                    || base.lastName?.lowercased().contains("activity") == true
            else { continue }
            result.append(Write("an NSUserActivity", site))
        }
        return result
    }
}

/// Contents of notifications, which the lock screen shows and the system keeps.
struct Notifications: Store {
    func writes(in project: ProjectModel, flows: Flows) -> [Write] {
        guard project.swift.contains(where: { $0.imports.contains("UserNotifications") }) else { return [] }
        var result: [Write] = []
        for site in ["body", "title", "subtitle", "userInfo"].flatMap({ project.assignments(to: $0) }) {
            guard case .member(let base?, _) = site.target.kind,
                project.scope(of: site.function).type(of: base) == "UNMutableNotificationContent"
            else { continue }
            result.append(Write("a notification", site))
        }
        return result
    }
}

/// What a script puts into a web view's local storage.
struct WebStorage: Store {
    func writes(in project: ProjectModel, flows: Flows) -> [Write] {
        (project.calls(to: "evaluateJavaScript") + project.calls(to: "WKUserScript")).compactMap { call in
            guard let script = call.plainArguments.first?.value, case .text(let parts) = script.kind else { return nil }
            let stores = parts.contains {
                if case .literal(let text) = $0 {
                    text.contains("localStorage") || text.contains("document.cookie")
                } else {
                    false
                }
            }
            return stores ? Write("the web view's storage", call, values: [script]) : nil
        }
    }
}
