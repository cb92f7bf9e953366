// SPDX-License-Identifier: Apache-2.0

// What is taken from libcrypto: its ABI of version 3, declared here, so that nothing of OpenSSL is needed to build.

#ifndef ZAMOK_LIBRARY_H
#define ZAMOK_LIBRARY_H

#include "zamok_system_crypto.h"

/// Judges a list of what was revoked.
typedef int (*zamok_check_list)(void *context, void *list);

#define ZAMOK_FUNCTIONS(F)                                                                                             \
    F(unsigned long, OpenSSL_version_num, (void))                                                                      \
    F(void, ERR_clear_error, (void))                                                                                   \
    F(void *, OSSL_LIB_CTX_new, (void))                                                                                \
    F(void *, OSSL_PROVIDER_load, (void *, const char *))                                                              \
    F(void, CRYPTO_free, (void *, const char *, int))                                                                  \
    F(void *, OPENSSL_sk_new_null, (void))                                                                             \
    F(int, OPENSSL_sk_push, (void *, const void *))                                                                    \
    F(int, OPENSSL_sk_num, (const void *))                                                                             \
    F(void *, OPENSSL_sk_value, (const void *, int))                                                                   \
    F(void, OPENSSL_sk_pop_free, (void *, void (*)(void *)))                                                           \
    F(void *, EVP_MD_fetch, (void *, const char *, const char *))                                                      \
    F(void, EVP_MD_free, (void *))                                                                                     \
    F(int, EVP_Digest, (const void *, size_t, unsigned char *, unsigned *, const void *, void *))                      \
    F(void *, EVP_KDF_fetch, (void *, const char *, const char *))                                                     \
    F(void, EVP_KDF_free, (void *))                                                                                    \
    F(void *, EVP_KDF_CTX_new, (void *))                                                                               \
    F(void, EVP_KDF_CTX_free, (void *))                                                                                \
    F(int, EVP_KDF_derive, (void *, unsigned char *, size_t, const void *))                                            \
    F(void *, d2i_PUBKEY_ex, (void **, const unsigned char **, long, void *, const char *))                            \
    F(void *, d2i_AutoPrivateKey_ex, (void **, const unsigned char **, long, void *, const char *))                    \
    F(void, EVP_PKEY_free, (void *))                                                                                   \
    F(void *, EVP_PKEY_CTX_new_from_name, (void *, const char *, const char *))                                        \
    F(int, EVP_PKEY_fromdata_init, (void *))                                                                           \
    F(int, EVP_PKEY_fromdata, (void *, void **, int, void *))                                                          \
    F(int, EVP_PKEY_keygen_init, (void *))                                                                             \
    F(int, EVP_PKEY_keygen, (void *, void **))                                                                         \
    F(int, EVP_PKEY_get_octet_string_param, (const void *, const char *, unsigned char *, size_t, size_t *))           \
    F(int, EVP_PKEY_derive_init, (void *))                                                                             \
    F(int, EVP_PKEY_derive_set_peer, (void *, void *))                                                                 \
    F(int, EVP_PKEY_derive, (void *, unsigned char *, size_t *))                                                       \
    F(int, EVP_PKEY_CTX_set_dh_pad, (void *, int))                                                                     \
    F(void *, EVP_CIPHER_fetch, (void *, const char *, const char *))                                                  \
    F(void, EVP_CIPHER_free, (void *))                                                                                 \
    F(void *, EVP_CIPHER_CTX_new, (void))                                                                              \
    F(void, EVP_CIPHER_CTX_free, (void *))                                                                             \
    F(int, EVP_CipherInit_ex2, (void *, const void *, const unsigned char *, const unsigned char *, int, const void *))\
    F(int, EVP_CipherUpdate, (void *, unsigned char *, int *, const unsigned char *, int))                             \
    F(int, EVP_CipherFinal_ex, (void *, unsigned char *, int *))                                                       \
    F(void *, EVP_PKEY_CTX_new_from_pkey, (void *, void *, const char *))                                              \
    F(void, EVP_PKEY_CTX_free, (void *))                                                                               \
    F(int, EVP_PKEY_sign_init, (void *))                                                                               \
    F(int, EVP_PKEY_sign, (void *, unsigned char *, size_t *, const unsigned char *, size_t))                          \
    F(int, EVP_PKEY_verify_init, (void *))                                                                             \
    F(int, EVP_PKEY_verify, (void *, const unsigned char *, size_t, const unsigned char *, size_t))                    \
    F(int, EVP_PKEY_encrypt_init, (void *))                                                                            \
    F(int, EVP_PKEY_encrypt, (void *, unsigned char *, size_t *, const unsigned char *, size_t))                       \
    F(int, EVP_PKEY_decrypt_init, (void *))                                                                            \
    F(int, EVP_PKEY_decrypt, (void *, unsigned char *, size_t *, const unsigned char *, size_t))                       \
    F(int, EVP_PKEY_CTX_set_rsa_padding, (void *, int))                                                                \
    F(int, EVP_PKEY_CTX_set_signature_md, (void *, const void *))                                                      \
    F(int, EVP_PKEY_CTX_set_rsa_oaep_md_name, (void *, const char *, const char *))                                    \
    F(int, EVP_PKEY_CTX_set_rsa_mgf1_md_name, (void *, const char *, const char *))                                    \
    F(int, EVP_PKEY_CTX_set_rsa_pss_saltlen, (void *, int))                                                            \
    F(void *, d2i_X509_ALGOR, (void **, const unsigned char **, long))                                                 \
    F(void, X509_ALGOR_free, (void *))                                                                                 \
    F(unsigned char *, PKCS12_pbe_crypt_ex,                                                                            \
      (const void *, const char *, int, const unsigned char *, int, unsigned char **, int *, int, void *,              \
       const char *))                                                                                                  \
    F(void *, X509_new_ex, (void *, const char *))                                                                     \
    F(void *, d2i_X509, (void **, const unsigned char **, long))                                                       \
    F(int, i2d_X509, (const void *, unsigned char **))                                                                 \
    F(void, X509_free, (void *))                                                                                       \
    F(void *, d2i_X509_CRL, (void **, const unsigned char **, long))                                                   \
    F(void *, X509_CRL_new_ex, (void *, const char *))                                                                 \
    F(void, X509_CRL_free, (void *))                                                                                   \
    F(int, X509_CRL_get_ext_by_NID, (const void *, int, int))                                                          \
    F(void *, X509_STORE_new, (void))                                                                                  \
    F(void, X509_STORE_free, (void *))                                                                                 \
    F(int, X509_STORE_add_cert, (void *, void *))                                                                      \
    F(int, X509_STORE_add_crl, (void *, void *))                                                                       \
    F(void, X509_STORE_set_check_crl, (void *, zamok_check_list))                                                      \
    F(int, X509_STORE_set_default_paths_ex, (void *, void *, const char *))                                            \
    F(void *, X509_STORE_CTX_new_ex, (void *, const char *))                                                           \
    F(void, X509_STORE_CTX_free, (void *))                                                                             \
    F(int, X509_STORE_CTX_init, (void *, void *, void *, void *))                                                      \
    F(void, X509_STORE_CTX_cleanup, (void *))                                                                          \
    F(void *, X509_STORE_CTX_get0_param, (const void *))                                                               \
    F(void, X509_STORE_CTX_set_verify_cb, (void *, int (*)(int, void *)))                                              \
    F(int, X509_STORE_CTX_get_error, (const void *))                                                                   \
    F(int, X509_STORE_CTX_get_error_depth, (const void *))                                                             \
    F(void, X509_STORE_CTX_set_error, (void *, int))                                                                   \
    F(void *, X509_STORE_CTX_get0_chain, (const void *))                                                               \
    F(zamok_check_list, X509_STORE_CTX_get_check_crl, (const void *))                                                  \
    F(int, CRYPTO_get_ex_new_index, (int, long, void *, void *, void *, void *))                                       \
    F(int, X509_STORE_CTX_set_ex_data, (void *, int, void *))                                                          \
    F(void *, X509_STORE_CTX_get_ex_data, (const void *, int))                                                         \
    F(int, X509_verify_cert, (void *))                                                                                 \
    F(int, X509_VERIFY_PARAM_set_flags, (void *, unsigned long))                                                       \
    F(void, X509_VERIFY_PARAM_set_time, (void *, int64_t))                                                             \
    F(void, X509_VERIFY_PARAM_set_depth, (void *, int))                                                                \
    F(void, X509_VERIFY_PARAM_set_auth_level, (void *, int))                                                           \
    F(int, X509_VERIFY_PARAM_set_purpose, (void *, int))                                                               \
    F(int, X509_VERIFY_PARAM_set1_host, (void *, const char *, size_t))                                                \
    F(int, X509_VERIFY_PARAM_set1_ip, (void *, const unsigned char *, size_t))                                         \
    F(int, X509_VERIFY_PARAM_set1_email, (void *, const char *, size_t))                                               \
    F(void, X509_VERIFY_PARAM_set_hostflags, (void *, unsigned))                                                       \
    F(void *, d2i_OCSP_RESPONSE, (void **, const unsigned char **, long))                                              \
    F(void, OCSP_RESPONSE_free, (void *))                                                                              \
    F(int, OCSP_response_status, (void *))                                                                             \
    F(void *, OCSP_response_get1_basic, (void *))                                                                      \
    F(void, OCSP_BASICRESP_free, (void *))                                                                             \
    F(int, OCSP_basic_verify, (void *, void *, void *, unsigned long))                                                 \
    F(int, OCSP_resp_count, (void *))                                                                                  \
    F(void *, OCSP_resp_get0, (void *, int))                                                                           \
    F(const void *, OCSP_SINGLERESP_get0_id, (const void *))                                                           \
    F(int, OCSP_id_get0_info, (void **, void **, void **, void **, void *))                                            \
    F(void *, OCSP_cert_to_id, (const void *, const void *, const void *))                                             \
    F(int, OCSP_id_cmp, (const void *, const void *))                                                                  \
    F(void, OCSP_CERTID_free, (void *))                                                                                \
    F(int, OCSP_single_get0_status, (void *, int *, void **, void **, void **))                                        \
    F(int, ASN1_TIME_to_tm, (const void *, void *))                                                                    \
    F(int, OBJ_obj2nid, (const void *))                                                                                \
    F(const char *, OBJ_nid2sn, (int))

#define ZAMOK_DECLARE(result, name, parameters) result(*name) parameters;

typedef struct {
    ZAMOK_FUNCTIONS(ZAMOK_DECLARE)
    /// A context of ours: the system's configuration is not read, and what others do with the library changes nothing here.
    void *context;
    /// One with the older ciphers; NULL where they are not installed.
    void *legacy_context;
    int answer_index;
} zamok_library;

/// NULL when it isn't there.
const zamok_library *zamok_open_library(void);

#endif
