import NIOCore
import RacHost
import RacProtocol

/// The one door between the connections of a loop and the host.
///
/// Only the door knows whether the host is on the same loop (`here`) or on another one (`there`). Here a client's
/// message is a plain call, and the host's connection is found by its place in an array. There events go in batches,
/// one a tick. ``HostDoorStateMachine`` decides which events enter at once and which are gathered.
///
/// Every event that changes the host passes through this type, and each loop's events pass in one order. A replicated
/// daemon would put its ordered log here. The door would append the events, and the host would take them once a
/// majority has them. Nothing of that exists yet.
///
/// Isolation: the event loop of the connections.
final class HostDoor {
    private enum Way {
        case here(HostShell)
        case there(LoopReference<HostShell>)
    }

    private let way: Way
    private let loop: any EventLoop
    private var machine: HostDoorStateMachine

    /// The gathered events, in the order in which they happened.
    private var batch = ConnectionBatch()

    /// The connections that a host on this loop knows, by their places.
    private var peers: [Peer?] = []

    /// Makes the door of a loop to the host.
    ///
    /// - Parameters:
    ///   - host: The host, on this loop or another one.
    ///   - loop: The event loop of the connections.
    init(_ host: LoopReference<HostShell>, on loop: any EventLoop) {
        let isHere = host.loop === loop
        self.way = isHere ? .here(host.value) : .there(host)
        self.machine = HostDoorStateMachine(isHere ? .here : .there)
        self.loop = loop
    }
}

@available(*, unavailable)
extension HostDoor: Sendable {}

// MARK: Ticks

extension HostDoor {
    /// Something is about to happen to a connection; true if the loop has to begin a tick of its own.
    ///
    /// A host on this loop begins the tick itself and notifies the loop, as it does for all its ticks.
    func enter() -> Bool {
        guard self.machine.entered() == .beginTick else { return false }
        switch self.way {
        case .here(let shell):
            shell.enterTick()
            return false
        case .there: return true
        }
    }

    /// The loop's tick has begun.
    func tickBegan() {
        self.machine.tickBegan()
    }

    /// Ends the loop's tick, and with it the tick of a host that is on this loop.
    func endTick(into connections: some ConnectionsHere) -> OnTickEnded {
        let ends = self.machine.tickEnds()
        self.deliver()
        guard case .here(let shell) = self.way, ends == .deliverAndEndHost else { return OnTickEnded() }
        self.machine.hostEnds()
        shell.endTick(into: connections)
        let wantsTick = self.machine.hostEnded() == .beginTick
        return OnTickEnded(
            wantsTurn: wantsTick || shell.wantsTurn,
            deadline: shell.nextDeadline,
            awaitedCommit: shell.awaitedCommit
        )
    }

    /// The consequences of the end of a tick.
    struct OnTickEnded {
        /// Whether work is left for another turn, after the sockets have been read.
        var wantsTurn = false

        /// The time of the next deadline, in milliseconds of the loop's clock, if the host is on this loop.
        var deadline: UInt64?

        /// The newest batch that is on its way to the disk and that clients wait for, if the host is on this loop.
        var awaitedCommit: UInt64?
    }
}

// MARK: Events

extension HostDoor {
    /// Enters what happened to a connection, behind everything that happened before.
    func enter(_ event: ConnectionEvent, of id: ConnectionID) {
        self.batch.events.append((id, event))
        self.machine.gathered()
    }

    /// Enters a message of a client, at once if the door is open.
    func enter(_ words: consuming ClientWords, of id: ConnectionID) {
        let peer = self.peer(id)
        let action = self.machine.message(isKnown: peer != nil)
        guard case .here(let shell) = self.way, action != .gather, let peer else {
            return self.enter(.said(words), of: id)
        }
        if action == .deliverAndEnter { self.deliver() }
        shell.admit(words, of: peer)
    }

    /// Enters values where they stand, if the door is open and their client need not wait; else leaves them.
    ///
    /// Values for a host on another loop are gathered as bytes.
    func enter(_ sends: inout PlainSends, in bytes: Span<UInt8>, of id: ConnectionID) {
        guard case .here(let shell) = self.way else { return self.gather(&sends, in: bytes, of: id) }
        guard let peer = self.peer(id) else { return }
        let action = self.machine.message(isKnown: true)
        guard action != .gather else { return }
        if action == .deliverAndEnter { self.deliver() }
        // Asked behind that: an earlier message of the client may wait for its turn now.
        guard !shell.mustWait(peer), sends.next(in: bytes) != nil else { return }
        shell.admit(&sends, in: bytes, from: peer)
    }

    private func gather(_ sends: inout PlainSends, in bytes: Span<UInt8>, of id: ConnectionID) {
        while sends.next(in: bytes) != nil { sends.take() }
        guard sends.end > 0 else { return }
        let start = self.batch.bytes.writerIndex
        bytes.extracting(..<sends.end).withUnsafeBytes { _ = self.batch.bytes.writeBytes($0) }
        self.enter(.sent(start..<start + sends.end, counting: sends.countedBytes), of: id)
    }

    /// The bytes that each value counts for in addition to its payload: on another loop it may become a message that waits.
    var overheadOfSend: Int {
        switch self.way {
        case .here: 0
        case .there: ClientWords.overhead
        }
    }

    /// Delivers the gathered events.
    func deliver() {
        guard self.machine.takesGathered() else { return }
        let batch = self.batch
        self.batch = ConnectionBatch()
        switch self.way {
        case .here(let shell): shell.receive(batch) { self.knows($0, as: $1) }
        case .there(let host): host.tell(from: self.loop) { $0.receive(batch) { _, _ in } }
        }
    }

    /// Drops the gathered events: the host may have ended.
    func close() {
        self.batch = ConnectionBatch()
        _ = self.machine.takesGathered()
    }

    /// The host knows a connection of this loop from now on, or no longer.
    private func knows(_ id: ConnectionID, as peer: Peer?) {
        if self.peers.count <= id.place {
            self.peers.append(contentsOf: repeatElement(nil, count: id.place + 1 - self.peers.count))
        }
        self.peers[id.place] = peer
    }

    /// The connection as a host on this loop knows it; its place may have been another's before.
    private func peer(_ id: ConnectionID) -> Peer? {
        guard id.place < self.peers.count, let peer = self.peers[id.place], peer.hosted.id == id else { return nil }
        return peer
    }
}
