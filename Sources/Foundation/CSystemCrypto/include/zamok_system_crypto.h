// SPDX-License-Identifier: Apache-2.0

// The system's libcrypto (OpenSSL 3), opened when it is first asked for and never linked. It checks certificates' paths, and does what
// swift-crypto has no public function for: SHA-224, RSA of other forms, and files that are encrypted in older ways. No key of a keybag, item
// or file is made or opened by it (Decision 0022).

#ifndef ZAMOK_SYSTEM_CRYPTO_H
#define ZAMOK_SYSTEM_CRYPTO_H

#include <stddef.h>
#include <stdint.h>

/// NULL when the library is there; else why it isn't, in words.
const char *zamok_system_crypto_problem(void);

/// Bytes that are lent for a call.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} zamok_bytes;

/// SHA-224 of the bytes, 28 of them; 0 when it failed.
int zamok_system_sha224(zamok_bytes input, uint8_t *digest);

/// The key derivation of X9.63 with SHA-224; 0 when it failed.
int zamok_system_x963_sha224(zamok_bytes secret, zamok_bytes shared, uint8_t *output, size_t count);

enum {
    zamok_rsa_sign = 1,
    zamok_rsa_verify = 2,
    zamok_rsa_encrypt = 3,
    zamok_rsa_decrypt = 4,
    zamok_rsa_pkcs1 = 1,
    zamok_rsa_none = 3,
    zamok_rsa_oaep = 4,
    zamok_rsa_pss = 6,
};

/// One operation of RSA. The key is PKCS#1 of a private key, or SubjectPublicKeyInfo of a public one. `hash` may be NULL: PKCS#1 without
/// naming a digest. The count of bytes written to `output`; of a verification 1, or 0 for a signature that is none; -1 when it failed.
long zamok_system_rsa(
    int operation, int padding, const char *hash, zamok_bytes key, zamok_bytes input, zamok_bytes signature,
    uint8_t *output, size_t capacity);

/// Decrypts what an AlgorithmIdentifier of PKCS#12 or PKCS#5, DER, encrypted under a passphrase in UTF-8. The count of bytes written, at
/// most as many as there are in `input`; -1 when it failed, -2 when the library does not have the cipher.
long zamok_system_pbe(zamok_bytes algorithm, zamok_bytes passphrase, zamok_bytes input, uint8_t *output);

enum { zamok_agreement_public = 128, zamok_agreement_key = 16 };

/// One side of an agreement of the Secret Service, with a key that is used once: Diffie-Hellman in RFC 2409's second group, then HKDF with
/// SHA-256. The other side's public number is a big-endian number of at most 128 bytes. 1; 0 when it failed, -1 for a number that is none.
int zamok_system_agreement(zamok_bytes peer, uint8_t *own_public, uint8_t *key);

/// AES-128 in CBC mode with PKCS #7; a key and a vector of 16 bytes. `output` has 16 bytes more than the input. The count of bytes written, -1
/// when it failed, which for decryption says no more than that.
long zamok_system_cbc(int encrypts, const uint8_t *key, const uint8_t *vector, zamok_bytes input, uint8_t *output);

/// What is asked about a certificate. All of it is DER.
typedef struct {
    /// The certificate first, then others that may be used to build its path.
    const zamok_bytes *certificates;
    size_t certificate_count;
    const zamok_bytes *anchors;
    size_t anchor_count;
    /// Whether what the system trusts is trusted too.
    int with_system_anchors;
    /// Whether lists of what was revoked are looked at where the system's store has some: 0; 1; 2: there must be one.
    int with_revocation;
    const zamok_bytes *revocation_lists;
    size_t revocation_list_count;
    /// An answer of OCSP about the certificate; empty when there is none.
    zamok_bytes status_response;
    /// Seconds since 1970.
    int64_t time;
    /// A host, an address of IP, or empty.
    zamok_bytes host;
    zamok_bytes mail;
    /// X509_PURPOSE of the library; 0: any.
    int purpose;
    /// The library's level: 1 takes keys of 80 bits of strength, 2 of 112.
    int level;
} zamok_path_question;

enum { zamok_path_limit = 16, zamok_path_failures = 64 };

/// X509_V_ERR of the library, with the place of its certificate in the path, the first 0.
typedef struct {
    int depth;
    int code;
} zamok_path_failure;

typedef struct {
    zamok_path_failure failures[zamok_path_failures];
    size_t failure_count;
    /// The path as far as it could be built. `zamok_path_free` gives it back.
    zamok_bytes path[zamok_path_limit];
    size_t path_count;
} zamok_path_answer;

/// Codes of our own beside the library's: the host is none; a list of what was revoked has no number; an answer of OCSP that is none.
enum { zamok_path_no_host = 1001, zamok_path_no_list_number = 1002, zamok_path_bad_status_response = 1003 };

/// 1 when the answer is filled; 0 when the first certificate can't be read; -1 without memory or library.
int zamok_system_path(const zamok_path_question *question, zamok_path_answer *answer);
void zamok_path_free(zamok_path_answer *answer);

#endif
