package import RacProtocol

/// One binding of a connection, for a program that takes its events as a sequence.
///
/// The machine decides, and goes over to the next connection of the session. This shell hands its news to the program.
///
/// Isolation: the connection's event loop.
package final class Terminal: TerminalListener {
    typealias AskForValue = (ChannelName, _ answered: @escaping (Valuation?) -> Void) -> Void

    let id: TerminalID
    let channel: ChannelName
    private let epoch: String?
    private let maximumSendsUnderWay: Int
    /// Asks the daemon for the channel's value; nil comes back if there is none, or no answer.
    private let ask: AskForValue
    private var machine: TerminalStateMachine
    package private(set) var isOver = false
    private var mailbox: Mailbox<BindingQueue>
    /// The end of a paired channel, which waits for the answers to the sends before it.
    private var end: TerminalEnd?
    /// Tasks that wait until fewer sends are under way.
    var room = WaitingLine()
    /// Tasks that wait until every send is answered.
    var settled = WaitingLine()

    /// - Parameters:
    ///   - bound: The reply to the bind.
    ///   - channel: The channel's name.
    ///   - epoch: The daemon's epoch.
    ///   - rest: The rest of the binding over an earlier connection of the session.
    ///   - limits: The limits of waiting values and sends.
    ///   - ask: Asks the daemon for the channel's value.
    init(
        _ bound: Bound,
        of channel: ChannelName,
        in epoch: String?,
        after rest: BindingRest?,
        limits: ConnectionLimits,
        ask: @escaping AskForValue
    ) {
        self.ask = ask
        self.channel = channel
        self.epoch = epoch
        self.id = bound.terminal
        self.maximumSendsUnderWay = limits.sendsUnderWay
        self.mailbox = Mailbox(BindingQueue(mode: bound.mode, limits: limits))
        self.machine =
            rest?.machine
            ?? TerminalStateMachine(
                mode: bound.mode,
                meaning: .events,
                maximumWaiting: limits.sendsUnderWay,
                maximumUnderWay: limits.sendsUnderWay
            )
        self.tell(self.machine.bound(bound, isNewEpoch: rest?.isOfOtherEpoch(than: epoch) ?? true))
    }

    /// The rest that the next connection of the session goes on with.
    func rest() -> BindingRest { BindingRest(epoch: self.epoch, machine: self.machine) }

    var hasRoom: Bool {
        self.machine.unansweredCount + self.mailbox.queue.refusals < self.maximumSendsUnderWay
    }

    var isSettled: Bool { self.machine.isSettled }

    /// The error for a task that waits for answers that will not come; nil if every send is answered.
    var unknownOutcome: ClientError? {
        guard !self.isSettled else { return nil }
        let count = self.machine.unansweredCount
        let sends = count == 1 ? "1 send" : "\(count) sends"
        return ClientError(.outcomeUnknown, "the binding to \(self.channel) ended before \(sends) had an answer")
    }

    /// Whether a send can still succeed.
    var acceptsSends: Bool { !self.isOver && self.machine.acceptsWrites }

    /// Resumes with the next event as soon as there is one.
    func take(_ continuation: CheckedContinuation<Mailbox<BindingQueue>.Taken, Never>) {
        self.mailbox.resume(continuation)
        self.letGo()
    }

    func cancelTaking() {
        self.mailbox.cancelWaiting()
    }

    /// The next send of an earlier connection; those go out again before any other.
    func nextRepeated() -> Send? { self.machine.nextSend() }

    /// The next send's message.
    func nextSend(_ event: Send.Event, sync: Bool) -> Send {
        Send(terminal: self.id, number: self.machine.lastNumber.next, event: event, sync: sync)
    }

    /// The message of `nextSend` was written.
    func sent(_ send: Send) {
        _ = self.machine.write(send.event, sync: send.sync)
        _ = self.machine.nextSend()
    }

    /// The reply to the bind made the terminal; it has nothing more to learn from it.
    package func bound(_ bound: Bound) {}

    package func arrived(_ valuation: Valuation) -> Bool {
        self.tell(self.machine.arrived(valuation.detached)) != .overflows
    }

    /// The terminal ended; of a paired channel the program is notified behind the answers to its sends.
    package func ended(_ end: TerminalEnd) {
        guard end.revision != nil, case .news(let news) = self.machine.ended(end) else { return self.finish(with: end) }
        self.tell(news)
    }

    package func acknowledged(_ number: SendNumber, as revision: Revision) {
        self.tell(self.machine.acknowledged(number, as: revision))
    }

    /// A send came too late in its chain of links: `standing` is the channel's value.
    package func changedNothing(_ number: SendNumber, standing: Valuation) {
        self.tell(self.machine.changedNothing(number, standing: standing.detached))
    }

    /// A send was not applied; the channel's value is asked for if the refusal lacks it and the program needs it.
    package func refused(_ number: SendNumber, _ refusal: Refusal) {
        guard refusal.revision == nil, self.machine.mustAsk(afterRefusalOf: number, refusal) else {
            return self.refused(number, refusal, standing: refusal.standing)
        }
        self.ask(self.channel) { self.refused(number, refusal, standing: $0) }
    }

    private func refused(_ number: SendNumber, _ refusal: Refusal, standing: Valuation?) {
        self.tell(self.machine.refused(number, refusal, standing: standing))
    }

    /// The connection is lost, or the program lets go; an end that waits is a fact all the same.
    package func finish(_ error: ClientError?) {
        if let end = self.machine.unbound().end ?? self.end { self.finish(with: end) }
        self.finish(mailboxWith: error)
    }

    @discardableResult
    private func tell(_ news: TerminalStateMachine.News) -> BindingQueue.OnValue {
        if case .refused(_, let refusal)? = news.answer { self.mailbox.queue.append(refusal) }
        let outcome = news.value.map { self.mailbox.queue.append($0) } ?? .waits
        if outcome == .overflows { self.finish(mailboxWith: nil) }
        self.end = news.end ?? self.end
        self.mailbox.wake()
        self.letGo()
        return outcome
    }

    private func letGo() {
        if self.hasRoom { self.room.release() }
        guard self.isSettled else { return }
        self.settled.release()
        if let end = self.end.take() { self.finish(with: end) }
    }

    private func finish(with end: TerminalEnd) {
        self.mailbox.queue.append(end)
        self.finish(mailboxWith: nil)
    }

    private func finish(mailboxWith error: ClientError?) {
        self.isOver = true
        self.mailbox.finish(error.map { .failure($0) } ?? .success(nil))
        self.room.release(error.map { .failure($0) } ?? .success(()))
        self.settled.release((error ?? self.unknownOutcome).map { .failure($0) } ?? .success(()))
    }
}

@available(*, unavailable)
extension Terminal: Sendable {}

extension Refusal {
    /// The channel's value instead of the refused one.
    package var standing: Valuation? {
        guard let revision = self.revision, let value = self.value else { return nil }
        return Valuation(value: value.detached, revision: revision, cause: self.cause)
    }
}

extension Got {
    /// The channel's value.
    package var standing: Valuation? {
        self.value.map { Valuation(value: $0.detached, revision: self.revision, cause: self.cause) }
    }
}
