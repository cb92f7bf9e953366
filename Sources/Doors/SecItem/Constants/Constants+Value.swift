// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// The secret, as data.
@safe nonisolated(unsafe) public let kSecValueData: CFString = "v_Data"

/// The persistent reference, as data of 20 bytes; the older form has 12.
@safe nonisolated(unsafe) public let kSecValuePersistentRef: CFString = "v_PersistentRef"

/// The object: SecKey, SecCertificate or SecIdentity.
@safe nonisolated(unsafe) public let kSecValueRef: CFString = "v_Ref"
#endif
