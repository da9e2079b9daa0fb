import NIOCore
import Rac
import RacProtocol

/// The common part of a remote property and a remote terminal: a mirror here, and a side on the event loop.
///
/// Every holder keeps the terminal bound: the program, its terminals, their observers, and the other ends of bindings.
/// When the last holder lets go, waiting writes still go out.
final class RemoteHandle<Value: Sendable>: Sendable {
    let name: ChannelName
    let role: Role
    private let isProperty: Bool
    let mirror: MirrorCore<Value, ClientError>
    let state: RemoteState<Value>
    let loop: ClientLoop
    let coding: ValueCoding<Value>
    /// The tasks that change the value depending on the present one: they would only lose against each other.
    let changing: TaskLine
    private let side: NIOLoopBoundBox<RemoteSide<Value>>
    private let waker: Waker
    /// The key of a handle that several remote properties share.
    private let key: SharedObjects.Key?

    init(
        _ name: ChannelName,
        _ kind: MirrorCore<Value, ClientError>.Kind,
        _ options: BindingOptions,
        _ coding: ValueCoding<Value>,
        _ loop: ClientLoop,
        sharedAs key: SharedObjects.Key? = nil,
        role: Role? = nil,
        sends: Bool = true,
        reportingTo shared: ChannelProblems? = nil
    ) {
        let isProperty = kind == .property
        let problems = shared ?? ChannelProblems(of: name, loop)
        let state = RemoteState<Value>(isProperty: isProperty, maximumCount: loop.maximumWaitingSends, problems)
        let waker = Waker(eventLoop: loop.eventLoop)
        let mirror = MirrorCore<Value, ClientError>(kind, refused: { state.refuseLate() }) { change in
            switch state.queue.withLock({ $0.append(change) }) {
            case .wake: waker.wake()
            case .waits: break
            case .full: state.problems.report(.refusedWrite, .queueIsFull(of: name))
            }
        }
        let side = NIOLoopBoundBox.makeBoxSendingValue(
            RemoteSide(state, coding, mirror, pace: options.interval, replays: options.replaysWish, sends: sends),
            eventLoop: loop.eventLoop
        )
        self.name = name
        self.role = role ?? (kind == .leading ? .leading : .following)
        self.isProperty = isProperty
        self.mirror = mirror
        self.state = state
        self.loop = loop
        self.coding = coding
        self.side = side
        self.key = key
        self.changing = TaskLine(full: .tooManyWait(for: name))
        self.waker = waker
        waker.onWake { side.value.drain() }
        let terminal = RemoteBinding.Key(channel: name, role: self.role)
        loop.eventLoop.execute { [engine = loop.engine] in
            side.value.attach { () throws(ClientError) in
                try engine.value.binding(terminal, isProperty ? .shared : .paired, options)
            }
        }
    }

    deinit {
        self.loop.eventLoop.execute { [side, waker] in
            side.value.detach()
            waker.onWake {}
        }
        if let key = self.key { self.loop.shared.forget(key) }
    }

    /// Another user of the channel has options of its own.
    func join(_ options: BindingOptions) {
        self.loop.eventLoop.execute { [side] in side.value.join(options) }
    }

    /// Shows a default until the daemon reports a value.
    func offer(_ value: Value, as text: JSONText) {
        guard self.mirror.value == nil else { return }
        self.state.offer(text)
        if !self.mirror.offer(value) { self.state.endOffer() }
    }

    var signal: Signal<Value, ClientError> { self.mirror.signal(holding: self) }

    /// Notes that the caller reads the value, and how it stands.
    func isRead() {
        _ = self.mirror.value
        self.state.isRead()
    }

    /// Whether the terminal is bound, for a caller that Swift's observation notifies of the next change.
    var isLive: Bool {
        self.state.isRead()
        return self.state.boundness == .bound
    }

    /// Whether there is a connection, for a caller of ``isRead()``.
    ///
    /// After a loss it counts once the terminal is bound again: until then the value is that from before.
    var isConnected: Bool {
        switch self.state.boundness {
        case .bound: true
        case .lost: false
        case .notYet, .over: self.loop.connection.value.isLive
        }
    }

    /// The values, and a failure if there is none because the channel's value is of another type.
    var readable: Signal<Value, ClientError> {
        Signal { [self] sink -> Subscription in
            self.signal.observe(into: sink)
            return self.state.problems.newest.signal.onValue { problem in
                guard let problem, case .unreadableValue = problem.kind, self.mirror.value == nil else { return }
                sink.fail(problem.error)
            }
        }
    }

    /// A terminal of its own.
    func terminal() -> ChannelTerminal<Value, ClientError> {
        self.mirror.terminal(
            self.remoteness,
            admitting: self.admission,
            end: { [state, waker] ending in
                if state.queue.withLock({ $0.append(ending) }) == .wake { waker.wake() }
            }
        )
    }

    /// A terminal on a field of the values.
    func terminal<Field: Equatable & Sendable>(
        _ field: any WritableKeyPath<Value, Field> & Sendable
    ) -> ChannelTerminal<Field, ClientError> {
        self.mirror.terminal(field, self.remoteness, admitting: self.admission)
    }

    /// The facts for bindings.
    private var remoteness: Remoteness {
        Remoteness(
            whenReported: { [side, loop] callBack in loop.eventLoop.execute { side.value.whenReported(callBack) } },
            isStanding: { [state] in state.isStanding },
            isBlank: { [state] in state.isBlank },
            holder: self
        )
    }

    /// Sends a value, unless it has no JSON form.
    func send(_ value: Value) {
        guard let tag = self.admission.map({ $0(value, nil) }) ?? ChangeTag.own.rawValue else { return }
        self.mirror.send(value, tag: tag)
    }

    /// Refuses a value without a JSON form, before anybody here sees it; nil if each value has one.
    ///
    /// A side that is bound to this property has such a value already and gets the channel's value again. In a paired
    /// channel nobody sees a value of this side, so the event loop reports it.
    private var admission: Admittance<Value>? {
        guard self.isProperty, let check = self.coding.check else { return nil }
        return { [side, loop, state] value, identity in
            do throws(ClientError) {
                guard let text = try check(value) else { return ChangeTag.own.rawValue }
                let ticket = identity == nil ? loop.nextTicket() : nil
                state.encoded.withLock { $0 = EncodedValue(ticket: ticket, identity: identity, text: text) }
                return ticket.map { ChangeTag(encodedAs: $0).rawValue } ?? ChangeTag.own.rawValue
            } catch {
                loop.eventLoop.execute { side.value.refused(error) }
                return nil
            }
        }
    }

    /// Makes sure that a value to be awaited has a JSON form.
    private func check(_ value: Value, as ticket: UInt64) throws(ClientError) {
        guard self.isProperty, let check = self.coding.check else { return }
        do throws(ClientError) {
            guard let text = try check(value) else { return }
            self.state.encoded.withLock { $0 = EncodedValue(ticket: ticket, identity: nil, text: text) }
        } catch {
            self.loop.eventLoop.execute { [side] in side.value.refused(error) }
            throw error
        }
    }

    func end(_ ending: Ending<ClientError>) {
        if self.state.queue.withLock({ $0.append(ending) }) == .wake { self.waker.wake() }
    }

    /// Writes a value and waits for the daemon's answer.
    func write(_ value: Value, sync: Bool, timeout: Duration?) async throws(ClientError) -> Revision {
        try await self.write(value, as: self.loop.nextTicket(), sync: sync, timeout: timeout)
    }

    /// Writes a value when there is room for it, and waits for the daemon's answer.
    func writeInTurn(_ value: Value, sync: Bool, timeout: Duration?) async throws(ClientError) -> Revision {
        let (turn, write) = (self.loop.nextTicket(), self.loop.nextTicket())
        try await self.onSide(as: turn, timeout) { binding, continuation in
            binding.whenRoom(for: write, as: turn) {
                continuation.resume(returning: $0.map { .failure($0) } ?? .success(()))
            }
        }
        return try await self.write(value, as: write, sync: sync, timeout: timeout)
    }

    private func write(
        _ value: Value,
        as ticket: UInt64,
        sync: Bool,
        timeout: Duration?
    ) async throws(ClientError) -> Revision {
        try self.check(value, as: ticket)
        return try await self.wait(as: ticket, timeout) { continuation in
            let awaited = AwaitedWrite(ticket: ticket, sync: sync) { continuation.resume(returning: $0) }
            if let error = self.state.await(awaited, for: self.name) {
                self.state.refuseLate()
                self.loop.eventLoop.execute { [side] in side.value.settling?.giveUp(ticket) }
                continuation.resume(returning: .failure(error))
            } else {
                self.mirror.send(value, tag: ChangeTag(ticket: ticket).rawValue)
            }
        }
    }

    /// Waits until every write until now is answered.
    func settled(timeout: Duration? = nil) async throws(ClientError) {
        let ticket = self.loop.nextTicket()
        try await self.onSide(as: ticket, timeout) { binding, continuation in
            binding.whenSettled(as: ticket) { continuation.resume(returning: $0) }
        }
    }

    private func wait<Output: Sendable>(
        as ticket: UInt64,
        _ timeout: Duration?,
        _ begin: (CheckedContinuation<Result<Output, ClientError>, Never>) -> Void
    ) async throws(ClientError) -> Output {
        let isCancelled = Flag()
        var alarm: Scheduled<Void>?
        defer { alarm?.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(continuation)
                // An end that the loop meets before the wait has begun there would end nothing.
                alarm = timeout.map { self.endWait(ticket, in: $0) }
                if isCancelled.isSet { self.endWait(ticket, .cancelledWait) }
            }
        } onCancel: {
            isCancelled.set()
            self.endWait(ticket, .cancelledWait)
        }
        return try result.get()
    }

    /// The task with that ticket waits no more; the loop does this behind all that it was given before.
    private func endWait(_ ticket: UInt64, _ error: ClientError) {
        self.loop.eventLoop.execute { [side] in side.value.cancel(ticket, error) }
    }

    private func endWait(_ ticket: UInt64, in time: Duration) -> Scheduled<Void> {
        let error = ClientError(.timedOut, "no answer about \(self.name) within \(TimeAmount(time).text)")
        return self.loop.eventLoop.scheduleTask(in: TimeAmount(time)) { self.endWait(ticket, error) }
    }

    /// Shows a value that this program has written another way; returns when it is shown.
    func wrote(_ value: JSONText, as revision: Revision) async {
        await withCheckedContinuation { continuation in
            self.loop.eventLoop.execute { [side] in
                side.value.settling?.wrote(value, as: revision)
                continuation.resume()
            }
        }
    }

    private func onSide(
        as ticket: UInt64,
        _ timeout: Duration?,
        _ begin: @escaping @Sendable (RemoteBinding, CheckedContinuation<Result<Void, ClientError>, Never>) -> Void
    ) async throws(ClientError) {
        try await self.wait(as: ticket, timeout) { continuation in
            self.loop.eventLoop.execute { [side] in
                guard let binding = side.value.settling else { return continuation.resume(returning: .success(())) }
                begin(binding, continuation)
            }
        }
    }
}

/// Runs one action on an event loop, whenever it is woken.
final class Waker: Sendable {
    private let eventLoop: any EventLoop
    private let action = Guarded(GuardedAction {})

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func onWake(_ action: @escaping @Sendable () -> Void) {
        self.action.withLock { $0 = GuardedAction(action) }
    }

    func wake() {
        self.eventLoop.execute { self.act() }
    }

    /// Runs the action now, on the event loop.
    func act() {
        self.eventLoop.assertInEventLoop()
        self.action.withLock { $0 }.run()
    }
}

extension ClientError {
    fileprivate static func queueIsFull(of channel: ChannelName) -> ClientError {
        ClientError(.limit, "too many writes to \(channel) wait for racd already")
    }
}
