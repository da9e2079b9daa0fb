import NIOCore
import RacProtocol

/// A mistake on purpose, which the checks must find.
///
/// No mistake is in the code under test: messages are altered on their way, or a program or the disk misbehaves.
package enum Sabotage: String, CaseIterable, Sendable {
    /// A client shows a value that arrives while its own write is open.
    case noHoldBack = "no-hold-back"
    /// Sends that ask for the disk are acknowledged at once.
    case earlyAcknowledgement = "early-acknowledgement"
    /// The sender of a value gets it back.
    case echo
    /// After a crash the daemon goes on with the newest revision on the disk.
    case revisionsReused = "revisions-reused"
    /// Ends are lost on their way to the client.
    case forgottenEnd = "forgotten-end"
    /// A send that is repeated after a lost connection is applied again.
    case forgottenSession = "forgotten-session"
    /// Sessions without a connection are kept for half their time.
    case shortSession = "short-session"
    /// Writes of links come without their cause.
    case noCause = "no-cause"
    /// A binding that gets every value gets the newest only.
    case conflatedPair = "conflated-pair"
    /// Two values change places on their way to a client.
    case reordered
    /// A value on its way to a client is lost.
    case lostValue = "lost-value"
    /// An acknowledgement is lost.
    case lostAnswer = "lost-answer"
    /// The condition of a write is ignored.
    case noCondition = "no-condition"
    /// One entry of a put is lost.
    case halfPut = "half-put"
    /// A client that says bye is treated as lost.
    case byeIsLoss = "bye-is-loss"
    /// The wills of clients are lost on their way.
    case lostWill = "lost-will"
    /// A lost connection ends the channels for the program.
    case lossIsEnd = "loss-is-end"
    /// A crash loses a channel that was on the disk.
    case tornDisk = "torn-disk"
    /// The daemon does not notice that its files are elsewhere.
    case uncheckedFiles = "unchecked-files"
    /// A watch misses a change.
    case blindWatch = "blind-watch"
    /// A watch that catches up, after its client had no room for changes, misses them.
    case lostBacklog = "lost-backlog"
    /// A value comes in a frame that is longer than a client must accept.
    case longFrame = "long-frame"
    /// Long frames are compressed for everybody.
    case unaskedCompression = "unasked-compression"
    /// A client gets the frames that were compressed before instead of its own.
    case wrongCompression = "wrong-compression"
    /// The requests of a client that does not read are taken all the same.
    case neverPaused = "never-paused"
    /// Messages that wait for their client to read are lost.
    case lostInbox = "lost-inbox"
    /// Messages that wait for their turn are seldom taken.
    case seldomTurns = "seldom-turns"
    /// Messages of a session's connection are taken before its earlier one is released.
    case earlySuccessor = "early-successor"
    /// A value of an execution is lost on its way to the caller.
    case lostProgress = "lost-progress"
    /// Observers of a command are not notified of a change.
    case lostState = "lost-state"
    /// Observers of a command are not notified of a failure.
    case lostFailure = "lost-failure"
    /// Every command is hosted as concurrent.
    case alwaysConcurrent = "always-concurrent"
    /// A program that waits for the place of another host does not ask again.
    case forgottenPlace = "forgotten-place"
    /// A host reports the end of a cancelled execution before its function has returned.
    case earlyEnd = "early-end"

    // Mistakes with rights.
    /// A refusal for want of a right reveals a revision.
    case tellingRefusal = "telling-refusal"
    /// Every principal may do everything.
    case grantsAll = "grants-all"
    /// Every client is taken for the same principal.
    case otherPrincipal = "other-principal"
    /// The daemon does not take other rules.
    case deafReload = "deaf-reload"
    /// The end of a binding for want of a right is lost.
    case lostWithdrawal = "lost-withdrawal"
    /// A watch is not notified of a channel that it may not show any more.
    case staleWatch = "stale-watch"
    /// All connections end when the daemon takes other rules.
    case wideReload = "wide-reload"

    // Mistakes of clients that come back after a lost connection.
    /// A client takes every send up to the number in the answer to bind for applied.
    case trustedNumber = "trusted-number"
    /// A client sends only the newest of its sends again, and takes the answer to that for the answer to all.
    case newestForAll = "newest-for-all"
    /// A client takes a `not-bound` of the binding before for the answer to the send that has gone out again.
    case trustedNotBound = "trusted-not-bound"
    /// A program takes each connection for one to another daemon, and repeats sends under new numbers.
    case renumbered
    /// A program repeats an acknowledged write that the daemon has lost, even after newer writes.
    case unconditionalRewrite = "unconditional-rewrite"
    /// A client that comes back does not name the terminal that its numbers belong to.
    case forgottenTerminal = "forgotten-terminal"
    /// A client that comes back forgets the value that it holds back, and does not get it again.
    case forgottenArrival = "forgotten-arrival"
    /// A program is shown its own write by the answer to bind.
    case reconnectionEcho = "reconnection-echo"
}

// MARK: In the client

extension Sabotage {
    /// The message of a client that makes this mistake.
    func alteredByClient(_ message: ClientMessage) -> ClientMessage {
        if self == .forgottenTerminal, case .request(let id, .bind(var bind)) = message {
            bind.was = nil
            return .request(id, .bind(bind))
        }
        guard self == .unconditionalRewrite, case .send(var send) = message,
            case .next(let value, .some, let cause) = send.event
        else { return message }
        send.event = .next(value, condition: nil, cause: cause)
        return .send(send)
    }
}

// MARK: On the way to the daemon

extension Sabotage {
    /// The message as the daemon gets it.
    func altered(_ message: ClientMessage) -> ClientMessage {
        switch (self, message) {
        case (.earlyAcknowledgement, .send(var send)):
            send.sync = false
            return .send(send)
        case (.noCondition, .send(var send)):
            if case .next(let value, _, let cause) = send.event {
                send.event = .next(value, condition: nil, cause: cause)
            }
            return .send(send)
        case (.noCause, .send(var send)):
            if case .next(let value, let condition, _) = send.event {
                send.event = .next(value, condition: condition, cause: nil)
            }
            return .send(send)
        case (.conflatedPair, .request(let id, .bind(var bind))):
            bind.conflate = true
            return .request(id, .bind(bind))
        case (.lostWill, .request(let id, .bind(var bind))):
            bind.will = nil
            return .request(id, .bind(bind))
        case (.alwaysConcurrent, .request(let id, .host(var host))):
            host.isConcurrent = true
            return .request(id, .host(host))
        case (.halfPut, .request(let id, .put(var put))) where put.entries.count > 1:
            put.entries.removeLast()
            return .request(id, .put(put))
        case (_, _): return message
        }
    }
}

// MARK: On the way to the client

extension Sabotage {
    /// The frames that a client gets of one output of the daemon.
    ///
    /// - Parameters:
    ///   - frames: The frames as the daemon wrote them.
    ///   - backlog: The newest revision that a watch of the client reports late; nil if it is still at its beginning.
    ///   - value: Knows the values of revisions.
    /// - Returns: The frames that the client gets.
    func altered(_ frames: [Frame], backlog: Revision?, value: (Revision) -> Valuation?) -> [Frame] {
        switch self {
        case .echo: frames.flatMap { frame in [frame] + self.echo(of: frame, value) }
        case .reordered: self.swapped(frames)
        case .tellingRefusal: frames.map { $0.telling }
        case .longFrame: frames.map { if case .next = $0.message { $0.lengthened } else { $0 } }
        default: frames.filter { !self.loses($0.message, backlog) }
        }
    }

    private func loses(_ message: ServerMessage?, _ backlog: Revision?) -> Bool {
        switch (self, message) {
        case (.forgottenEnd, .ended), (.forgottenEnd, .deleted): true
        case (.lostValue, .next(_, let valuation)): valuation.revision.number.isMultiple(of: 5)
        case (.lostAnswer, .ack(_, _, let revision)): revision.number.isMultiple(of: 5)
        case (.lostProgress, .progress(let execution, .next)): execution.number.isMultiple(of: 2)
        case (.lostFailure, .failed): true
        case (.lostState, .state(_, let state)): !state.isExecuting
        case (.blindWatch, .changed(let changed)): changed.revision.number.isMultiple(of: 5)
        case (.lostWithdrawal, .ended(_, _, nil)): true
        case (.staleWatch, .changed(let changed)): changed.state == nil
        case (.lostBacklog, .changed(let changed)): backlog.map { changed.revision <= $0 } ?? false
        case (_, _): false
        }
    }

    private func echo(of frame: Frame, _ value: (Revision) -> Valuation?) -> [Frame] {
        guard case .ack(let terminal, _, let revision) = frame.message, let valuation = value(revision) else {
            return []
        }
        return [Frame(.next(terminal, valuation))]
    }

    private func swapped(_ frames: [Frame]) -> [Frame] {
        let nexts = frames.indices.filter { if case .next = frames[$0].message { true } else { false } }
        guard nexts.count > 1 else { return frames }
        var result = frames
        result.swapAt(nexts[0], nexts[1])
        return result
    }
}

/// One frame of the daemon.
struct Frame {
    let bytes: ByteBuffer
    /// Nil for answers to requests, which cannot be read without them.
    let message: ServerMessage?

    init(_ message: ServerMessage) {
        var bytes = ByteBuffer()
        message.write(to: &bytes)
        self.bytes = bytes
        self.message = message
    }

    private init(payload: ByteBuffer) {
        var bytes = ByteBuffer()
        bytes.writeFrame { $0.writeImmutableBuffer(payload) }
        self.bytes = bytes
        self.message = (try? ServerMessage.read(payload: payload) { _ in nil }) ?? nil
    }

    /// The frame with blanks behind its payload, which make it longer than any may be.
    var lengthened: Frame {
        var payload = self.bytes.getSlice(
            at: FrameHeader.byteCount,
            length: self.bytes.readableBytes - FrameHeader.byteCount
        )
        payload?.writeRepeatingByte(UInt8(ascii: " "), count: Bounds.longestPayload)
        return payload.map(Frame.init(payload:)) ?? self
    }

    /// The frame with a revision, if it is a refusal for want of a right.
    var telling: Frame {
        switch self.message {
        case .refused(let id, let refusal): Frame(.refused(id, refusal.telling))
        case .nak(let terminal, let number, let refusal): Frame(.nak(terminal, number, refusal.telling))
        default: self
        }
    }

    static func all(in bytes: ByteBuffer) -> [Frame] {
        var rest = bytes
        var frames: [Frame] = []
        let reader = FrameReader(maximumBytes: .max, inflates: false)
        while let payload = try? reader.nextPayload(in: &rest) { frames.append(Frame(payload: payload)) }
        return frames
    }
}

extension Refusal {
    fileprivate var telling: Refusal {
        guard self.error.code == ErrorCode.forbidden.rawValue else { return self }
        return Refusal(self.error, standing: Valuation(value: .string("secret"), revision: Revision(1), cause: nil))
    }
}
