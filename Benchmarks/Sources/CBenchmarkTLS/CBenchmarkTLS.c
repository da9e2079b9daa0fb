#include "CBenchmarkTLS.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>

struct cbenchmark_tls_context {
    SSL_CTX *ssl;
    BIO_METHOD *method;
    int is_checked;
    // Bytes for a server: one session at a time has some.
    uint8_t *outgoing;
    size_t outgoing_count, outgoing_capacity;
};

struct cbenchmark_tls {
    cbenchmark_tls_context *context;
    SSL *ssl;
    const uint8_t *incoming;
    size_t incoming_count;
};

static int read_incoming(BIO *bio, char *bytes, size_t capacity, size_t *count) {
    cbenchmark_tls *tls = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (tls->incoming_count == 0) {
        BIO_set_retry_read(bio);
        return 0;
    }
    *count = tls->incoming_count < capacity ? tls->incoming_count : capacity;
    memcpy(bytes, tls->incoming, *count);
    tls->incoming += *count;
    tls->incoming_count -= *count;
    return 1;
}

static int write_outgoing(BIO *bio, const char *bytes, size_t count, size_t *written) {
    cbenchmark_tls_context *context = ((cbenchmark_tls *)BIO_get_data(bio))->context;
    size_t needed = context->outgoing_count + count;
    if (needed > context->outgoing_capacity) {
        uint8_t *larger = realloc(context->outgoing, 2 * needed);
        if (larger == NULL) return 0;
        context->outgoing = larger;
        context->outgoing_capacity = 2 * needed;
    }
    memcpy(context->outgoing + context->outgoing_count, bytes, count);
    context->outgoing_count = needed;
    *written = count;
    return 1;
}

static long control(BIO *bio, int command, long number, void *pointer) {
    (void)bio, (void)number, (void)pointer;
    return command == BIO_CTRL_FLUSH;
}

static int check_once(X509_STORE_CTX *store, void *argument) {
    cbenchmark_tls_context *context = argument;
    if (!context->is_checked) context->is_checked = X509_verify_cert(store) == 1;
    return context->is_checked;
}

static int configure(cbenchmark_tls_context *context, const char *certificate_file) {
    SSL_CTX *ssl = context->ssl;
    BIO_METHOD *method = context->method;
    if (ssl == NULL || method == NULL) return 0;
    if (SSL_CTX_set_min_proto_version(ssl, TLS1_3_VERSION) != 1) return 0;
    if (SSL_CTX_set_ciphersuites(ssl, "TLS_AES_128_GCM_SHA256") != 1) return 0;
    if (SSL_CTX_load_verify_file(ssl, certificate_file) != 1) return 0;
    SSL_CTX_set_verify(ssl, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_cert_verify_callback(ssl, check_once, context);
    SSL_CTX_set_session_cache_mode(ssl, SSL_SESS_CACHE_OFF);
    // Idle sessions share the memory of those that read.
    SSL_CTX_set_mode(ssl, SSL_MODE_RELEASE_BUFFERS);
    return BIO_meth_set_read_ex(method, read_incoming) && BIO_meth_set_write_ex(method, write_outgoing) &&
           BIO_meth_set_ctrl(method, control);
}

cbenchmark_tls_context *cbenchmark_tls_context_new(const char *certificate_file) {
    cbenchmark_tls_context *context = calloc(1, sizeof *context);
    if (context == NULL) return NULL;
    context->ssl = SSL_CTX_new(TLS_client_method());
    context->method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "memory of the benchmarks");
    if (configure(context, certificate_file)) return context;
    cbenchmark_tls_context_free(context);
    return NULL;
}

void cbenchmark_tls_context_free(cbenchmark_tls_context *context) {
    SSL_CTX_free(context->ssl);
    BIO_meth_free(context->method);
    free(context->outgoing);
    free(context);
}

cbenchmark_tls *cbenchmark_tls_new(cbenchmark_tls_context *context) {
    cbenchmark_tls *tls = calloc(1, sizeof *tls);
    BIO *bio = BIO_new(context->method);
    SSL *ssl = SSL_new(context->ssl);
    if (tls == NULL || bio == NULL || ssl == NULL) {
        free(tls);
        BIO_free(bio);
        SSL_free(ssl);
        return NULL;
    }
    tls->context = context;
    tls->ssl = ssl;
    BIO_set_data(bio, tls);
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl, bio, bio);
    SSL_set_connect_state(ssl);
    return tls;
}

void cbenchmark_tls_free(cbenchmark_tls *tls) {
    SSL_free(tls->ssl);
    free(tls);
}

void cbenchmark_tls_feed(cbenchmark_tls *tls, const void *bytes, size_t count) {
    tls->incoming = bytes;
    tls->incoming_count = count;
}

int cbenchmark_tls_handshake(cbenchmark_tls *tls) {
    ERR_clear_error();
    int result = SSL_do_handshake(tls->ssl);
    if (result == 1) return 1;
    return SSL_get_error(tls->ssl, result) == SSL_ERROR_WANT_READ ? 0 : -1;
}

ssize_t cbenchmark_tls_read(cbenchmark_tls *tls, void *bytes, size_t capacity) {
    size_t total = 0, count;
    ERR_clear_error();
    while (total < capacity) {
        if (SSL_read_ex(tls->ssl, (uint8_t *)bytes + total, capacity - total, &count) == 1) {
            total += count;
            continue;
        }
        if (total > 0) break;
        switch (SSL_get_error(tls->ssl, 0)) {
        case SSL_ERROR_WANT_READ: return 0;
        case SSL_ERROR_ZERO_RETURN: return -1;
        default: return -2;
        }
    }
    return (ssize_t)total;
}

int cbenchmark_tls_write(cbenchmark_tls *tls, const void *bytes, size_t count) {
    size_t written;
    ERR_clear_error();
    return SSL_write_ex(tls->ssl, bytes, count, &written) == 1 ? 0 : -1;
}

const void *cbenchmark_tls_take(cbenchmark_tls *tls, size_t *count) {
    cbenchmark_tls_context *context = tls->context;
    *count = context->outgoing_count;
    context->outgoing_count = 0;
    return context->outgoing;
}

const char *cbenchmark_tls_fault(void) {
    const char *words = ERR_reason_error_string(ERR_peek_last_error());
    return words == NULL ? "TLS failed" : words;
}
