// SPDX-License-Identifier: Apache-2.0

#include "library.h"

#include <stdlib.h>

#if defined(_WIN32)
static const char *problem = "OpenSSL 3 is not looked for on this system";
const zamok_library *zamok_open_library(void) { return NULL; }
const char *zamok_system_crypto_problem(void) { return problem; }
#else
#include <dlfcn.h>
#include <pthread.h>

static zamok_library library;
static const char *problem;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *opened(void) {
    static const char *const names[] = {"libcrypto.so.3", "libcrypto.3.dylib"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (handle) return handle;
    }
    return NULL;
}

static void open_library(void) {
    problem = "the system has no libcrypto of OpenSSL 3 (libcrypto.so.3); install it, on Debian and Ubuntu: apt install libssl3";
    void *handle = opened();
    if (!handle) return;
#define ZAMOK_FIND(result, name, parameters)                                                                           \
    *(void **)&library.name = dlsym(handle, #name);                                                                    \
    if (!library.name) return;
    problem = "the system's libcrypto is not one of OpenSSL 3: a function of it is missing";
    ZAMOK_FUNCTIONS(ZAMOK_FIND)
    problem = "the system's libcrypto is not one of OpenSSL 3";
    if (library.OpenSSL_version_num() >> 28 != 3) return;
    problem = "the system's libcrypto could not be started";
    library.context = library.OSSL_LIB_CTX_new();
    // CRYPTO_EX_INDEX_X509_STORE_CTX is 5.
    library.answer_index = library.CRYPTO_get_ex_new_index(5, 0, NULL, NULL, NULL, NULL);
    if (!library.context || library.answer_index < 0) return;
    if (!library.OSSL_PROVIDER_load(library.context, "default")) return;
    void *legacy = library.OSSL_LIB_CTX_new();
    if (legacy && library.OSSL_PROVIDER_load(legacy, "default") && library.OSSL_PROVIDER_load(legacy, "legacy"))
        library.legacy_context = legacy;
    library.ERR_clear_error();
    problem = NULL;
}

const zamok_library *zamok_open_library(void) {
    pthread_once(&once, open_library);
    return problem ? NULL : &library;
}

const char *zamok_system_crypto_problem(void) {
    zamok_open_library();
    return problem;
}
#endif

int zamok_system_sha224(zamok_bytes input, uint8_t *digest) {
    const zamok_library *l = zamok_open_library();
    if (!l) return 0;
    void *hash = l->EVP_MD_fetch(l->context, "SHA224", NULL);
    int done = hash && l->EVP_Digest(input.bytes, input.count, digest, NULL, hash, NULL) == 1;
    l->EVP_MD_free(hash);
    return done;
}

/// OSSL_PARAM of the library.
typedef struct {
    const char *key;
    unsigned type;
    void *data;
    size_t size;
    size_t returned;
} parameter;

enum { parameter_text = 4, parameter_bytes = 5 };

int zamok_system_x963_sha224(zamok_bytes secret, zamok_bytes shared, uint8_t *output, size_t count) {
    const zamok_library *l = zamok_open_library();
    if (!l) return 0;
    char hash[] = "SHA224";
    const parameter parameters[] = {
        {"digest", parameter_text, hash, sizeof hash - 1, (size_t)-1},
        {"key", parameter_bytes, (void *)secret.bytes, secret.count, (size_t)-1},
        {"info", parameter_bytes, (void *)shared.bytes, shared.count, (size_t)-1},
        {NULL, 0, NULL, 0, 0},
    };
    void *function = l->EVP_KDF_fetch(l->context, "X963KDF", NULL);
    void *c = function ? l->EVP_KDF_CTX_new(function) : NULL;
    // Nothing shared may not be named.
    const parameter without[] = {parameters[0], parameters[1], parameters[3]};
    int done = c && l->EVP_KDF_derive(c, output, count, shared.count ? parameters : without) == 1;
    l->EVP_KDF_CTX_free(c);
    l->EVP_KDF_free(function);
    l->ERR_clear_error();
    return done;
}

static void *read_key(const zamok_library *l, zamok_bytes key, int is_private) {
    const unsigned char *bytes = key.bytes;
    return is_private ? l->d2i_AutoPrivateKey_ex(NULL, &bytes, (long)key.count, l->context, NULL)
                      : l->d2i_PUBKEY_ex(NULL, &bytes, (long)key.count, l->context, NULL);
}

static int prepare(const zamok_library *l, void *c, int operation, int padding, const char *hash, void *digest) {
    int (*const inits[])(void *) = {
        l->EVP_PKEY_sign_init, l->EVP_PKEY_verify_init, l->EVP_PKEY_encrypt_init, l->EVP_PKEY_decrypt_init};
    if (inits[operation - 1](c) != 1 || l->EVP_PKEY_CTX_set_rsa_padding(c, padding) != 1) return 0;
    if (padding == zamok_rsa_oaep) return l->EVP_PKEY_CTX_set_rsa_oaep_md_name(c, hash, NULL) == 1;
    if (operation > zamok_rsa_verify || !hash) return 1;
    if (!digest || l->EVP_PKEY_CTX_set_signature_md(c, digest) != 1) return 0;
    // A salt as long as the digest.
    return padding != zamok_rsa_pss || l->EVP_PKEY_CTX_set_rsa_pss_saltlen(c, -1) == 1;
}

static long run(
    const zamok_library *l, void *c, int operation, zamok_bytes input, zamok_bytes signature, uint8_t *output,
    size_t capacity) {
    size_t count = capacity;
    switch (operation) {
    case zamok_rsa_sign: return l->EVP_PKEY_sign(c, output, &count, input.bytes, input.count) == 1 ? (long)count : -1;
    case zamok_rsa_verify:
        return l->EVP_PKEY_verify(c, signature.bytes, signature.count, input.bytes, input.count) == 1;
    case zamok_rsa_encrypt:
        return l->EVP_PKEY_encrypt(c, output, &count, input.bytes, input.count) == 1 ? (long)count : -1;
    default: return l->EVP_PKEY_decrypt(c, output, &count, input.bytes, input.count) == 1 ? (long)count : -1;
    }
}

long zamok_system_rsa(
    int operation, int padding, const char *hash, zamok_bytes key, zamok_bytes input, zamok_bytes signature,
    uint8_t *output, size_t capacity) {
    const zamok_library *l = zamok_open_library();
    if (!l || operation < zamok_rsa_sign || operation > zamok_rsa_decrypt) return -1;
    long result = -1;
    void *pair = read_key(l, key, operation == zamok_rsa_sign || operation == zamok_rsa_decrypt);
    void *c = pair ? l->EVP_PKEY_CTX_new_from_pkey(l->context, pair, NULL) : NULL;
    void *digest = hash ? l->EVP_MD_fetch(l->context, hash, NULL) : NULL;
    if (c && prepare(l, c, operation, padding, hash, digest))
        result = run(l, c, operation, input, signature, output, capacity);
    l->EVP_MD_free(digest);
    l->EVP_PKEY_CTX_free(c);
    l->EVP_PKEY_free(pair);
    l->ERR_clear_error();
    return result;
}

long zamok_system_pbe(zamok_bytes algorithm, zamok_bytes passphrase, zamok_bytes input, uint8_t *output) {
    const zamok_library *l = zamok_open_library();
    if (!l || !l->legacy_context) return -2;
    if (input.count > 64 << 20) return -1;
    const unsigned char *bytes = algorithm.bytes;
    void *scheme = l->d2i_X509_ALGOR(NULL, &bytes, (long)algorithm.count);
    long result = -1;
    unsigned char *plain = NULL;
    int count = 0;
    if (scheme &&
        l->PKCS12_pbe_crypt_ex(
            scheme, (const char *)passphrase.bytes, (int)passphrase.count, input.bytes, (int)input.count, &plain,
            &count, 0, l->legacy_context, NULL) &&
        count >= 0 && (size_t)count <= input.count) {
        for (int i = 0; i < count; i++) output[i] = plain[i];
        result = count;
    }
    for (volatile unsigned char *byte = plain; plain && byte < plain + count; byte++) *byte = 0;
    l->CRYPTO_free(plain, "", 0);
    l->X509_ALGOR_free(scheme);
    l->ERR_clear_error();
    return result;
}
