// SPDX-License-Identifier: Apache-2.0

import Configuration
import Hummingbird
import ZamokConfiguration

@main
struct App {
    static func main() async throws {
        let config = ConfigReader(providers: [ZamokProvider(service: "app"), EnvironmentVariablesProvider()])
        // Locked or absent is an error here: the server does not start without its token.
        let token = try config.requiredString(forKey: "http.token", isSecret: true)

        let router = Router()
        router.get("/") { request, _ in
            guard request.headers[.authorization] == "Bearer \(token)" else { throw HTTPError(.unauthorized) }
            return "Hello\n"
        }
        let port = config.int(forKey: "port", default: 8080)
        let app = Application(
            router: router, configuration: .init(address: .hostname("0.0.0.0", port: port), serverName: "app"))
        try await app.runService()
    }
}
