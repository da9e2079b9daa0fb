package import RacHost
import RacProtocol

/// A connection as the host's loop knows it.
///
/// Isolation: the host's event loop.
package final class Peer {
    /// While more bytes than this wait for the client to read, its requests wait too.
    package static let pauseBytes = 1 << 20

    package let hosted: HostedConnection

    private(set) var inbox = InboxStateMachine<ClientWords>()

    /// What its loop keeps for it, in bytes.
    var heldByLoop = 0

    /// Its part in the bytes that the daemon keeps for all connections.
    var share = HeldBytes.Share.free

    /// What it said and the host has not taken, in bytes.
    private var waitingBytes = 0
    private var receipt: FlowReceipt
    private let pauseBytes: Int

    /// - Parameters:
    ///   - hosted: The connection as the host has it.
    ///   - aheadBytes: How far its loop lets the client be ahead.
    ///   - pauseBytes: While more bytes than this wait for the client to read, its requests wait too.
    package init(_ hosted: HostedConnection, aheadBytes: Int, pauseBytes: Int = Peer.pauseBytes) {
        self.hosted = hosted
        self.receipt = FlowReceipt(threshold: aheadBytes / 4)
        self.pauseBytes = pauseBytes
    }

    /// Whether the client has said all and been given all that is due.
    var isDrained: Bool { self.inbox.isThrough && !self.hosted.isOwed }

    /// What the daemon keeps for it: beginnings of frames, requests that wait, and answers that are not read.
    var heldBytes: Int { self.heldByLoop + self.waitingBytes + self.hosted.outgoingBytes }

    /// Whether its bytes have to be counted: they are many, or were when they were counted last.
    var mayCount: Bool {
        switch self.share {
        case .free: self.heldBytes > HeldBytes.freeBytes
        case .counted: true
        case .evicted: false
        }
    }

    /// Whether so much of its answers waits that some of it cannot be on its way already.
    var isUnread: Bool { self.hosted.outgoingBytes > FlowReceipt.writtenBytes }

    /// The client said something, which may have to wait; tells of how much its loop is to be told that it was taken.
    package func said(_ words: consuming ClientWords, to host: Host) -> Int? {
        if self.mustWait {
            self.inbox.said(words)
            self.waitingBytes += words.bytes
            return nil
        }
        return self.pass(words, to: host)
    }

    /// The client sent values of so many bytes, which did not have to wait; tells the same.
    func sent(_ bytes: Int) -> Int? { self.receipt.took(bytes) }

    /// Whether what the client says has to wait.
    package var mustWait: Bool { self.inbox.isWaiting || self.isHeld }

    /// Whether something waits that need not wait any more.
    package var mayGoOn: Bool { self.inbox.isWaiting && !self.isHeld }

    /// Lets the host take what has waited longest; tells the same.
    package func goOn(to host: Host) -> Int? {
        guard let words = self.inbox.next() else { return nil }
        self.waitingBytes -= words.bytes
        return self.pass(words, to: host)
    }

    func saidAll() {
        self.inbox.saidAll()
    }

    /// What the client said and waits is dropped.
    package func dismiss() {
        self.inbox.clear()
        self.waitingBytes = 0
    }

    private var isHeld: Bool { self.hosted.outgoingBytes > self.pauseBytes }

    private func pass(_ words: consuming ClientWords, to host: Host) -> Int? {
        let bytes = words.bytes
        switch words.meaning {
        case .message(let message): host.received(message, from: self.hosted)
        case .fault(let fault): host.received(fault, from: self.hosted)
        }
        return self.receipt.took(bytes)
    }
}
