import Rac
import RacProtocol

extension RemoteBinding {
    /// Writes a value that `view` shows already; every other view here shows it at once.
    ///
    /// A place that is kept for the write with that ticket is used now.
    ///
    /// - Returns: The number of the write; nil if the write is too late in its chain of links to change anything.
    @discardableResult
    func write(
        _ value: JSONText,
        cause: Revision?,
        sync: Bool = false,
        as ticket: UInt64? = nil,
        from view: any RemoteView
    ) throws(ClientError) -> UInt64? {
        if let ticket { self.waiting.leavePlace(ticket) }
        guard self.hasRoom || self.waiting.places.isEmpty else { throw self.isFull }
        let outcome = self.machine.write(.next(value, condition: nil, cause: cause), sync: sync)
        if case .changesNothing = outcome {
            if !self.machine.shows(value, from: cause) { self.showStanding(in: view) }
            return nil
        }
        let number = try self.taken(outcome)
        if self.mode == .shared {
            for other in self.views where other !== view { other.show(value, tag: ChangeTag(root: cause), at: nil) }
        }
        self.pump()
        return number
    }

    func showStanding(in view: any RemoteView) {
        // A leading side gets the values from before it only where it asks for them.
        guard self.mode == .shared || self.key.role == .following || view.replays, let shown = self.machine.shownValue
        else { return }
        view.show(shown.text, tag: ChangeTag(root: shown.root), at: shown.revision)
    }

    /// Ends the channel for everybody.
    func finish(_ end: ChannelEnd) throws(ClientError) {
        _ = try self.taken(self.machine.write(.end(end)))
        self.pump()
    }

    private func taken(_ outcome: TerminalStateMachine.OnWrite) throws(ClientError) -> UInt64? {
        switch outcome {
        case .taken(let number): return number
        case .changesNothing: return nil
        case .ended: throw self.terminated
        case .full: throw self.isFull
        }
    }

    private var isFull: ClientError {
        let count = self.engine?.configuration.maximumWaitingSends ?? 0
        return ClientError(.limit, "\(count) writes to \(self.key.channel) wait for racd already")
    }

    /// Calls back once with the answer to a write.
    func whenAnswered(
        _ number: UInt64,
        as ticket: UInt64,
        takingRefusals: Bool = false,
        _ whenAnswered: @escaping (Result<Revision, ClientError>) -> Void
    ) {
        if self.ending != nil { return whenAnswered(.failure(self.terminated)) }
        let answer = WaitingWriters.Answer(
            number: number,
            ticket: ticket,
            takesRefusals: takingRefusals,
            whenAnswered: whenAnswered
        )
        if !self.waiting.add(answer) { whenAnswered(.failure(.tooManyWait(for: self.key.channel))) }
    }

    /// Calls back when every write until now is answered.
    func whenSettled(as ticket: UInt64, _ whenSettled: @escaping (Result<Void, ClientError>) -> Void) {
        guard !self.machine.isSettled else { return whenSettled(.success(())) }
        self.whenAnswered(self.machine.newest, as: ticket, takingRefusals: true) { whenSettled($0.map { _ in }) }
    }

    /// Whether a write fits beside those for which a place is kept.
    private var hasRoom: Bool { self.machine.room > self.waiting.places.count }

    /// Calls back when a write fits; the place is kept for that write.
    func whenRoom(for write: UInt64, as ticket: UInt64, _ go: @escaping (ClientError?) -> Void) {
        if self.ending != nil { return go(self.terminated) }
        guard !self.hasRoom else {
            self.waiting.reserve(write)
            return go(nil)
        }
        if !self.waiting.add(WaitingWriters.Room(ticket: ticket, write: write, go: go)) {
            go(.tooManyWait(for: self.key.channel))
        }
    }

    /// The write with that ticket does not come, though a place may be kept for it.
    func giveUp(_ ticket: UInt64) {
        self.waiting.leavePlace(ticket)
        self.letWrite()
    }

    /// Lets the tasks write for which there is room.
    func letWrite() {
        while self.hasRoom, let next = self.waiting.takeRoom() {
            self.waiting.reserve(next.write)
            next.go(nil)
        }
    }

    /// The task with that ticket waits no more.
    func cancel(_ ticket: UInt64, _ error: ClientError) {
        self.waiting.takeAnswer(ticket)?.whenAnswered(.failure(error))
        self.waiting.takeRoom(ticket)?.go(error)
    }

    /// Sends the writes that may go out now.
    func pump() {
        guard let dispatcher = self.dispatcher, dispatcher.end == nil else { return }
        while dispatcher.hasRoom, let send = self.machine.nextSend() {
            do {
                try dispatcher.say(.send(send))
                self.metrics?.sent()
            } catch {
                if self.machine.takesBack() { break }
                // The value is too long for the daemon's frames: the daemon would have refused it.
                let refusal = Refusal(WireError(code: error.code.rawValue, message: error.message))
                self.refused(send.number, refusal)
            }
        }
        guard !dispatcher.hasRoom, !self.waitsForRoom else { return }
        self.waitsForRoom = true
        dispatcher.whenRoom { [weak self] in
            self?.waitsForRoom = false
            self?.pump()
        }
    }
}
