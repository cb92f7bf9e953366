// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// Cookies kept by the shared storage, and responses kept by URLCache.
struct Cookies: Store {
    func writes(in project: ProjectModel, flows: Flows) -> [Write] {
        var result: [Write] = []
        for call in project.calls(to: "setCookie") + project.calls(to: "setCookies") {
            guard let value = call.plainArguments.first?.value else { continue }
            let isWeb = call.receiver(flows, isOneOf: ["WKHTTPCookieStore"], orNamed: ["httpcookiestore"])
            result.append(Write(isWeb ? "the web view's cookies" : "the shared cookie storage", call, values: [value]))
        }
        for call in project.calls(to: "HTTPCookie") {
            guard let properties = call.argument("properties"),
                case .dictionary(let pairs) = flows.project.scope(of: call.caller).resolved(properties).kind
            else { continue }
            // A cookie without an end lives as long as the app runs.
            guard pairs.contains(where: { $0.key.lastName == "expires" || $0.key.lastName == "maximumAge" }) else {
                continue
            }
            guard
                let name = pairs.first(where: { $0.key.lastName == "name" }).flatMap({
                    flows.project.scope(of: call.caller).literal($0.value)
                }),
                let value = pairs.first(where: { $0.key.lastName == "value" })?.value
            else { continue }
            result.append(Write("a cookie that is kept", call, values: [value], key: name))
        }
        for call in project.calls(to: "storeCachedResponse") {
            guard let value = call.plainArguments.first?.value else { continue }
            result.append(Write("the URL cache", call, values: [value]))
        }
        return result
    }
}
