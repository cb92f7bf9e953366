// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import JWTKit

// Names nothing of ours: the remedy is the product among the dependencies.
let keys = JWTKeyCollection()
try await HTTPClient(eventLoopGroupProvider: .singleton).shutdown()
print(keys)
