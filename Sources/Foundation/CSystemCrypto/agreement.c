// SPDX-License-Identifier: Apache-2.0

#include "library.h"

#include <string.h>

/// OSSL_PARAM of the library.
typedef struct {
    const char *key;
    unsigned type;
    void *data;
    size_t size;
    size_t returned;
} parameter;

enum { parameter_number = 2, parameter_text = 4, parameter_bytes = 5 };
/// EVP_PKEY_KEY_PARAMETERS, EVP_PKEY_PUBLIC_KEY.
enum { select_group = 0x84, select_public = 0x86 };
enum { size = zamok_agreement_public };

/// The prime of RFC 2409, 6.2.
static const uint8_t prime[size] = {
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xC9, 0x0F, 0xDA, 0xA2, 0x21, 0x68, 0xC2, 0x34, 0xC4, 0xC6, 0x62,
    0x8B, 0x80, 0xDC, 0x1C, 0xD1, 0x29, 0x02, 0x4E, 0x08, 0x8A, 0x67, 0xCC, 0x74, 0x02, 0x0B, 0xBE, 0xA6, 0x3B, 0x13,
    0x9B, 0x22, 0x51, 0x4A, 0x08, 0x79, 0x8E, 0x34, 0x04, 0xDD, 0xEF, 0x95, 0x19, 0xB3, 0xCD, 0x3A, 0x43, 0x1B, 0x30,
    0x2B, 0x0A, 0x6D, 0xF2, 0x5F, 0x14, 0x37, 0x4F, 0xE1, 0x35, 0x6D, 0x6D, 0x51, 0xC2, 0x45, 0xE4, 0x85, 0xB5, 0x76,
    0x62, 0x5E, 0x7E, 0xC6, 0xF4, 0x4C, 0x42, 0xE9, 0xA6, 0x37, 0xED, 0x6B, 0x0B, 0xFF, 0x5C, 0xB6, 0xF4, 0x06, 0xB7,
    0xED, 0xEE, 0x38, 0x6B, 0xFB, 0x5A, 0x89, 0x9F, 0xA5, 0xAE, 0x9F, 0x24, 0x11, 0x7C, 0x4B, 0x1F, 0xE6, 0x49, 0x28,
    0x66, 0x51, 0xEC, 0xE6, 0x53, 0x81, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
};

/// As the library takes numbers: in the machine's order.
static void native(const uint8_t *number, size_t count, uint8_t *output) {
    memset(output, 0, size);
    const uint16_t one = 1;
    int is_little = *(const uint8_t *)&one;
    for (size_t i = 0; i < count; i++) output[is_little ? i : size - 1 - i] = number[count - 1 - i];
}

/// The group, or with `number` the public key of it.
static void *imported(const zamok_library *l, const zamok_bytes *number) {
    uint8_t p[size], y[size], g[] = {2};
    native(prime, size, p);
    if (number) native(number->bytes, number->count, y);
    parameter parameters[] = {
        {"p", parameter_number, p, size, (size_t)-1},
        {"g", parameter_number, g, sizeof g, (size_t)-1},
        {number ? "pub" : NULL, number ? parameter_number : 0, number ? y : NULL, number ? size : 0, (size_t)-1},
        {NULL, 0, NULL, 0, 0},
    };
    void *context = l->EVP_PKEY_CTX_new_from_name(l->context, "DH", NULL), *key = NULL;
    if (!context || l->EVP_PKEY_fromdata_init(context) != 1
        || l->EVP_PKEY_fromdata(context, &key, number ? select_public : select_group, parameters) != 1)
        key = NULL;
    l->EVP_PKEY_CTX_free(context);
    return key;
}

static void *generated(const zamok_library *l) {
    void *group = imported(l, NULL), *key = NULL;
    void *context = group ? l->EVP_PKEY_CTX_new_from_pkey(l->context, group, NULL) : NULL;
    if (!context || l->EVP_PKEY_keygen_init(context) != 1 || l->EVP_PKEY_keygen(context, &key) != 1) key = NULL;
    l->EVP_PKEY_CTX_free(context);
    l->EVP_PKEY_free(group);
    return key;
}

/// Checks the other side's number, too.
static int shared_secret(const zamok_library *l, void *own, void *peer, uint8_t *secret) {
    size_t count = size;
    void *context = l->EVP_PKEY_CTX_new_from_pkey(l->context, own, NULL);
    int done = context && l->EVP_PKEY_derive_init(context) == 1 && l->EVP_PKEY_CTX_set_dh_pad(context, 1) == 1
        && l->EVP_PKEY_derive_set_peer(context, peer) == 1 && l->EVP_PKEY_derive(context, secret, &count) == 1
        && count == size;
    l->EVP_PKEY_CTX_free(context);
    return done;
}

static int derived(const zamok_library *l, uint8_t *secret, uint8_t *key) {
    char hash[] = "SHA256";
    const parameter parameters[] = {
        {"digest", parameter_text, hash, sizeof hash - 1, (size_t)-1},
        {"key", parameter_bytes, secret, size, (size_t)-1},
        {NULL, 0, NULL, 0, 0},
    };
    void *function = l->EVP_KDF_fetch(l->context, "HKDF", NULL);
    void *context = function ? l->EVP_KDF_CTX_new(function) : NULL;
    int done = context && l->EVP_KDF_derive(context, key, zamok_agreement_key, parameters) == 1;
    l->EVP_KDF_CTX_free(context);
    l->EVP_KDF_free(function);
    return done;
}

int zamok_system_agreement(zamok_bytes peer, uint8_t *own_public, uint8_t *key) {
    const zamok_library *l = zamok_open_library();
    if (!l) return 0;
    while (peer.count > 0 && *peer.bytes == 0) peer.bytes++, peer.count--;
    if (peer.count == 0 || peer.count > size) return -1;
    uint8_t secret[size];
    void *own = generated(l), *other = imported(l, &peer);
    size_t count = 0;
    int done = own && other && shared_secret(l, own, other, secret) ? 1 : own ? -1 : 0;
    if (done == 1 && !derived(l, secret, key)) done = 0;
    if (done == 1
        && (l->EVP_PKEY_get_octet_string_param(own, "encoded-pub-key", own_public, size, &count) != 1 || count != size))
        done = 0;
    volatile uint8_t *byte = secret;
    for (size_t i = 0; i < size; i++) byte[i] = 0;
    l->EVP_PKEY_free(own);
    l->EVP_PKEY_free(other);
    l->ERR_clear_error();
    return done;
}

long zamok_system_cbc(int encrypts, const uint8_t *key, const uint8_t *vector, zamok_bytes input, uint8_t *output) {
    const zamok_library *l = zamok_open_library();
    if (!l || input.count > 64u << 20) return -1;
    void *cipher = l->EVP_CIPHER_fetch(l->context, "AES-128-CBC", NULL);
    void *context = cipher ? l->EVP_CIPHER_CTX_new() : NULL;
    int first = 0, rest = 0;
    int done = context && l->EVP_CipherInit_ex2(context, cipher, key, vector, encrypts, NULL) == 1
        && l->EVP_CipherUpdate(context, output, &first, input.bytes, (int)input.count) == 1
        && l->EVP_CipherFinal_ex(context, output + first, &rest) == 1;
    l->EVP_CIPHER_CTX_free(context);
    l->EVP_CIPHER_free(cipher);
    l->ERR_clear_error();
    return done ? first + rest : -1;
}
