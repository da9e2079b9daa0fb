package import RacProtocol

/// One binding of a connection, for a program that takes its events as a sequence.
///
/// Isolation: the connection's event loop.
package final class Terminal: TerminalListener {
    typealias AskForValue = (ChannelName, _ answered: @escaping (Valuation?) -> Void) -> Void

    let id: TerminalID
    let channel: ChannelName
    let mode: ChannelMode
    private let epoch: String?
    private let maximumSendsUnderWay: Int
    /// Asks the daemon for the channel's value; nil comes back if there is none, or no answer.
    private let ask: AskForValue
    private var unanswered: UnansweredSends
    private var agreement: OpenWriteStateMachine
    package private(set) var isOver = false
    private var mailbox: Mailbox<BindingQueue>
    /// The newest revision that the daemon reported for this terminal, for `since`.
    private var newest: Revision
    /// The end of a paired channel, which waits for the answers to the sends before it.
    private var end: TerminalEnd?
    /// The newest value of an earlier connection that goes out again, until its answer: the daemon may send it as
    /// somebody else's.
    private var resent: (value: JSONText, number: SendNumber)?
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
        self.mode = bound.mode
        self.maximumSendsUnderWay = limits.sendsUnderWay
        self.mailbox = Mailbox(BindingQueue(mode: bound.mode, limits: limits))
        let value = bound.value.map { Valuation(value: $0.detached, revision: bound.revision, cause: bound.cause) }
        self.newest = bound.revision
        self.agreement = rest?.agreement ?? OpenWriteStateMachine(showing: value)
        self.unanswered = rest?.unanswered ?? UnansweredSends(lastApplied: bound.lastApplied)
        if let rest { self.resume(rest, as: bound, value) } else if let value { _ = self.mailbox.queue.append(value) }
    }

    /// Goes on where a binding of an earlier connection stopped.
    private func resume(_ rest: BindingRest, as bound: Bound, _ value: Valuation?) {
        let isSameEpoch = rest.epoch == self.epoch
        let goesOn = isSameEpoch && [bound.terminal, bound.was].contains(rest.terminal)
        if goesOn { self.unanswered.goOn(in: bound) } else { self.unanswered.renumber(for: bound) }
        if isSameEpoch { self.newest = max(rest.newest, self.newest) }
        switch bound.mode {
        case .shared:
            self.resent = self.unanswered.newestValue
            let last = self.unanswered.isEmpty ? nil : self.unanswered.last
            let release = self.agreement.bound(
                value,
                at: bound.revision,
                last: last,
                forgetting: !isSameEpoch,
                knowing: !isSameEpoch && value.map(self.agreement.knows) ?? false
            )
            _ = self.show(release)
        case .paired:
            if let value { _ = self.mailbox.queue.append(value) }
        }
    }

    /// The sends of an earlier connection, which go out again before any other.
    var sendsToRepeat: [Send] { Array(self.unanswered.sends) }

    /// The rest that the next connection of the session goes on with.
    func rest() -> BindingRest {
        BindingRest(
            epoch: self.epoch,
            terminal: self.id,
            mode: self.mode,
            newest: self.newest,
            agreement: self.agreement,
            unanswered: self.unanswered
        )
    }

    var hasRoom: Bool {
        self.unanswered.count + self.mailbox.queue.refusals < self.maximumSendsUnderWay
    }

    var isSettled: Bool { self.unanswered.isEmpty }

    /// The error for a task that waits for answers that will not come; nil if every send is answered.
    var unknownOutcome: ClientError? {
        guard !self.isSettled else { return nil }
        let count = self.unanswered.count == 1 ? "1 send" : "\(self.unanswered.count) sends"
        return ClientError(.outcomeUnknown, "the binding to \(self.channel) ended before \(count) had an answer")
    }

    /// Whether a send can still succeed.
    var acceptsSends: Bool { !self.isOver && self.end == nil && !self.agreement.isEnding }

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
        Send(terminal: self.id, number: self.unanswered.next, event: event, sync: sync)
    }

    /// The message of `nextSend` was written.
    func sent(_ send: Send) {
        if self.mode == .shared { self.agreement.sent(send.number) }
        self.unanswered.append(send)
    }

    /// The reply to the bind made the terminal; it has nothing more to learn from it.
    package func bound(_ bound: Bound) {}

    package func arrived(_ valuation: Valuation) -> Bool {
        self.newest = max(self.newest, valuation.revision)
        return self.show(self.agreement.arrived(valuation.detached)) != .overflows
    }

    /// The terminal ended; the program is notified behind the answers to its sends.
    package func ended(_ end: TerminalEnd) {
        guard self.mode == .paired, end.revision != nil, !self.isSettled else {
            _ = self.show(self.agreement.ended(end))
            return
        }
        self.end = end
    }

    package func acknowledged(_ number: SendNumber, as revision: Revision) {
        if self.mode == .shared { self.newest = max(self.newest, revision) }
        self.unanswered.answered(upTo: number)
        self.show(self.agreement.acknowledged(number, as: revision), behind: number)
        self.letGo()
    }

    /// A send came too late in its chain of links: `standing` is the channel's value.
    package func changedNothing(_ number: SendNumber, standing: Valuation) {
        self.unanswered.answered(upTo: number)
        self.show(self.agreement.changedNothing(number, standing: standing.detached), behind: number)
        self.letGo()
    }

    /// A send was not applied; the channel's value is asked for if the refusal lacks it and the program needs it.
    package func refused(_ number: SendNumber, _ refusal: Refusal) {
        // A `not-bound` without an end before it is of an earlier binding: the send has gone out again since.
        if refusal.error.code == ErrorCode.notBound.rawValue, self.acceptsSends { return }
        self.unanswered.answered(upTo: number)
        self.mailbox.queue.append(refusal)
        let mustAsk = refusal.revision == nil && self.agreement.mustAsk(afterRefusalOf: number)
        if !mustAsk { self.stood(at: refusal.standing, after: number) }
        self.mailbox.wake()
        self.letGo()
        if mustAsk { self.ask(self.channel) { self.stood(at: $0, after: number) } }
    }

    /// The channel's value instead of a refused send, if it has one.
    private func stood(at value: Valuation?, after number: SendNumber) {
        self.show(self.agreement.refused(number, standing: value), behind: number)
    }

    package func finish(_ error: ClientError?) {
        _ = self.show(self.agreement.connectionLost())
        self.showEnd()
        self.finish(mailboxWith: error)
    }

    /// Shows the end that waited for answers.
    private func showEnd() {
        guard let end = self.end else { return }
        self.end = nil
        _ = self.show(OpenWriteStateMachine.Release(end: end))
    }

    /// Shows a release behind the answer to a send: later values are other programs', also if they equal that send's.
    private func show(_ release: OpenWriteStateMachine.Release, behind number: SendNumber) {
        _ = self.show(release)
        if let resent = self.resent, resent.number <= number { self.resent = nil }
    }

    private func show(_ release: OpenWriteStateMachine.Release) -> BindingQueue.OnValue {
        let outcome = release.value.map { self.show($0) } ?? .waits
        if let end = release.end {
            self.mailbox.queue.append(end)
            self.finish(mailboxWith: nil)
        }
        if outcome == .overflows { self.finish(mailboxWith: nil) }
        self.mailbox.wake()
        return outcome
    }

    /// Queues a value for the program, unless it is the program's own, whose answer a lost connection has taken along.
    private func show(_ value: Valuation) -> BindingQueue.OnValue {
        let resent = self.resent
        self.resent = nil
        return value.value == resent?.value ? .waits : self.mailbox.queue.append(value)
    }

    private func finish(mailboxWith error: ClientError?) {
        self.isOver = true
        self.mailbox.finish(error.map { .failure($0) } ?? .success(nil))
        self.room.release(error.map { .failure($0) } ?? .success(()))
        self.settled.release((error ?? self.unknownOutcome).map { .failure($0) } ?? .success(()))
    }

    private func letGo() {
        if self.hasRoom { self.room.release() }
        if self.isSettled {
            self.settled.release()
            self.showEnd()
        }
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
