// SPDX-License-Identifier: Apache-2.0

#if Network
import DataProtection
import Foundation
import KeychainSync
import SecretMemory
import SyncEtcd
import SyncS3

extension EngineURL {
    /// etcd or a bucket.
    func networkEngine() throws -> AnyEngine {
        let transport = components.scheme?.hasSuffix("+http") == true ? "http" : "https"
        guard !hosts.isEmpty else { throw Failure.usage("\(text) names no host") }
        if components.scheme?.hasPrefix("s3") == true { return try bucket("\(transport)://\(hosts[0])") }
        var configuration = EtcdEngine.Configuration(endpoints: hosts.map { "\(transport)://\($0)" })
        let words = try words(of: "an etcd URL", ["ca", "cert", "key", "user", "password-file", "prefix"])
        configuration.authorityFile = try file(words["ca"], "ca")
        if let certificate = try file(words["cert"], "cert"), let key = try file(words["key"], "key") {
            configuration.clientCertificate = (certificate, key)
        }
        if let prefix = words["prefix"] { configuration.prefix = prefix }
        if let user = words["user"] {
            guard let path = words["password-file"] else {
                throw Failure.usage("user needs password-file=FILE beside it in the URL")
            }
            configuration.user = (user, try SecretFile.text(path, called: "password file"))
        }
        return AnyEngine(try EtcdEngine(configuration))
    }

    private func bucket(_ endpoint: String) throws -> AnyEngine {
        let words = try words(of: "a bucket's URL", ["credentials", "region", "prefix", "ca"])
        let name = components.path.split(separator: "/")
        guard name.count == 1 else { throw Failure.usage("behind the host stands the bucket: s3://host/bucket") }
        guard let path = words["credentials"] else {
            throw Failure.usage(
                "a bucket needs credentials=FILE in the URL: a file with two lines, the key and its secret")
        }
        let lines = try SecretFile.text(path, called: "file of credentials").split(separator: "\n").map(String.init)
        guard lines.count == 2 else { throw Failure.usage("\(path) needs two lines, the key and its secret") }
        var configuration = S3Engine.Configuration(
            endpoint: endpoint, bucket: String(name[0]), accessKey: lines[0], secretKey: lines[1])
        if let region = words["region"] { configuration.region = region }
        if let prefix = words["prefix"] { configuration.prefix = prefix }
        configuration.authorityFile = try file(words["ca"], "ca")
        return AnyEngine(try S3Engine(configuration))
    }

    /// A file that the URL names, which has to be there: afterwards it would be the engine that doesn't answer.
    private func file(_ path: String?, _ word: String) throws -> String? {
        if let path, !FileManager.default.isReadableFile(atPath: path) {
            throw Failure.usage("the file that the URL names as \(word) can't be read: \(path)")
        }
        return path
    }

    private func words(of what: String, _ known: [String]) throws -> [String: String] {
        let words = Dictionary((components.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { _, last in last }
        for name in words.keys where !known.contains(name) {
            throw Failure.usage("\(name) is no word of \(what); there are: \(known.joined(separator: ", "))")
        }
        return words
    }
}
#endif
