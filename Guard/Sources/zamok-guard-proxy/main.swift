// SPDX-License-Identifier: Apache-2.0

import GuardProxy

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

exit(ProxyProgram.run(Array(CommandLine.arguments.dropFirst())))
