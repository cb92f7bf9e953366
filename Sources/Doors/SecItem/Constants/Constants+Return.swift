// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// Asks for the attributes, as a dictionary. A Boolean.
@safe nonisolated(unsafe) public let kSecReturnAttributes: CFString = "r_Attributes"

/// Asks for the secret, as data. A Boolean.
@safe nonisolated(unsafe) public let kSecReturnData: CFString = "r_Data"

/// Asks for the persistent reference, as data. A Boolean.
@safe nonisolated(unsafe) public let kSecReturnPersistentRef: CFString = "r_PersistentRef"

/// Asks for the object: SecKey, SecCertificate or SecIdentity. A Boolean.
@safe nonisolated(unsafe) public let kSecReturnRef: CFString = "r_Ref"
#endif
