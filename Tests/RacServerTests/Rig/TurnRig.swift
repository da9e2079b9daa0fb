import NIOCore
import RacAccess
import RacHost
import RacProtocol

@testable import RacServer

/// The turns of a host, and a receiver that notes their results in a few words each.
final class TurnRig: TurnReceiver {
    let turn: HostTurn
    var results: [String] = []
    /// The messages that each connection heard behind its bind.
    private(set) var heard: [UInt64: [ServerMessage]] = [:]
    /// The bytes that were credited behind a bind.
    private(set) var credits = 0
    private var terminals: [UInt64: UInt64] = [:]

    init(
        batches: BatchPolicy = .whole,
        heldBytes: Int = .max,
        pauseBytes: Int = Peer.pauseBytes,
        units: (ofAll: Int, ofClient: Int)? = nil,
        access: AccessPolicy? = nil
    ) {
        var limits = Limits()
        if let units { (limits.unitsPerTurn, limits.unitsPerConnection) = units }
        let host = Host(
            channels: [],
            revisions: RevisionSource(floor: .never, reserved: Revision(2_000_000)),
            isStored: true,
            batches: batches,
            limits: limits,
            access: access,
            at: Time(uptime: 1_000, wall: 0)
        )
        self.turn = HostTurn(host, heldBytes: heldBytes, aheadBytes: 4, pauseBytes: pauseBytes)
    }

    /// Begins a tick, lets the body happen and ends the tick.
    func tick(beginsTurn: Bool = true, _ body: () -> Void) {
        self.turn.begin(at: Time(uptime: 1_000, wall: 0), beginsTurn: beginsTurn)
        body()
        self.turn.end(into: self)
    }

    /// Welcomes a client and binds it to channel a, in ticks of their own.
    func bound(_ number: UInt64, _ introduction: Introduction = Introduction()) -> Peer {
        var peer: Peer?
        self.tick {
            let welcomed = self.turn.welcomed(ConnectionID(number), introduction)
            self.say(#"{"op":"bind","id":1,"channel":"a"}"#, welcomed)
            peer = welcomed
        }
        _ = self.takeTurns()
        (self.results, self.heard, self.credits) = ([], [:], 0)
        guard let peer else { preconditionFailure("a tick runs its body") }
        return peer
    }

    func say(_ text: String, _ peer: Peer) {
        self.turn.admit(ClientWords(ByteBuffer(string: text)), from: peer, self)
    }

    /// Sends a value to channel a.
    func send(_ number: Int, _ peer: Peer, sync: Bool = false) {
        let terminal = self.terminals[peer.hosted.id.number] ?? 0
        self.say(#"{"op":"next","t":\#(terminal),"n":\#(number),"value":\#(number),"sync":\#(sync)}"#, peer)
    }

    /// Sends values to channel a as bytes from another loop.
    ///
    /// - Returns: The bytes that they count for.
    func sendAsBytes(_ numbers: ClosedRange<Int>, _ peer: Peer) -> Int {
        let terminal = self.terminals[peer.hosted.id.number] ?? 0
        let frames = Wire.frames(numbers.map { #"{"op":"next","t":\#(terminal),"n":\#($0),"value":\#($0)}"# })
        let bytes = frames.readableBytes + numbers.count * (ClientWords.overhead - FrameHeader.byteCount)
        self.turn.admit(ClientWords(sends: frames, bytes: bytes), from: peer, self)
        return bytes
    }

    /// Ends ticks with the queued messages that have their turn, until none is left; returns the connections of each tick.
    func takeTurns() -> [[UInt64]] {
        var turns: [[UInt64]] = []
        while self.turn.wantsTurn, turns.count < 100 {
            self.tick { turns.append(self.takeQueued()) }
        }
        return turns
    }

    /// Takes the queued messages that have their turn; returns the numbers of their connections.
    func takeQueued() -> [UInt64] {
        var taken: [UInt64] = []
        while let peer = self.turn.nextInLine() {
            self.turn.takeQueued(from: peer, self)
            taken.append(peer.hosted.id.number)
        }
        return taken
    }

    // MARK: What a tick gives

    func write(_ output: Outgoing, to connection: HostedConnection) {
        var bytes = ByteBuffer()
        for frames in output { bytes.writeImmutableBuffer(frames.buffer) }
        var names: [String] = []
        while let heard = try? Wire.take(from: &bytes) {
            if let message = heard.message { self.heard[connection.id.number, default: []].append(message) }
            if let terminal = heard.terminal { self.terminals[connection.id.number] = terminal }
            names.append(String(heard.text.split(separator: "\"").dropFirst(3).first ?? ""))
        }
        self.results.append("\(connection.id.number) hears \(names.joined(separator: " "))")
    }

    func give(_ order: ConnectionOrder, to id: ConnectionID) {
        if case .took(let bytes) = order { self.credits += bytes }
        self.results.append("\(id.number) \(order)")
    }

    func finishOrders() { self.results.append("finished") }

    func reserve(through revision: Revision) { self.results.append("reserves") }

    func submit(_ batch: StoreBatch) {
        self.results.append("\(batch.isFollowed ? "part" : "batch") \(batch.ticket) of \(batch.changes.count)")
    }
}
