package import RacProtocol

/// A terminal of a channel over all connections of a program.
///
/// It puts three parts together. `line` holds the writes without an answer, `shown` the value that the program shows. In a
/// shared channel `agreement` holds arrivals back while writes are open.
///
/// Semantics: protocol.md, "Sessions", "Agreement" and "Over connections".
package struct TerminalStateMachine: Sendable {
    package typealias WriteNumber = WriteLine.WriteNumber

    /// The meaning of the channel's values for the program.
    package enum Meaning: Sendable {
        /// The newest value is enough. The program's own is written again if a daemon has lost it.
        case state
        /// Every value counts, also one that equals the last, and every write goes out.
        case events
    }

    /// The daemon's answer to writes: to every write up to one, or to the writes of one send.
    package enum Answer: Equatable, Sendable {
        case applied(through: WriteNumber, Revision)
        /// In an object of its own: refusals are few, and news without one stays small.
        indirect case refused(ClosedRange<WriteNumber>, Refusal)
    }

    /// The notifications for the program, in this order.
    package struct News: Equatable, Sendable {
        /// A value to show.
        package var value: Valuation?
        /// The revision of the value that the program shows already.
        package var standing: Revision?
        package var answer: Answer?
        package var end: TerminalEnd?

        package init(
            value: Valuation? = nil,
            standing: Revision? = nil,
            answer: Answer? = nil,
            end: TerminalEnd? = nil
        ) {
            self.value = value
            self.standing = standing
            self.answer = answer
            self.end = end
        }
    }

    package enum OnWrite: Equatable, Sendable {
        case taken(WriteNumber)
        /// The write is too late in its chain of links: the program shows ``shownValue`` instead.
        case changesNothing
        /// The channel, or this terminal, has ended or is about to.
        case ended
        /// Too many writes wait.
        case full
    }

    package enum OnEnded: Equatable, Sendable {
        case news(News)
        /// Only this binding ended, and of a shared property the newest value is enough: bind again.
        case bindAgain
    }

    enum Phase {
        /// There is no binding: no connection, or no answer to bind yet.
        case unbound
        case bound(TerminalID)
        case ended
    }

    let meaning: Meaning
    /// The mode of the channel at the newest bind.
    var mode: ChannelMode
    var phase = Phase.unbound
    /// The terminal of the newest binding, in the epoch of that binding.
    package private(set) var newestTerminal: TerminalID?
    var line: WriteLine
    /// When arrivals are shown; of a shared channel only.
    var agreement = OpenWriteStateMachine()
    var shown = ShownValue()
    /// The newest value of this program that the daemon has acknowledged.
    var newestAcknowledged: Valuation?
    /// Whether the newest bind has left out the default, because the program knows a value.
    var keepsValue = false

    /// - Parameters:
    ///   - mode: The channel's mode.
    ///   - meaning: By default a shared channel has a state, and a paired one has events.
    ///   - maximumWaiting: The greatest number of sends that wait.
    ///   - maximumUnderWay: The greatest number of unanswered sends.
    ///   - lastUsed: Each send number is above this one.
    package init(
        mode: ChannelMode,
        meaning: Meaning? = nil,
        maximumWaiting: Int = 1024,
        maximumUnderWay: Int = 256,
        after lastUsed: SendNumber = .none
    ) {
        self.mode = mode
        self.meaning = meaning ?? (mode == .shared ? .state : .events)
        self.line = WriteLine(
            overwrites: self.meaning == .state,
            maximumWaiting: maximumWaiting,
            maximumUnderWay: maximumUnderWay,
            after: lastUsed
        )
    }

    /// Whether every write is answered.
    package var isSettled: Bool { self.line.isEmpty }

    /// The number of sends without an answer.
    package var unansweredCount: Int { self.line.count }

    /// Whether every write up to that one is answered.
    package func isAnswered(through write: WriteNumber) -> Bool {
        self.line.oldest.map { $0 > write } ?? true
    }

    /// The number of the newest write.
    package var newest: WriteNumber { self.line.newest }

    /// The greatest send number so far.
    package var lastNumber: SendNumber { self.line.lastNumber }

    /// The number of writes that still fit.
    package var room: Int { self.line.room }

    /// Whether the daemon has reported how the channel is.
    package var isReported: Bool { self.shown.reported != nil }

    /// The value for a view that joins, with its root and its revision.
    package var shownValue: (text: JSONText, root: Revision?, revision: Revision?)? {
        guard let text = self.shown.text else { return nil }
        let standing = self.line.isEmpty ? self.shown.reported : nil
        return (text, self.shown.root, self.mode == .shared ? standing : self.shown.revision)
    }

    /// The value that an ended channel has kept; without a text if it has none.
    package var lastValue: (text: JSONText?, revision: Revision?) {
        self.shown.isLost ? (nil, nil) : (self.shown.text, self.shown.reported)
    }

    /// Whether the channel never had a value, as far as the daemon has reported.
    package var isBlank: Bool { self.shown.reported == Revision.never }

    /// Whether the program shows that value, as it came with that change.
    package func shows(_ value: JSONText, from root: Revision?) -> Bool {
        self.shown.shows(value, from: root)
    }

    /// The terminal whose sends have numbers, for the next bind of the same epoch; nil if every write is answered.
    package var was: TerminalID? { self.line.isEmpty ? nil : self.newestTerminal }

    /// The terminal that is bound now.
    package var terminal: TerminalID? {
        if case .bound(let terminal) = self.phase { terminal } else { nil }
    }
}

// MARK: Writing

extension TerminalStateMachine {
    /// Whether a write can still succeed.
    package var acceptsWrites: Bool { !self.isEnding && self.line.ending == nil }

    /// Whether the channel has ended for this terminal, or its end waits for answers.
    var isEnding: Bool { if case .ended = self.phase { true } else { self.agreement.isEnding } }

    /// The program writes a value, and shows it, or ends the channel.
    package mutating func write(_ event: Send.Event, sync: Bool = false) -> OnWrite {
        guard self.acceptsWrites else { return .ended }
        guard self.line.hasRoom else { return .full }
        if case .next(let value, _, let cause) = event, self.mode == .shared {
            if let cause, self.shown.isNewer(than: value, from: cause) { return .changesNothing }
            self.shown.wrote(value, cause: cause)
        }
        let number = self.line.append(event, sync: sync, isBound: self.terminal != nil)
        if case .next = event, self.mode == .shared { self.agreement.sent(number) }
        return .taken(self.line.newest)
    }

    /// Returns the next send; nil if none waits, or too many are on their way.
    package mutating func nextSend() -> Send? {
        guard case .bound(let terminal) = self.phase else { return nil }
        return self.line.nextSend(into: terminal)
    }

    /// The newest send is too long; returns whether it comes again when the sends before it are answered.
    package mutating func takesBack() -> Bool { self.line.takeBack() }
}

// MARK: Ending

extension TerminalStateMachine {
    /// Nothing more is written or comes.
    package mutating func close() {
        self.phase = .ended
        self.line.removeAll()
    }

    mutating func isBound(to terminal: TerminalID) {
        self.phase = .bound(terminal)
        self.newestTerminal = terminal
    }

    /// The connection is lost, or only the binding.
    package mutating func unbound() -> News {
        guard case .bound = self.phase else { return News() }
        self.phase = .unbound
        self.line.unbound()
        var news = News()
        guard let end = self.agreement.connectionLost().end else { return news }
        // Nothing goes out any more, so the program shows the newest value that it has got.
        if let writes = self.line.writes {
            news.answer = .refused(writes, Refusal(.lostBeforeAnswer))
            if let known = self.agreement.newestTold ?? self.newestAcknowledged {
                self.show(OpenWriteStateMachine.Release(value: known), &news)
            } else {
                self.shown.markLost()
            }
        }
        self.end(end, &news)
        return news
    }

    /// The terminal ended; without a revision only this binding did.
    package mutating func ended(_ end: TerminalEnd) -> OnEnded {
        if end.revision == nil, self.mode == .shared {
            // Answers to earlier sends may come, so they count as sent until the next binding.
            self.phase = .unbound
            return .bindAgain
        }
        var news = News()
        self.end(self.mode == .shared ? self.agreement.ended(end).end : end, &news)
        return .news(news)
    }

    /// The terminal is over; answers to its sends may still come.
    mutating func end(_ end: TerminalEnd?, _ news: inout News) {
        guard let end else { return }
        news.end = end
        self.phase = .ended
    }
}

extension WireError {
    /// A write has no answer, and none comes any more.
    package static var lostBeforeAnswer: WireError {
        let message = "the channel has ended, and the connection was lost before the answer to this write came"
        return WireError(code: ClientError.Code.outcomeUnknown.rawValue, message: message)
    }
}
