// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/statuses from Statuses.tsv.

#if !canImport(Darwin)

// Attributes of cryptographic operations; named so that tables of codes compile.

/// The context is invalid.
public let errSecInvalidContext: OSStatus = -67_746

/// The algorithm is invalid.
public let errSecInvalidAlgorithm: OSStatus = -67_747

/// The key among the attributes is invalid.
public let errSecInvalidAttributeKey: OSStatus = -67_748

/// The attributes have no key.
public let errSecMissingAttributeKey: OSStatus = -67_749

/// The initialization vector among the attributes is invalid.
public let errSecInvalidAttributeInitVector: OSStatus = -67_750

/// The attributes have no initialization vector.
public let errSecMissingAttributeInitVector: OSStatus = -67_751

/// The salt among the attributes is invalid.
public let errSecInvalidAttributeSalt: OSStatus = -67_752

/// The attributes have no salt.
public let errSecMissingAttributeSalt: OSStatus = -67_753

/// The padding among the attributes is invalid.
public let errSecInvalidAttributePadding: OSStatus = -67_754

/// The attributes have no padding.
public let errSecMissingAttributePadding: OSStatus = -67_755

/// The random number among the attributes is invalid.
public let errSecInvalidAttributeRandom: OSStatus = -67_756

/// The attributes have no random number.
public let errSecMissingAttributeRandom: OSStatus = -67_757

/// The seed among the attributes is invalid.
public let errSecInvalidAttributeSeed: OSStatus = -67_758

/// The attributes have no seed.
public let errSecMissingAttributeSeed: OSStatus = -67_759

/// The passphrase among the attributes is invalid.
public let errSecInvalidAttributePassphrase: OSStatus = -67_760

/// The attributes have no passphrase.
public let errSecMissingAttributePassphrase: OSStatus = -67_761

/// The key length among the attributes is invalid.
public let errSecInvalidAttributeKeyLength: OSStatus = -67_762

/// The attributes have no key length.
public let errSecMissingAttributeKeyLength: OSStatus = -67_763

/// The block size among the attributes is invalid.
public let errSecInvalidAttributeBlockSize: OSStatus = -67_764

/// The attributes have no block size.
public let errSecMissingAttributeBlockSize: OSStatus = -67_765

/// The output size among the attributes is invalid.
public let errSecInvalidAttributeOutputSize: OSStatus = -67_766

/// The attributes have no output size.
public let errSecMissingAttributeOutputSize: OSStatus = -67_767

/// The number of rounds among the attributes is invalid.
public let errSecInvalidAttributeRounds: OSStatus = -67_768

/// The attributes have no number of rounds.
public let errSecMissingAttributeRounds: OSStatus = -67_769

/// The parameters of the algorithm are invalid.
public let errSecInvalidAlgorithmParms: OSStatus = -67_770

/// The algorithm has no parameters.
public let errSecMissingAlgorithmParms: OSStatus = -67_771

/// The label among the attributes is invalid.
public let errSecInvalidAttributeLabel: OSStatus = -67_772

/// The attributes have no label.
public let errSecMissingAttributeLabel: OSStatus = -67_773

/// The key type among the attributes is invalid.
public let errSecInvalidAttributeKeyType: OSStatus = -67_774

/// The attributes have no key type.
public let errSecMissingAttributeKeyType: OSStatus = -67_775

/// The mode among the attributes is invalid.
public let errSecInvalidAttributeMode: OSStatus = -67_776

/// The attributes have no mode.
public let errSecMissingAttributeMode: OSStatus = -67_777

/// The number of effective bits among the attributes is invalid.
public let errSecInvalidAttributeEffectiveBits: OSStatus = -67_778

/// The attributes have no number of effective bits.
public let errSecMissingAttributeEffectiveBits: OSStatus = -67_779

/// The start date among the attributes is invalid.
public let errSecInvalidAttributeStartDate: OSStatus = -67_780

/// The attributes have no start date.
public let errSecMissingAttributeStartDate: OSStatus = -67_781

/// The end date among the attributes is invalid.
public let errSecInvalidAttributeEndDate: OSStatus = -67_782

/// The attributes have no end date.
public let errSecMissingAttributeEndDate: OSStatus = -67_783

/// The version among the attributes is invalid.
public let errSecInvalidAttributeVersion: OSStatus = -67_784

/// The attributes have no version.
public let errSecMissingAttributeVersion: OSStatus = -67_785

/// The prime among the attributes is invalid.
public let errSecInvalidAttributePrime: OSStatus = -67_786

/// The attributes have no prime.
public let errSecMissingAttributePrime: OSStatus = -67_787

/// The base among the attributes is invalid.
public let errSecInvalidAttributeBase: OSStatus = -67_788

/// The attributes have no base.
public let errSecMissingAttributeBase: OSStatus = -67_789

/// The subprime among the attributes is invalid.
public let errSecInvalidAttributeSubprime: OSStatus = -67_790

/// The attributes have no subprime.
public let errSecMissingAttributeSubprime: OSStatus = -67_791

/// The number of iterations among the attributes is invalid.
public let errSecInvalidAttributeIterationCount: OSStatus = -67_792

/// The attributes have no number of iterations.
public let errSecMissingAttributeIterationCount: OSStatus = -67_793

/// The database handle among the attributes is invalid.
public let errSecInvalidAttributeDLDBHandle: OSStatus = -67_794

/// The attributes have no database handle.
public let errSecMissingAttributeDLDBHandle: OSStatus = -67_795

/// The credentials among the attributes are invalid.
public let errSecInvalidAttributeAccessCredentials: OSStatus = -67_796

/// The attributes have no credentials.
public let errSecMissingAttributeAccessCredentials: OSStatus = -67_797

/// The format of the public key among the attributes is invalid.
public let errSecInvalidAttributePublicKeyFormat: OSStatus = -67_798

/// The attributes have no format of the public key.
public let errSecMissingAttributePublicKeyFormat: OSStatus = -67_799

/// The format of the private key among the attributes is invalid.
public let errSecInvalidAttributePrivateKeyFormat: OSStatus = -67_800

/// The attributes have no format of the private key.
public let errSecMissingAttributePrivateKeyFormat: OSStatus = -67_801

/// The format of the symmetric key among the attributes is invalid.
public let errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67_802

/// The attributes have no format of the symmetric key.
public let errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67_803

/// The format of the wrapped key among the attributes is invalid.
public let errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67_804

/// The attributes have no format of the wrapped key.
public let errSecMissingAttributeWrappedKeyFormat: OSStatus = -67_805

#endif
