// The yardstick of the fan-out: the cost of a server that parses nothing.
//
// The relay cuts the stream into frames by their headers and appends each frame to the outgoing buffer of every other
// connection. A buffer is written once per tick, for any number of frames. In each tick a sender gets the count of its
// frames so far, in the form of the daemon's acknowledgement. There is no hello: the relay greets each new connection.
// From then on the connection gets all frames, or those of its partner if there are pairs.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    MAXIMUM_CONNECTIONS = 65536,
    MAXIMUM_FRAME_BYTES = 1 << 20,
    // A peer with this many bytes in its buffer does not read at all.
    MAXIMUM_OUTGOING_BYTES = 64 << 20,
    READ_BYTES = 256 << 10,
    EVENTS = 1024,
};

struct buffer {
    uint8_t *bytes;
    size_t start, end, capacity;
};

struct connection {
    int descriptor;
    size_t place; // in `connections`
    uint64_t frames; // that came from this connection so far
    struct buffer incoming, outgoing;
    bool gathered; // stands in `written_this_tick`
    bool blocked; // its socket takes no more; epoll reports when it does
    bool failed;
};

// The number of pairs: connection i and connection i + pairs, in the order of accepting, talk to each other alone.
static size_t pairs;
static int poller;
static struct connection *connections[MAXIMUM_CONNECTIONS];
static size_t connection_count;
static struct connection *written_this_tick[MAXIMUM_CONNECTIONS];
static size_t written_count;
static uint8_t read_bytes[READ_BYTES];

static void fail(const char *call) {
    perror(call);
    exit(1);
}

static void append(struct buffer *buffer, const void *bytes, size_t count) {
    if (buffer->start == buffer->end) buffer->start = buffer->end = 0;
    if (buffer->end + count > buffer->capacity) {
        memmove(buffer->bytes, buffer->bytes + buffer->start, buffer->end - buffer->start);
        buffer->end -= buffer->start;
        buffer->start = 0;
    }
    if (buffer->end + count > buffer->capacity) {
        size_t capacity = buffer->capacity ? buffer->capacity : 4096;
        while (capacity < buffer->end + count) capacity *= 2;
        uint8_t *grown = realloc(buffer->bytes, capacity);
        if (!grown) fail("realloc");
        buffer->bytes = grown;
        buffer->capacity = capacity;
    }
    memcpy(buffer->bytes + buffer->end, bytes, count);
    buffer->end += count;
}

static void gather(struct connection *connection, const void *bytes, size_t count) {
    if (connection->failed) return;
    if (connection->outgoing.end - connection->outgoing.start > MAXIMUM_OUTGOING_BYTES) connection->failed = true;
    else append(&connection->outgoing, bytes, count);
    if (connection->gathered) return;
    connection->gathered = true;
    written_this_tick[written_count++] = connection;
}

static void gather_message(struct connection *connection, const char *text) {
    uint8_t frame[256];
    size_t count = strlen(text);
    uint32_t header = htonl((uint32_t)count);
    memcpy(frame, &header, 4);
    memcpy(frame + 4, text, count);
    gather(connection, frame, 4 + count);
}

static void acknowledge(struct connection *connection) {
    char text[128];
    unsigned long long frames = connection->frames;
    snprintf(text, sizeof text, "{\"op\":\"ack\",\"t\":1,\"n\":%llu,\"rev\":%llu}", frames, frames);
    gather_message(connection, text);
}

/// Copies the whole frames in `bytes` to all other connections and returns their number of bytes.
static size_t forward(struct connection *from, const uint8_t *bytes, size_t count) {
    size_t at = 0;
    while (count - at >= 4) {
        uint32_t header;
        memcpy(&header, bytes + at, 4);
        size_t frame = 4 + (size_t)ntohl(header);
        if (frame > MAXIMUM_FRAME_BYTES) {
            from->failed = true;
            break;
        }
        if (count - at < frame) break;
        if (pairs > 0) {
            size_t other = (from->place + pairs) % (2 * pairs);
            if (other < connection_count) gather(connections[other], bytes + at, frame);
        } else {
            for (size_t i = 0; i < connection_count; i++) {
                if (connections[i] != from) gather(connections[i], bytes + at, frame);
            }
        }
        from->frames++;
        at += frame;
    }
    return at;
}

static void receive(struct connection *connection) {
    ssize_t count = recv(connection->descriptor, read_bytes, READ_BYTES, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) {
        connection->failed = true;
        return;
    }
    uint64_t before = connection->frames;
    struct buffer *incoming = &connection->incoming;
    if (incoming->start == incoming->end) {
        size_t used = forward(connection, read_bytes, (size_t)count);
        append(incoming, read_bytes + used, (size_t)count - used);
    } else {
        append(incoming, read_bytes, (size_t)count);
        incoming->start += forward(connection, incoming->bytes + incoming->start, incoming->end - incoming->start);
    }
    if (connection->frames != before) acknowledge(connection);
}

static void watch(struct connection *connection, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = connection};
    if (epoll_ctl(poller, operation, connection->descriptor, &event) != 0) fail("epoll_ctl");
}

static void write_out(struct connection *connection) {
    struct buffer *outgoing = &connection->outgoing;
    if (connection->failed || outgoing->start == outgoing->end) return;
    size_t waiting = outgoing->end - outgoing->start;
    ssize_t count = send(connection->descriptor, outgoing->bytes + outgoing->start, waiting, MSG_NOSIGNAL);
    if (count < 0 && errno != EAGAIN && errno != EINTR) {
        connection->failed = true;
        return;
    }
    if (count > 0) outgoing->start += (size_t)count;
    bool blocked = outgoing->start != outgoing->end;
    if (blocked != connection->blocked) watch(connection, EPOLL_CTL_MOD, EPOLLIN | (blocked ? EPOLLOUT : 0));
    connection->blocked = blocked;
}

static void forget(struct connection *connection) {
    connections[connection->place] = connections[--connection_count];
    connections[connection->place]->place = connection->place;
    close(connection->descriptor);
    free(connection->incoming.bytes);
    free(connection->outgoing.bytes);
    free(connection);
}

static void admit(int listener) {
    for (;;) {
        int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor < 0) return;
        struct connection *connection = calloc(1, sizeof *connection);
        if (!connection || connection_count == MAXIMUM_CONNECTIONS) {
            close(descriptor);
            free(connection);
            return;
        }
        int yes = 1;
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        connection->descriptor = descriptor;
        connection->place = connection_count;
        connections[connection_count++] = connection;
        watch(connection, EPOLL_CTL_ADD, EPOLLIN);
        gather_message(connection, "{\"op\":\"welcome\",\"version\":1,\"server\":\"relay\"}");
    }
}

static int listen_on_loopback(int port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(port)};
    socklen_t length = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0) fail("bind");
    if (listen(listener, 1024) != 0) fail("listen");
    return listener;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: relay PORT [PAIRS]\n");
        return 2;
    }
    pairs = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    poller = epoll_create1(EPOLL_CLOEXEC);
    int listener = listen_on_loopback(atoi(argv[1]));
    struct epoll_event listening = {.events = EPOLLIN, .data.ptr = NULL};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, listener, &listening) != 0) fail("epoll_ctl");
    static struct epoll_event events[EVENTS];
    for (;;) {
        int count = epoll_wait(poller, events, EVENTS, -1);
        if (count < 0 && errno != EINTR) fail("epoll_wait");
        for (int i = 0; i < count; i++) {
            struct connection *connection = events[i].data.ptr;
            if (!connection) {
                admit(listener);
                continue;
            }
            if (events[i].events & ~(uint32_t)EPOLLOUT) receive(connection);
            if (!connection->gathered) {
                connection->gathered = true;
                written_this_tick[written_count++] = connection;
            }
        }
        for (size_t i = 0; i < written_count; i++) {
            write_out(written_this_tick[i]);
            written_this_tick[i]->gathered = false;
        }
        for (size_t i = 0; i < written_count; i++) {
            if (written_this_tick[i]->failed) forget(written_this_tick[i]);
        }
        written_count = 0;
    }
}
