// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings

/// Libraries that log or keep each request with its headers and its body, switched on in code that release builds have.
enum NetworkLoggers {
    /// The call that switches one on, and what it is called.
    static func places(in project: ProjectModel) -> [(place: Place, name: String)] {
        let started = starters.flatMap { name, receivers in
            project.calls(to: name).compactMap { call -> (Place, String)? in
                let path = (call.receiver?.dotted ?? "").lowercased()
                guard let library = receivers.first(where: { path.contains($0.lowercased()) }),
                    project.declared(library) == nil
                else { return nil }
                return isQuiet(library, call) ? nil : (call.place, library)
            }
        }
        let plugins = project.calls(to: "NetworkLoggerPlugin").compactMap { call -> (Place, String)? in
            guard project.declared(call.name) == nil, tellsAll(call) else { return nil }
            return (call.place, call.name)
        }
        return started + plugins + monitors(project)
    }

    /// Monitors of Alamofire that print each request for debugging: as a command with its headers and its body.
    private static func monitors(_ project: ProjectModel) -> [(place: Place, name: String)] {
        project.calls(to: "debugPrint").compactMap { call in
            guard let value = call.arguments.first?.value, case .name(let name) = value.kind,
                let type = call.caller.owner.flatMap({ project.type($0) }),
                project.inherits(type, from: "EventMonitor"),
                let parameter = call.caller.parameters.first(where: { $0.name == name }),
                ["Request", "DataRequest", "UploadRequest", "DownloadRequest"].contains(parameter.valueType)
            else { return nil }
            return (call.place, type.shortName)
        }
    }

    private static let starters: [(String, [String])] = [
        ("startLogging", ["AFNetworkActivityLogger", "NetworkActivityLogger", "AlamofireLogger"]),
        ("start", ["NFX", "Atlantis", "Bagel"]), ("enable", ["CocoaDebug", "ResponseDetective"]),
        ("enableAutomaticRegistration", ["URLSessionProxyDelegate"]), ("enableProxy", ["NetworkLogger"]),
    ]

    /// Activity loggers tell headers and bodies only at the level for debugging.
    private static func isQuiet(_ library: String, _ call: CallSite) -> Bool {
        guard library.hasSuffix("Logger"), call.name == "startLogging" else { return false }
        var tells = false
        call.caller.body.visit { part in
            guard case .binary("=", let target, let value) = part.kind, target.lastName == "level",
                let level = value.lastName?.lowercased()
            else { return }
            if level.hasSuffix("debug") || level.hasSuffix("verbose") { tells = true }
        }
        return !tells
    }

    /// Moya's plugin tells bodies where it is asked to.
    private static func tellsAll(_ call: CallSite) -> Bool {
        if let verbose = call.argument("verbose"), case .boolean(true) = verbose.kind { return true }
        var tells = false
        for argument in call.arguments {
            argument.value.visit { part in
                if let name = part.lastName, ["verbose", "requestBody", "successResponseBody"].contains(name) {
                    tells = true
                }
            }
        }
        return tells
    }
}
