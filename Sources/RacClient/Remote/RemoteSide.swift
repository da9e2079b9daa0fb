import NIOCore
import Rac
import RacProtocol

/// The part of a remote property or terminal on the event loop, between its mirror and its binding.
///
/// All state is used on the client's event loop, but for `shared`.
final class RemoteSide<Value: Sendable> {
    private let shared: RemoteState<Value>
    private let coding: ValueCoding<Value>
    /// The mirror that shows the values; nil once nothing is shown any more.
    private var mirror: MirrorCore<Value, ClientError>?
    private var binding: RemoteBinding?
    /// The mark of the client; nil before there is a binding.
    private var mark: ClientMark?
    /// The rank of the newest change of the mirror that the event loop has seen.
    private var seenRank: UInt64 = 0
    /// A value that came while the mirror had a write that the event loop had not seen; shown if that write is gone.
    private var passedOver: (value: JSONText, tag: ChangeTag, revision: Revision?)?
    /// Whether the binding shows a value that this side cannot read, so that this side shows an older one.
    private var isBehind = false
    /// Callbacks for the daemon's first report; nil once it has come.
    private var unreported: [@Sendable () -> Void]? = []
    /// Whether a leading side gets the value from before it, too.
    let replays: Bool
    /// Whether the program sends through it; refused sends are no affair of a side that only receives.
    private let sends: Bool
    /// The least time between two values in milliseconds; nil shows every value.
    private let interval: UInt64?
    /// Needed where the binding is faster than this side.
    private var pace: Pace
    /// A value of the daemon that waits for the end of the interval; nothing newer has been shown.
    private var held: (value: JSONText, tag: ChangeTag, revision: Revision, task: Scheduled<Void>)?

    init(
        _ shared: RemoteState<Value>,
        _ coding: ValueCoding<Value>,
        _ mirror: MirrorCore<Value, ClientError>,
        pace interval: UInt64?,
        replays: Bool,
        sends: Bool
    ) {
        self.replays = replays
        self.sends = sends
        self.interval = interval
        self.pace = Pace(interval: interval)
        self.shared = shared
        self.coding = coding
        self.mirror = mirror
    }

    /// Begins to use a binding.
    func attach(_ find: () throws(ClientError) -> RemoteBinding) {
        do throws(ClientError) {
            let binding = try find()
            self.binding = binding
            self.mark = binding.engine?.mark
            binding.add(self)
            self.drain()
        } catch {
            self.ended(.failed(error))
        }
    }

    /// Another user of this side has options of its own.
    func join(_ options: BindingOptions) {
        do throws(ClientError) {
            try self.binding?.join(options)
        } catch {
            self.failed(error)
        }
    }

    /// Nobody uses it any more; waiting writes still go out.
    func detach() {
        self.drain()
        self.mirror?.abandon()
        self.letGo()
    }

    private func letGo() {
        let binding = self.binding
        self.binding = nil
        self.mirror = nil
        self.passedOver = nil
        self.release()
        self.unreported = []
        binding?.remove(self)
    }

    /// The binding, with all writes handed over; nil once nothing can be awaited on it.
    var settling: RemoteBinding? {
        self.drain()
        return self.binding
    }

    /// The task with that ticket waits no more.
    func cancel(_ ticket: UInt64, _ error: ClientError) {
        self.drain()
        self.shared.takeAwaited(ticket)?.whenAnswered(.failure(error))
        self.binding?.cancel(ticket, error)
    }

    func whenReported(_ callBack: @escaping @Sendable () -> Void) {
        guard self.unreported != nil else { return callBack() }
        self.unreported?.append(callBack)
    }
}

@available(*, unavailable)
extension RemoteSide: Sendable {}

// MARK: From the program to the daemon

extension RemoteSide {
    /// Hands the program's writes over to the binding.
    func drain() {
        var hasWritten = false
        for entry in self.shared.queue.withLock({ $0.take() }) {
            switch entry {
            case .change(let change) where change.isRenewal: self.renewed(change.rank)
            case .change(let change):
                hasWritten = true
                self.passedOver = nil
                self.isBehind = false
                self.release()
                self.seenRank = max(self.seenRank, change.rank)
                self.write(change)
            case .end(let ending): self.finish(ending)
            }
        }
        guard !hasWritten, let passedOver = self.passedOver else { return }
        self.showNow(passedOver.value, tag: passedOver.tag, at: passedOver.revision)
    }

    private func renewed(_ rank: UInt64) {
        let isStanding = self.shared.stamp.withLock { stamp in
            guard stamp.rank == self.seenRank else { return false }
            stamp.rank = rank
            return true
        }
        self.seenRank = max(self.seenRank, rank)
        // Between the renewal and this the value counted as one that is on its way.
        if isStanding { self.shared.acknowledged() }
    }

    private func write(_ change: Change<Value>) {
        self.shared.endOffer()
        let tag = ChangeTag(rawValue: change.tag)
        let awaited = tag.ticket.flatMap { self.shared.takeAwaited($0) }
        do throws(ClientError) {
            guard let binding = self.binding else {
                throw self.shared.errorOfLaterWrites ?? ClientError(.terminated, "the channel has ended")
            }
            let known = self.shared.takeText(of: change)
            let text = if let known { known } else { try self.coding.encode(change.value) }
            let isForeign = tag.isForeign(to: self.mark)
            // Two programs that connect two daemons would pass a value around for ever.
            if isForeign, let shown = binding.machine.shownValue, shown.text == text {
                if let revision = shown.revision { self.stands(at: revision, from: shown.root ?? revision) }
                return
            }
            let number = try binding.write(
                text,
                cause: isForeign ? nil : tag.root,
                sync: awaited?.sync ?? false,
                as: tag.ticket,
                from: self
            )
            guard let awaited, let number else { return }
            binding.whenAnswered(number, as: awaited.ticket, awaited.whenAnswered)
        } catch {
            // The program shows the value, which never goes out: its own end before that may still be refused.
            self.binding?.showStanding(in: self)
            if let ticket = tag.ticket { self.binding?.giveUp(ticket) }
            self.failed(error)
            awaited?.whenAnswered(.failure(error))
        }
    }

    /// A value without a JSON form was refused: its sender is shown the channel's value.
    func refused(_ error: ClientError) {
        self.drain()
        self.binding?.showStanding(in: self)
        self.failed(error)
    }

    private func finish(_ ending: Ending<ClientError>) {
        guard let end = ending.channelEnd, let binding = self.binding else { return }
        do {
            try binding.finish(end)
        } catch {
            self.failed(error)
        }
    }
}

// MARK: From the daemon to the program

extension RemoteSide: RemoteView {
    func show(_ value: JSONText, tag: ChangeTag, at revision: Revision?) {
        self.release()
        guard let interval = self.interval, let revision, let binding = self.binding,
            let eventLoop = binding.engine?.eventLoop, case .hold(let due) = self.pace.arrived(at: eventLoop.now),
            binding.options.interval != interval
        else { return self.showNow(value, tag: tag, at: revision) }
        let task = eventLoop.assumeIsolated().scheduleTask(deadline: due) { [weak self] in
            guard let self, let held = self.held else { return }
            self.show(held.value, tag: held.tag, at: held.revision)
        }
        self.held = (value.detached, tag, revision, task)
    }

    /// Forgets a value that waits for its time.
    private func release() {
        self.held?.task.cancel()
        self.held = nil
    }

    private func showNow(_ value: JSONText, tag: ChangeTag, at revision: Revision?) {
        guard let mirror = self.mirror else { return }
        // Observers have the default already.
        if let revision, let offer = self.shared.offer, offer == value {
            self.isBehind = false
            self.stands(at: revision, from: tag.root ?? revision)
            return self.shared.endOffer()
        }
        let isShown: Bool
        do {
            // Observers may ask for the revision while they are notified.
            isShown = try self.coding.show(value, mirror, tag.marked(self.mark).rawValue, self.seenRank) { rank in
                self.seenRank = rank
                self.shared.stamp.withLock { $0 = RemoteStamp(rank: rank, revision: revision) }
            }
        } catch {
            self.isBehind = true
            return self.shared.problems.report(.unreadableValue, error)
        }
        self.isBehind = false
        self.passedOver = isShown ? nil : (value, tag, revision)
        guard isShown else { return }
        self.shared.endOffer()
        self.shared.problems.clear()
    }

    func stands(at revision: Revision, from root: Revision) {
        // The revision is that of a value which this side does not show.
        guard !self.isBehind else { return }
        self.shared.stamp.withLock { $0 = RemoteStamp(rank: self.seenRank, revision: revision) }
        self.shared.acknowledged()
        self.shared.problems.clear()
    }

    func forgetRoots() {
        if self.held?.tag.root != nil { self.held?.tag = ChangeTag(root: .first) }
        if self.passedOver?.tag.root != nil { self.passedOver?.tag = ChangeTag(root: .first) }
    }

    func reported() {
        guard let waiting = self.unreported else { return }
        self.unreported = nil
        for callBack in waiting { callBack() }
    }

    func becameLive(_ isLive: Bool) {
        if isLive {
            self.shared.become(.bound)
            self.shared.problems.connected()
        } else if self.shared.boundness == .bound {
            self.shared.become(.lost)
        }
    }

    func failed(_ error: ClientError) {
        guard self.sends else { return }
        self.shared.problems.report(.refusedWrite, error)
    }

    func ended(_ ending: Ending<ClientError>) {
        if let held = self.held { self.showNow(held.value, tag: held.tag, at: held.revision) }
        self.shared.become(.over)
        let (mirror, rank) = (self.mirror, self.seenRank)
        let machine = self.binding?.isEndOfChannel == true ? self.binding?.machine : nil
        let last = machine?.lastValue
        self.letGo()
        let offer = self.shared.offer
        if let machine, machine.isBlank, offer == nil { self.shared.endedBlank() }
        self.shared.endOffer()
        for awaited in self.shared.closeAwaited(ending.errorOfLaterWrites, isStanding: last != nil) {
            awaited.whenAnswered(.failure(ending.error))
        }
        guard let last else {
            mirror?.end(ending)
            return self.drain()
        }
        let standing = (last.text ?? offer).flatMap { try? self.coding.decode($0) }
        mirror?.end(ending, standing: standing, ifRankedAbove: rank, orIf: last.text == nil && offer == nil) { rank in
            self.shared.stamp.withLock { $0 = RemoteStamp(rank: rank, revision: last.revision) }
        }
        // Writes that came before the end, and that nobody has sent, are refused.
        self.drain()
    }
}

extension Ending<ClientError> {
    /// The end to send to the channel; nil if only this program's way to the channel ended.
    var channelEnd: ChannelEnd? {
        switch self {
        case .completed: .completed
        case .failed(let error) where error.isOfConnection: nil
        case .failed(let error): .failed(WireError(error))
        }
    }

    /// The error for tasks that wait.
    var error: ClientError {
        switch self {
        case .completed: ClientError(.terminated, "the channel has completed")
        case .failed(let error): error
        }
    }

    /// The error for writes that come behind the end.
    var errorOfLaterWrites: ClientError {
        guard case .failed(let error) = self, !error.isOfConnection else { return self.error }
        return ClientError(.terminated, "the channel has ended with an error: \(error.message)", cause: error)
    }
}

extension ClientError {
    /// Whether only this program lost its way to a channel, which no other program hears of.
    var isOfConnection: Bool {
        [.closed, .connectionLost, .unreachable, .unsupportedVersion, .wrongMode].contains(self.code)
    }
}
