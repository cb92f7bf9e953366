// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dispatch
import Foundation
import SecretMemory

@main
enum Program {
    /// A waiting round waits before anything runs on a thread of its own. From the first thread on, libdispatch checks
    /// its threads each second.
    static func main() {
        CoreDumps.refuse()
        FreedMemory.overwrite()
        do {
            var command = try ZamokSync.parseAsRoot()
            if let now = command as? Now, now.forWatch {
                guard let called = now.called() else { return }
                command = called
            }
            run(command)
        } catch {
            Failure.exit(error, ZamokSync.self)
        }
        dispatchMain()
    }

    private static func run(_ command: sending any ParsableCommand) {
        Task {
            do {
                var command = command
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
                exit(0)
            } catch {
                Failure.exit(error, ZamokSync.self)
            }
        }
    }
}

/// `zamok sync`: a program of its own, since it brings an HTTP client.
struct ZamokSync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zamok-sync",
        abstract: "Share synchronizable items between machines, over an engine that learns nothing.",
        discussion: """
            Only items that are marked synchronizable travel, never those that are bound to this device or that ask for a person. The engine keeps sealed entries; who runs it can withhold \
            them, and can't read, change or forge any.

            ENGINES:
              file:///folder                  a folder that is shared, or on a disk that is carried
              etcd://host:2379,host2:2379     etcd over TLS; ?ca=FILE&cert=FILE&key=FILE&user=NAME
              etcd+http://127.0.0.1:2379      etcd without TLS: for tries on one machine
              s3://host/bucket?credentials=FILE
                                              a bucket; FILE has two lines, the key and its secret; &region=NAME&prefix=PATH&ca=FILE
              s3+http://127.0.0.1:9000/bucket a bucket without TLS: for tries on one machine

            EXAMPLES:
              zamok sync create file:///srv/zamok
              zamok sync join file:///srv/zamok#ACCOUNT
              zamok sync approve CODE
              printf %s "$TOKEN" | zamok keychain add --service api --account deploy --synchronizable
              zamok sync preferences add editor
              zamok sync now
            """,
        subcommands: [
            Create.self, Join.self, Approve.self, Now.self, Auto.self, Watch.self, ShowStatus.self, Devices.self,
            Remove.self, MakeTicket.self, Tickets.self, MakeRecoveryCode.self, Recover.self, Restart.self,
            ShareDomains.self, Conflicts.self, History.self, Head.self, Leave.self, Share.self,
        ])
}
