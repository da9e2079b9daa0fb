import NIOCore
import RacProtocol

/// The requests of a client that have no answer yet, over its connections.
///
/// All state is used on the client's event loop. Semantics: protocol.md, "What a client does", 5.
final class RequestQueue: ConnectionUser {
    private struct Entry {
        let request: Request
        let whenAnswered: Dispatcher.WhenAnswered
        let alarm: Scheduled<Void>
        /// Whether writes from before it have no answer yet.
        let isBehindWrites: () -> Bool
        /// Its number on the present connection; nil while it waits for one.
        var sent: RequestID?
        /// Whether a lost connection had it before, and may have had its answer.
        var isRepeated = false
    }

    private let eventLoop: any EventLoop
    private let address: DaemonAddress
    private let timeout: TimeAmount
    private let maximumCount: Int
    private var entries: [UInt64: Entry] = [:]
    /// The requests that wait for the answers to writes.
    private var behindWrites: Set<UInt64> = []
    private var dispatcher: Dispatcher?
    /// Why there will be no answers any more.
    private var end: ClientError?
    /// Why there is no connection.
    var loss: ClientError?

    init(
        eventLoop: any EventLoop,
        address: DaemonAddress,
        timeout: TimeAmount,
        maximumCount: Int = ConnectionLimits().requestsUnderWay
    ) {
        self.eventLoop = eventLoop
        self.address = address
        self.timeout = timeout
        self.maximumCount = maximumCount
    }

    private var timedOut: ClientError {
        let reason = self.loss.map { ": \($0.message)" } ?? ""
        let message = "no answer from racd at \(self.address) within \(self.timeout.text)\(reason)"
        return ClientError(.timedOut, message, cause: self.loss)
    }

    var isSettled: Bool { self.entries.isEmpty }

    /// Asks as soon as there is a connection, and answers once.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - ticket: A greater number than those of all requests before.
    ///   - isBehindWrites: Whether the request must wait, which ends with ``writesAnswered()``.
    ///   - whenAnswered: Gets the answer.
    func ask(
        _ request: Request,
        as ticket: UInt64,
        unless isBehindWrites: @escaping () -> Bool = { false },
        _ whenAnswered: @escaping Dispatcher.WhenAnswered
    ) {
        if let end = self.end { return whenAnswered(.failure(end)) }
        guard self.entries.count < self.maximumCount else {
            let message = "\(self.maximumCount) requests of this program have no answer yet"
            return whenAnswered(.failure(ClientError(.limit, message)))
        }
        let alarm = self.eventLoop.assumeIsolated().scheduleTask(in: self.timeout) { [weak self] in
            guard let self else { return }
            self.giveUp(ticket, self.timedOut)
        }
        self.entries[ticket] = Entry(
            request: request,
            whenAnswered: whenAnswered,
            alarm: alarm,
            isBehindWrites: isBehindWrites
        )
        if let dispatcher = self.dispatcher { self.send(ticket, over: dispatcher) }
    }

    private func send(_ ticket: UInt64, over dispatcher: Dispatcher) {
        guard let entry = self.entries[ticket] else { return }
        guard !entry.isBehindWrites() else {
            self.behindWrites.insert(ticket)
            return
        }
        let request = entry.request
        let id = dispatcher.askPatiently(request) { [weak self, weak dispatcher] result in
            // The loss of a connection decides about it.
            guard let self, dispatcher?.end == nil else { return }
            self.answer(ticket, result)
        }
        self.entries[ticket]?.sent = id
    }

    /// Writes have been answered: the requests behind them may go out.
    func writesAnswered() {
        guard !self.behindWrites.isEmpty, let dispatcher = self.dispatcher else { return }
        let waiting = self.behindWrites.sorted()
        self.behindWrites = []
        for ticket in waiting { self.send(ticket, over: dispatcher) }
    }

    private func answer(_ ticket: UInt64, _ result: Result<Dispatcher.Answer, ClientError>) {
        self.behindWrites.remove(ticket)
        guard let entry = self.entries.removeValue(forKey: ticket) else { return }
        entry.alarm.cancel()
        entry.whenAnswered(entry.isRepeated ? result.mapError(\.ofRepeatedRequest) : result)
    }

    /// Nobody waits for that answer any more.
    func giveUp(_ ticket: UInt64, _ error: ClientError) {
        let id = self.entries[ticket]?.sent
        // The dispatcher answers what is abandoned, too, and only the first answer counts.
        self.answer(ticket, .failure(error))
        if let id { self.dispatcher?.abandon(id) }
    }

    func connected(_ dispatcher: Dispatcher, isNewEpoch: Bool) {
        self.dispatcher = dispatcher
        self.loss = nil
        for ticket in self.entries.keys.sorted() { self.send(ticket, over: dispatcher) }
    }

    func disconnected() {
        self.dispatcher = nil
        self.behindWrites = []
        for (ticket, entry) in self.entries.sorted(by: { $0.key < $1.key }) where entry.sent != nil {
            if entry.request.isRepeatable {
                self.entries[ticket]?.sent = nil
                self.entries[ticket]?.isRepeated = true
            } else {
                let message = "the connection was lost before the answer came: this may have happened or not"
                self.answer(ticket, .failure(ClientError(.outcomeUnknown, message)))
            }
        }
    }

    func gone(_ error: ClientError) {
        self.dispatcher = nil
        self.end = error
        for ticket in self.entries.keys.sorted() { self.answer(ticket, .failure(error)) }
    }
}

@available(*, unavailable)
extension RequestQueue: Sendable {}

extension ClientError {
    /// A conflict may be one with the request's own change, which a lost connection carried out.
    var ofRepeatedRequest: ClientError {
        guard self.code == .conflict else { return self }
        var error = self
        error.code = .outcomeUnknown
        error.message = "the connection was lost before the answer came, and asked again: \(self.message)"
        return error
    }
}

extension Request {
    /// Whether asking twice comes to the same as asking once, or at worst to a conflict.
    var isRepeatable: Bool {
        switch self {
        case .ping, .get, .list: true
        case .set(let set): set.condition != nil
        case .put(let put): put.entries.allSatisfy { $0.condition != nil }
        default: false
        }
    }
}
