// The client's side of TLS 1.3 with OpenSSL, without I/O: bytes of the server go in, bytes for the server come out.
//
// One thread uses a context and all its sessions. OpenSSL itself asks a socket twice for each record; here one read serves
// all records that have come.

#ifndef CBENCHMARKTLS_H
#define CBENCHMARKTLS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The settings of all sessions with one server.
typedef struct cbenchmark_tls_context cbenchmark_tls_context;

/// One connection's TLS.
typedef struct cbenchmark_tls cbenchmark_tls;

/// Offers TLS 1.3 with AES-128-GCM alone, and trusts the certificate in a PEM file alone.
///
/// The certificate is checked once, in the first handshake; later ones check only that the server has its key. Returns NULL
/// if the file has no certificate.
cbenchmark_tls_context *cbenchmark_tls_context_new(const char *certificate_file);

void cbenchmark_tls_context_free(cbenchmark_tls_context *context);

/// Makes a session, which must be freed before its context. Returns NULL if there is no memory.
cbenchmark_tls *cbenchmark_tls_new(cbenchmark_tls_context *context);

void cbenchmark_tls_free(cbenchmark_tls *tls);

/// Gives a session bytes of the server, which stay in place until a handshake or a reading has taken them all.
void cbenchmark_tls_feed(cbenchmark_tls *tls, const void *bytes, size_t count);

/// Goes on with the handshake. Returns 1 if it is over, 0 if it needs more bytes, -1 if it has failed.
int cbenchmark_tls_handshake(cbenchmark_tls *tls);

/// Reads the server's plain bytes. Returns their number, 0 if there are no more now, -1 at the end, -2 at a fault.
ssize_t cbenchmark_tls_read(cbenchmark_tls *tls, void *bytes, size_t capacity);

/// Encrypts bytes for the server. Returns 0, or -1 at a fault.
int cbenchmark_tls_write(cbenchmark_tls *tls, const void *bytes, size_t count);

/// Takes all bytes that must go to the server, which stay in place until the next call for any session of the context.
const void *cbenchmark_tls_take(cbenchmark_tls *tls, size_t *count);

/// The newest fault of this thread, in OpenSSL's words.
const char *cbenchmark_tls_fault(void);

#endif
