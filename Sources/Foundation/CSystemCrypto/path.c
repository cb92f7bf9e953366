// SPDX-License-Identifier: Apache-2.0

#include "library.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(_WIN32)
#define timegm _mkgmtime
#else
#include <arpa/inet.h>
#endif

enum {
    no_revocation_list = 3,
    extension_list_number = 88,
    flag_use_check_time = 0x2,
    flag_crl_check = 0x4,
    flag_trusted_first = 0x8000,
    flag_partial_chain = 0x80000,
    host_no_partial_wildcards = 0x4,
    host_never_subject = 0x20,
    clock_difference = 300,
};

/// What the callback leaves its findings in.
typedef struct {
    zamok_path_answer *answer;
    const zamok_library *library;
    int with_revocation;
    zamok_check_list check_list;
} findings;

static void add_failure(zamok_path_answer *answer, int depth, int code) {
    for (size_t i = 0; i < answer->failure_count; i++)
        if (answer->failures[i].depth == depth && answer->failures[i].code == code) return;
    if (answer->failure_count == zamok_path_failures) return;
    answer->failures[answer->failure_count].depth = depth;
    answer->failures[answer->failure_count].code = code;
    answer->failure_count++;
}

/// Faults of lists of what was revoked: missing, unreadable, out of date, of somebody else.
static int is_about_lists(int code) {
    static const int codes[] = {no_revocation_list, 5, 8, 11, 12, 15, 16, 33, 35, 36, 44, 54};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i] == code) return 1;
    return 0;
}

/// Goes on after every fault, so that all are found.
static int note(int ok, void *context) {
    const zamok_library *l = zamok_open_library();
    if (ok || !l) return ok;
    findings *found = l->X509_STORE_CTX_get_ex_data(context, l->answer_index);
    int code = l->X509_STORE_CTX_get_error(context);
    if (!found) return 0;
    if (!is_about_lists(code) || found->with_revocation == 2)
        add_failure(found->answer, l->X509_STORE_CTX_get_error_depth(context), code);
    return 1;
}

/// Every list has a number (RFC 5280, 5.2.3), which the library does not ask for.
static int check_list(void *context, void *list) {
    const zamok_library *l = zamok_open_library();
    findings *found = l ? l->X509_STORE_CTX_get_ex_data(context, l->answer_index) : NULL;
    if (!found || !found->check_list) return 0;
    if (found->with_revocation == 2 && l->X509_CRL_get_ext_by_NID(list, extension_list_number, -1) < 0)
        add_failure(found->answer, l->X509_STORE_CTX_get_error_depth(context), zamok_path_no_list_number);
    return found->check_list(context, list);
}

/// Puts it before the library's own, which a context without a store tells.
static zamok_check_list wrap_check_list(const zamok_library *l, void *context, void *store) {
    if (l->X509_STORE_CTX_init(context, NULL, NULL, NULL) != 1) return NULL;
    zamok_check_list own = l->X509_STORE_CTX_get_check_crl(context);
    l->X509_STORE_CTX_cleanup(context);
    if (own) l->X509_STORE_set_check_crl(store, check_list);
    return own;
}

static void *read_certificate(const zamok_library *l, zamok_bytes der) {
    const unsigned char *bytes = der.bytes;
    void *certificate = l->X509_new_ex(l->context, NULL);
    if (!certificate) return NULL;
    if (!l->d2i_X509(&certificate, &bytes, (long)der.count)) {
        // The function frees what it could not fill, and says so by NULL in our variable.
        l->X509_free(certificate);
        return NULL;
    }
    return certificate;
}

static int fill_store(const zamok_library *l, void *store, const zamok_path_question *q) {
    if (q->with_system_anchors) l->X509_STORE_set_default_paths_ex(store, l->context, NULL);
    for (size_t i = 0; i < q->anchor_count; i++) {
        void *anchor = read_certificate(l, q->anchors[i]);
        if (anchor) l->X509_STORE_add_cert(store, anchor);
        l->X509_free(anchor);
    }
    for (size_t i = 0; i < q->revocation_list_count; i++) {
        const unsigned char *bytes = q->revocation_lists[i].bytes;
        void *list = l->X509_CRL_new_ex(l->context, NULL);
        if (list && l->d2i_X509_CRL(&list, &bytes, (long)q->revocation_lists[i].count))
            l->X509_STORE_add_crl(store, list);
        l->X509_CRL_free(list);
    }
    return 1;
}

/// An address stands in certificates as its bytes.
static int set_host(const zamok_library *l, void *param, zamok_bytes host) {
    char text[256];
    unsigned char address[16];
    if (host.count >= sizeof text || memchr(host.bytes, 0, host.count)) return 0;
    memcpy(text, host.bytes, host.count);
    text[host.count] = 0;
#if !defined(_WIN32)
    if (inet_pton(AF_INET, text, address) == 1) return l->X509_VERIFY_PARAM_set1_ip(param, address, 4) == 1;
    if (inet_pton(AF_INET6, text, address) == 1) return l->X509_VERIFY_PARAM_set1_ip(param, address, 16) == 1;
#endif
    // A name that begins with a dot would mean every name below it.
    if (text[0] == '.' || text[0] == 0) return 0;
    l->X509_VERIFY_PARAM_set_hostflags(param, host_no_partial_wildcards | host_never_subject);
    return l->X509_VERIFY_PARAM_set1_host(param, text, host.count) == 1;
}

static void set_parameters(
    const zamok_library *l, void *context, const zamok_path_question *q, zamok_path_answer *answer) {
    void *param = l->X509_STORE_CTX_get0_param(context);
    unsigned long flags = flag_use_check_time | flag_trusted_first | flag_partial_chain;
    if (q->with_revocation) flags |= flag_crl_check;
    l->X509_VERIFY_PARAM_set_flags(param, flags);
    l->X509_VERIFY_PARAM_set_time(param, q->time);
    l->X509_VERIFY_PARAM_set_depth(param, zamok_path_limit - 2);
    l->X509_VERIFY_PARAM_set_auth_level(param, q->level);
    if (q->purpose) l->X509_VERIFY_PARAM_set_purpose(param, q->purpose);
    if (q->host.count && !set_host(l, param, q->host)) add_failure(answer, 0, zamok_path_no_host);
    if (q->mail.count && l->X509_VERIFY_PARAM_set1_email(param, (const char *)q->mail.bytes, q->mail.count) != 1)
        add_failure(answer, 0, zamok_path_no_host);
}

/// What an answer of OCSP says of the certificate: 0 good, 1 revoked, 2 unknown, -1 nothing that counts.
static int read_single(
    const zamok_library *l, void *basic, const void *certificate, const void *issuer, int64_t time) {
    int status = -1;
    for (int i = 0; i < l->OCSP_resp_count(basic) && i < 64 && status < 0; i++) {
        void *single = l->OCSP_resp_get0(basic, i);
        const void *id = l->OCSP_SINGLERESP_get0_id(single);
        void *algorithm = NULL, *revoked = NULL, *from = NULL, *until = NULL;
        l->OCSP_id_get0_info(NULL, &algorithm, NULL, NULL, (void *)id);
        void *hash = l->EVP_MD_fetch(l->context, l->OBJ_nid2sn(l->OBJ_obj2nid(algorithm)), NULL);
        void *own = hash ? l->OCSP_cert_to_id(hash, certificate, issuer) : NULL;
        if (own && l->OCSP_id_cmp(own, id) == 0) {
            struct tm first = {0}, last = {0};
            status = l->OCSP_single_get0_status(single, NULL, &revoked, &from, &until);
            if (!l->ASN1_TIME_to_tm(from, &first) || timegm(&first) > time + clock_difference) status = -1;
            // Without an end newer ones are there all the time.
            if (!until || !l->ASN1_TIME_to_tm(until, &last) || timegm(&last) < time - clock_difference) status = -1;
        }
        l->OCSP_CERTID_free(own);
        l->EVP_MD_free(hash);
    }
    return status;
}

static void check_status_response(
    const zamok_library *l, void *store, void *chain, const zamok_path_question *q, zamok_path_answer *answer) {
    int status = -1;
    const unsigned char *bytes = q->status_response.bytes;
    void *response = l->d2i_OCSP_RESPONSE(NULL, &bytes, (long)q->status_response.count);
    void *basic = response && l->OCSP_response_status(response) == 0 ? l->OCSP_response_get1_basic(response) : NULL;
    if (basic && chain && l->OPENSSL_sk_num(chain) > 1 && l->OCSP_basic_verify(basic, chain, store, 0) == 1)
        status = read_single(l, basic, l->OPENSSL_sk_value(chain, 0), l->OPENSSL_sk_value(chain, 1), q->time);
    l->OCSP_BASICRESP_free(basic);
    l->OCSP_RESPONSE_free(response);
    // X509_V_ERR_CERT_REVOKED is 23.
    if (status == 1) add_failure(answer, 0, 23);
    if (status != 0 && status != 1 && q->with_revocation == 2) add_failure(answer, 0, zamok_path_bad_status_response);
    if (status == 0 && q->with_revocation == 2) {
        // The certificate's own status is told; no list is missed for it.
        size_t kept = 0;
        for (size_t i = 0; i < answer->failure_count; i++)
            if (answer->failures[i].code != no_revocation_list && answer->failures[i].code != zamok_path_no_list_number)
                answer->failures[kept++] = answer->failures[i];
        answer->failure_count = kept;
    }
}

static void copy_path(const zamok_library *l, void *chain, zamok_path_answer *answer) {
    for (int i = 0; chain && i < l->OPENSSL_sk_num(chain) && i < zamok_path_limit; i++) {
        unsigned char *der = NULL;
        int count = l->i2d_X509(l->OPENSSL_sk_value(chain, i), &der);
        uint8_t *copy = count > 0 ? malloc((size_t)count) : NULL;
        if (copy) {
            memcpy(copy, der, (size_t)count);
            answer->path[answer->path_count].bytes = copy;
            answer->path[answer->path_count++].count = (size_t)count;
        }
        l->CRYPTO_free(der, "", 0);
    }
}

static void verify(
    const zamok_library *l, void *context, void *store, zamok_check_list own, const zamok_path_question *q,
    zamok_path_answer *answer) {
    findings found = {answer, l, q->with_revocation, own};
    set_parameters(l, context, q, answer);
    l->X509_STORE_CTX_set_ex_data(context, l->answer_index, &found);
    l->X509_STORE_CTX_set_verify_cb(context, note);
    int valid = l->X509_verify_cert(context);
    int code = l->X509_STORE_CTX_get_error(context);
    // What ends the work without the callback is a fault as well.
    if (valid != 1 && answer->failure_count == 0) add_failure(answer, 0, code ? code : 1);
    void *chain = l->X509_STORE_CTX_get0_chain(context);
    if (q->status_response.count) check_status_response(l, store, chain, q, answer);
    copy_path(l, chain, answer);
}

int zamok_system_path(const zamok_path_question *q, zamok_path_answer *answer) {
    memset(answer, 0, sizeof *answer);
    const zamok_library *l = zamok_open_library();
    if (!l || !q->certificate_count) return -1;
    void *leaf = read_certificate(l, q->certificates[0]);
    if (!leaf) {
        l->ERR_clear_error();
        return 0;
    }
    int result = -1;
    void *others = l->OPENSSL_sk_new_null();
    for (size_t i = 1; others && i < q->certificate_count; i++) {
        void *other = read_certificate(l, q->certificates[i]);
        if (other && l->OPENSSL_sk_push(others, other) <= 0) l->X509_free(other);
    }
    void *store = l->X509_STORE_new();
    void *context = l->X509_STORE_CTX_new_ex(l->context, NULL);
    zamok_check_list own = store && context ? wrap_check_list(l, context, store) : NULL;
    if (others && own && fill_store(l, store, q) && l->X509_STORE_CTX_init(context, store, leaf, others) == 1) {
        verify(l, context, store, own, q, answer);
        result = 1;
    }
    l->X509_STORE_CTX_free(context);
    l->X509_STORE_free(store);
    l->OPENSSL_sk_pop_free(others, l->X509_free);
    l->X509_free(leaf);
    l->ERR_clear_error();
    return result;
}

void zamok_path_free(zamok_path_answer *answer) {
    for (size_t i = 0; i < answer->path_count; i++) free((void *)answer->path[i].bytes);
    answer->path_count = 0;
}
