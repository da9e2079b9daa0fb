import NIOCore
package import RacHost
import RacProtocol

/// A connection on the host's loop: the hosted connection, its queued messages and the credits of its client.
///
/// Isolation: the host's event loop.
package final class Peer {
    /// While more bytes than this wait for the client to read, its messages wait too.
    package static let pauseBytes = 1 << 20

    package let hosted: HostedConnection

    package private(set) var inbox = InboxStateMachine<ClientWords>()

    /// Whether the connection is in the line of those that wait for a turn.
    var isInLine = false

    /// Whether the connection has ended, and the host has yet to release what it had.
    package internal(set) var isDeparting = false

    /// The bytes that the connection's loop keeps for it.
    var heldByLoop = 0

    /// The connection's part in the bytes that the daemon keeps for all connections.
    var share = HeldBytes.Share.free

    /// The bytes of the queued messages.
    private var waitingBytes = 0
    private var receipt: FlowReceipt
    private let pauseBytes: Int

    /// - Parameters:
    ///   - hosted: The connection as the host has it.
    ///   - aheadBytes: The bytes by which the client may be ahead of the host.
    ///   - pauseBytes: While more bytes than this wait for the client to read, its messages wait too.
    package init(_ hosted: HostedConnection, aheadBytes: Int, pauseBytes: Int = Peer.pauseBytes) {
        self.hosted = hosted
        self.receipt = FlowReceipt(threshold: aheadBytes / 4)
        self.pauseBytes = pauseBytes
    }

    /// Whether the client sends nothing more and has been given everything that is due.
    var isDrained: Bool { self.inbox.isThrough && !self.hosted.isOwed }

    /// The bytes that the daemon keeps for the connection: unfinished frames, queued messages, unread answers and values.
    var heldBytes: Int {
        self.heldByLoop + self.waitingBytes + self.hosted.outgoingBytes + self.hosted.queuedBytes
    }

    /// Whether the connection's bytes have to be counted: they are many, or were when they were counted last.
    var mayCount: Bool {
        switch self.share {
        case .free: self.heldBytes > HeldBytes.freeBytes
        case .counted: true
        case .evicted: false
        }
    }

    /// Whether more bytes of answers wait than can be on their way already.
    var isUnread: Bool { self.hosted.outgoingBytes > FlowReceipt.writtenBytes }

    /// Queues a message.
    func wait(_ words: consuming ClientWords) {
        self.waitingBytes += words.bytes
        self.inbox.said(words.detached)
    }

    /// The host took values of this many bytes; returns the bytes to credit, if any.
    func sent(_ bytes: Int) -> Int? { self.receipt.took(bytes) }

    /// Whether a message of the client has to wait until the client has read more.
    package var isHeld: Bool { self.hosted.outgoingBytes > self.pauseBytes }

    /// Whether a queued message, or the end behind it, waits for nothing but its turn.
    package var mayGoOn: Bool {
        guard self.inbox.isWaiting else { return self.isDeparting }
        return !self.hosted.waitsForEarlier && (self.isDeparting || !self.isHeld)
    }

    /// Hands the oldest queued message over to the host, or values in a row.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - room: The units that values in a row may cost.
    /// - Returns: The bytes to credit to the client's loop, if any.
    package func goOn(to host: Host, room: Int) -> Int? {
        guard let words = self.inbox.next() else { return nil }
        self.waitingBytes -= words.bytes
        let (credit, rest) = self.handOver(words, to: host, room: room)
        if let rest {
            self.waitingBytes += rest.bytes
            self.inbox.putBack(rest)
        }
        return credit
    }

    func saidAll() {
        self.inbox.saidAll()
    }

    /// Drops the queued messages.
    ///
    /// - Returns: Whether the client has said `bye` with the last of them.
    @discardableResult
    package func dismiss() -> Bool {
        self.waitingBytes = 0
        guard case .message(.bye) = self.inbox.clear()?.meaning else { return false }
        return true
    }

    /// Hands a message over to the host, or the first of several values.
    ///
    /// - Parameters:
    ///   - words: The message.
    ///   - host: The host.
    ///   - room: The units that values in a row may cost; nil for a client that has not waited.
    /// - Returns: The bytes to credit to the client's loop, if any, and the values that are left.
    func handOver(
        _ words: consuming ClientWords,
        to host: Host,
        room: Int? = nil
    ) -> (credit: Int?, rest: ClientWords?) {
        let bytes = words.bytes
        switch words.meaning {
        case .message(let message): host.received(message, bytes: bytes, from: self.hosted)
        case .fault(let fault): host.received(fault, bytes: bytes, from: self.hosted)
        case .sends(var frames):
            let taken = self.handOver(&frames, to: host, room)
            let rest = taken > 0 && frames.readableBytes > 0 ? ClientWords(sends: frames, bytes: bytes - taken) : nil
            return (self.receipt.took(taken), rest)
        }
        return (self.receipt.took(bytes), nil)
    }

    /// Hands over plain sends from the front of bytes: one at least, so that none waits for ever.
    ///
    /// - Returns: The bytes that they count for.
    private func handOver(_ frames: inout ByteBuffer, to host: Host, _ room: Int?) -> Int {
        let buffer = frames
        let bytes = buffer.readableBytesUInt8Span
        var sends = ClientWords.sends(in: buffer)
        host.received(&sends, in: bytes, from: self.hosted, room: room)
        if sends.end == 0, let send = sends.next(in: bytes) {
            sends.take()
            host.received(.send(sends.message(of: send)), bytes: sends.countedBytes, from: self.hosted)
        }
        frames.moveReaderIndex(forwardBy: sends.end)
        return sends.countedBytes
    }
}
