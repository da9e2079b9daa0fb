package import RacProtocol

/// One binding of a connection, for a program that takes its events as a sequence.
///
/// Isolation: the connection's event loop.
package final class Terminal: TerminalListener {
    typealias AskForValue = (ChannelName, _ answered: @escaping (Valuation?) -> Void) -> Void

    let id: TerminalID
    let channel: ChannelName
    let mode: ChannelMode
    private let maximumSendsUnderWay: Int
    /// Asks the daemon for the channel's value; nil comes back if there is none, or no answer.
    private let ask: AskForValue
    private var counter: SendCounter
    private var agreement: OpenWriteStateMachine
    package private(set) var isOver = false
    private var mailbox: Mailbox<BindingQueue>
    /// Tasks that wait until fewer sends are under way.
    var room = WaitingLine()
    /// Tasks that wait until every send is answered.
    var settled = WaitingLine()

    init(_ bound: Bound, of channel: ChannelName, limits: ConnectionLimits, ask: @escaping AskForValue) {
        self.ask = ask
        self.channel = channel
        self.id = bound.terminal
        self.mode = bound.mode
        self.maximumSendsUnderWay = limits.sendsUnderWay
        self.counter = SendCounter(lastApplied: bound.lastApplied)
        self.mailbox = Mailbox(BindingQueue(mode: bound.mode, limits: limits))
        let value = bound.value.map { Valuation(value: $0.detached, revision: bound.revision, cause: bound.cause) }
        self.agreement = OpenWriteStateMachine(showing: value)
        if let value { _ = self.mailbox.queue.append(value) }
    }

    var hasRoom: Bool {
        self.counter.underWay + self.mailbox.queue.refusals < self.maximumSendsUnderWay
    }

    var isSettled: Bool { self.counter.underWay == 0 }

    /// Whether a send can still succeed.
    var acceptsSends: Bool { !self.isOver && !self.agreement.isEnding }

    /// Resumes with the next event as soon as there is one.
    func take(_ continuation: CheckedContinuation<Mailbox<BindingQueue>.Taken, Never>) {
        self.mailbox.resume(continuation)
        self.letGo()
    }

    func cancelTaking() {
        self.mailbox.cancelWaiting()
    }

    /// The next send's message.
    func nextSend(_ event: Send.Event, sync: Bool) -> Send {
        Send(terminal: self.id, number: self.counter.next, event: event, sync: sync)
    }

    /// The message of `nextSend` was written.
    func sent() {
        if self.mode == .shared { self.agreement.sent(self.counter.next) }
        self.counter.sent()
    }

    /// The reply to the bind made the terminal; it has nothing more to learn from it.
    package func bound(_ bound: Bound) {}

    package func arrived(_ valuation: Valuation) -> Bool {
        self.show(self.agreement.arrived(valuation.detached)) != .overflows
    }

    package func ended(_ end: TerminalEnd) {
        _ = self.show(self.agreement.ended(end))
    }

    package func acknowledged(_ number: SendNumber, as revision: Revision) {
        self.counter.answered(upTo: number)
        _ = self.show(self.agreement.acknowledged(number, as: revision))
        self.letGo()
    }

    /// A send came too late in its chain of links: `standing` is the channel's value.
    package func changedNothing(_ number: SendNumber, standing: Valuation) {
        self.counter.answered(upTo: number)
        _ = self.show(self.agreement.changedNothing(number, standing: standing.detached))
        self.letGo()
    }

    /// A send was not applied; the channel's value is asked for if the refusal lacks it and the program needs it.
    package func refused(_ number: SendNumber, _ refusal: Refusal) {
        self.counter.answered(upTo: number)
        self.mailbox.queue.append(refusal)
        let mustAsk = refusal.revision == nil && self.agreement.mustAsk(afterRefusalOf: number)
        if !mustAsk { self.stood(at: refusal.standing, after: number) }
        self.mailbox.wake()
        self.letGo()
        if mustAsk { self.ask(self.channel) { self.stood(at: $0, after: number) } }
    }

    /// The channel's value instead of a refused send, if it has one.
    private func stood(at value: Valuation?, after number: SendNumber) {
        _ = self.show(self.agreement.refused(number, standing: value))
    }

    package func finish(_ error: ClientError?) {
        _ = self.show(self.agreement.connectionLost())
        self.finish(mailboxWith: error)
    }

    private func show(_ release: OpenWriteStateMachine.Release) -> BindingQueue.OnValue {
        let outcome = release.value.map { self.mailbox.queue.append($0) } ?? .waits
        if let end = release.end {
            self.mailbox.queue.append(end)
            self.finish(mailboxWith: nil)
        }
        if outcome == .overflows { self.finish(mailboxWith: nil) }
        self.mailbox.wake()
        return outcome
    }

    private func finish(mailboxWith error: ClientError?) {
        self.isOver = true
        self.mailbox.finish(error.map { .failure($0) } ?? .success(nil))
        let result: Result<Void, ClientError> = error.map { .failure($0) } ?? .success(())
        self.room.release(result)
        self.settled.release(result)
    }

    private func letGo() {
        if self.hasRoom { self.room.release() }
        if self.isSettled { self.settled.release() }
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
