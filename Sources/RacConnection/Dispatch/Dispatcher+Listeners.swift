import NIOCore
package import RacProtocol

// MARK: Binding and watching

extension Dispatcher {
    /// Binds a terminal for a listener, which gets its events from the reply on.
    package func bind(_ bind: Bind, for listener: any TerminalListener, whenRefused: @escaping (ClientError) -> Void) {
        let id = self.askPatiently(.bind(bind)) { result in
            if case .failure(let error) = result { whenRefused(error) }
        }
        if self.request(id) != nil { self.listeners.expectBound(listener, by: id) }
    }

    /// Unbinds a terminal; its listener gets no more events.
    package func unbind(_ terminal: TerminalID, of listener: any TerminalListener) {
        guard self.forget(terminal, of: listener) else { return }
        self.tell(.unbind(terminal))
    }

    /// Forgets a terminal's listener; returns whether it was the one entered.
    @discardableResult
    package func forget(_ terminal: TerminalID, of listener: any TerminalListener) -> Bool {
        self.listeners.forget(terminal, of: listener)
    }

    /// Watches a pattern for a listener, which gets its events from the reply on.
    package func watch(
        _ pattern: ChannelPattern,
        for listener: any WatchListener,
        whenAnswered: @escaping (Result<WatchID, ClientError>) -> Void
    ) {
        let id = self.askPatiently(.watch(pattern)) { result in
            switch result {
            case .success(.reply(.watching(let watch))): whenAnswered(.success(watch))
            case .success: break
            case .failure(let error): whenAnswered(.failure(error))
            }
        }
        if self.request(id) != nil { self.listeners.expectWatching(listener, by: id) }
    }

    /// Ends a watch; its listener gets no more events.
    package func unwatch(_ watch: WatchID, of listener: any WatchListener) {
        guard self.listeners.forget(watch, of: listener) else { return }
        self.tell(.unwatch(watch))
    }
}

// MARK: Replies

extension Dispatcher {
    /// Enters the listener before anything else of the same read is looked at: its events may be there already.
    func setUp(_ reply: Reply, to request: Request?, _ id: RequestID) -> Answer {
        switch (reply, request) {
        case (.bound(let bound), .bind(let bind)):
            if let listener = self.listeners.takeBinding(id) {
                self.enter(listener, as: bound.terminal)
                listener.bound(bound)
                return .reply(reply)
            }
            let rest = self.resumptions.removeValue(forKey: id)
            let terminal = Terminal(bound, of: bind.channel, in: self.epoch, after: rest, limits: self.limits) {
                [weak self] channel, answered in self?.askForValue(of: channel, answered)
            }
            self.enter(terminal, as: bound.terminal)
            // Every one of them fitted into a frame of the daemon before.
            while let send = terminal.nextRepeated() { try? self.say(.send(send)) }
            return .bound(bound, NIOLoopBound(terminal, eventLoop: self.eventLoop))
        case (.watching(let watch), _):
            if let listener = self.listeners.takeWatching(id) {
                self.enter(listener, as: watch)
                return .reply(reply)
            }
            let feed = WatchFeed(watch, limits: self.limits)
            self.enter(feed, as: watch)
            return .watching(NIOLoopBound(feed, eventLoop: self.eventLoop))
        default: return .reply(reply)
        }
    }

    private func askForValue(of channel: ChannelName, _ answered: @escaping (Valuation?) -> Void) {
        self.ask(.get(channel), as: self.nextID()) { result in
            guard case .success(.reply(.got(let got))) = result else { return answered(nil) }
            answered(got.standing)
        }
    }

    /// Enters a terminal's listener; an earlier one of the same terminal gets no more events.
    private func enter(_ listener: any TerminalListener, as terminal: TerminalID) {
        self.listeners.enter(listener, as: terminal)?.finish(nil)
    }

    private func enter(_ listener: any WatchListener, as watch: WatchID) {
        self.listeners.enter(listener, as: watch)?.finish(nil)
    }
}

// MARK: Events

extension Dispatcher {
    /// Another program's value came for a terminal.
    func arrived(_ valuation: Valuation, for id: TerminalID) {
        guard let listener = self.listeners.terminals[id], !listener.arrived(valuation) else { return }
        self.leave(id, of: listener)
    }

    func notify(_ id: TerminalID, _ event: (any TerminalListener) -> Void) {
        guard let listener = self.listeners.terminals[id] else { return }
        event(listener)
        if listener.isOver { self.forget(id, of: listener) }
    }

    /// Unbinds a terminal and ends its listener.
    func leave(_ terminal: TerminalID, of listener: any TerminalListener) {
        self.unbind(terminal, of: listener)
        listener.finish(nil)
    }

    /// Ends a watch and its listener.
    func leave(_ watch: WatchID, of listener: any WatchListener) {
        self.unwatch(watch, of: listener)
        listener.finish(nil)
    }
}
