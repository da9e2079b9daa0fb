package import RacProtocol

// MARK: Binding

extension TerminalStateMachine {
    /// The daemon is one of another epoch, whose revisions need not be those of before.
    package mutating func forgetRoots() {
        self.shown.forgetRoots()
        self.line.forgetCauses()
    }

    /// The revision whose value the daemon need not send; nil if it must send the channel's value.
    ///
    /// In another epoch the same revision may be another value, so a known value is compared with the daemon's.
    package func since(isNewEpoch: Bool) -> Revision? {
        switch self.mode {
        case .paired: isNewEpoch && self.shown.text != nil ? .never : self.shown.reported
        case .shared where isNewEpoch: self.isReported ? .never : nil
        case .shared: self.line.isEmpty ? self.shown.since : nil
        }
    }

    /// The default of a bind; nil if the program knows a value of the channel.
    ///
    /// A daemon of another epoch may have lost that value, which counts more than a default. It goes out again behind the
    /// reply then: as a write, whose refusal does not end the terminal.
    package mutating func offer(_ defaultValue: JSONText, isNewEpoch: Bool) -> JSONText? {
        self.keepsValue = isNewEpoch && self.meaning == .state && self.line.isEmpty && self.shown.known != nil
        return self.keepsValue ? nil : defaultValue
    }

    /// The daemon has bound the terminal, on a new connection or again.
    ///
    /// In another epoch it knows no numbers any more, and may have lost the changes of its last milliseconds. An older
    /// daemon knows no numbers of a channel either that was deleted and made again.
    package mutating func bound(_ bound: Bound, isNewEpoch: Bool) -> News {
        let goesOn = !isNewEpoch && self.goesOn(in: bound)
        self.isBound(to: bound.terminal)
        self.mode = bound.mode
        var news = News()
        if !goesOn {
            self.line.boundInNewEpoch(lastApplied: bound.lastApplied)
        } else {
            let applied = self.line.boundAgain(lastApplied: bound.lastApplied)?.writes
            news.answer = applied.map { .applied(through: $0.upperBound, bound.revision) }
        }
        if isNewEpoch { self.noteLoss(bound) } else { self.line.renumber(lastApplied: bound.lastApplied) }
        let known = self.shown.reported
        self.shown.bound(at: bound.revision)
        let value = bound.value.map { Valuation(value: $0.detached, revision: bound.revision, cause: bound.cause) }
        self.arrive(value, at: bound.revision, isNewEpoch: isNewEpoch, known: known, &news)
        // No write is behind an end, so an empty line means that the end was applied. This program is done with the channel
        // then, even if the channel is open again.
        if let ending = self.line.ending, self.line.isEmpty {
            self.end(TerminalEnd(ending, revision: bound.revision), &news)
        }
        return news
    }

    /// Whether the numbers go on: the terminal is that of the last binding, or the daemon has taken its numbers over.
    private func goesOn(in bound: Bound) -> Bool {
        guard let newest = self.newestTerminal else { return true }
        return bound.terminal == newest || bound.was == newest
    }

    /// Another epoch may have lost the value that this program wrote last and still shows.
    ///
    /// The value is written again, unless another program was faster. So is a value of another program where this one has
    /// a default.
    private mutating func noteLoss(_ bound: Bound) {
        let isSettled = self.meaning == .state && self.line.isEmpty && self.line.ending == nil
        let isOwnLost = isSettled && bound.revision < self.agreement.newestOwn
        let isLost = isSettled && self.keepsValue && bound.revision == .never
        self.line.renumber(lastApplied: bound.lastApplied)
        if let value = isLost ? self.shown.known : isOwnLost ? self.shown.write : nil {
            if self.shown.write == nil { self.shown.wrote(value.text, cause: value.cause) }
            self.line.append(unasked: .next(value.text, condition: bound.revision, cause: value.cause))
        }
        if bound.value == nil, bound.revision == .never, self.line.isEmpty { self.shown.markLost() }
    }

    private mutating func arrive(
        _ value: Valuation?,
        at revision: Revision,
        isNewEpoch: Bool,
        known: Revision?,
        _ news: inout News
    ) {
        guard self.mode == .shared else {
            if let value, value.revision == known, self.shown.shows(value.value) { return }
            news.value = value
            if let value {
                self.shown.show(value)
            } else if self.shown.reported == Revision.never {
                self.shown.clear()
            }
            return
        }
        let last = self.line.lastValueNumber
        let isKnown = isNewEpoch && value.map { $0.revision == known && self.shown.shows($0.value) } ?? false
        let release = self.agreement.bound(
            value,
            at: revision,
            last: last,
            forgetting: isNewEpoch,
            knowing: isKnown
        )
        self.show(release, &news)
        if isKnown, last == nil, let value {
            self.shown.stands(from: value.root)
            news.standing = value.revision
        }
    }
}

// MARK: Arrivals and answers

extension TerminalStateMachine {
    /// A value of another program came, or one that this program wrote another way.
    package mutating func arrived(_ value: consuming Valuation) -> News {
        self.shown.report(value.revision)
        var news = News()
        switch self.mode {
        case .paired:
            self.shown.show(value)
            news.value = value
        case .shared: self.show(self.agreement.arrived(value), &news, comparingRoots: true)
        }
        return news
    }

    /// The daemon applied every send up to `number`, the last one as `revision`.
    package mutating func acknowledged(_ number: SendNumber, as revision: Revision) -> News {
        self.answered(number, revision) { $0.acknowledged(number, as: revision) }
    }

    /// A send came too late in its chain of links: `standing` is the channel's value.
    package mutating func changedNothing(_ number: SendNumber, standing: Valuation) -> News {
        self.answered(number, standing.revision) { $0.changedNothing(number, standing: standing) }
    }

    private mutating func answered(
        _ number: SendNumber,
        _ revision: Revision,
        _ release: (inout OpenWriteStateMachine) -> OpenWriteStateMachine.Release
    ) -> News {
        guard let last = self.line.answered(through: number) else { return News() }
        var news = News(answer: last.writes.map { .applied(through: $0.upperBound, revision) })
        guard self.mode == .shared, last.isValue else { return news }
        self.shown.report(revision)
        self.newestAcknowledged = last.valuation(at: revision)
        self.show(release(&self.agreement), &news)
        if self.line.isEmpty, news.value == nil {
            news.standing = revision
            self.shown.stands(at: revision)
        }
        return news
    }

    /// Whether a refusal is of the binding before this one, behind which the send goes out again.
    ///
    /// A channel that ended, and was reopened before the send came, has reported its end first.
    private func isStale(_ refusal: Refusal) -> Bool {
        refusal.error.code == ErrorCode.notBound.rawValue && !self.isEnding
    }

    /// Whether the channel's value must be asked for before ``refused(_:_:standing:)``, if the refusal lacks it.
    ///
    /// Without a binding the reply to the next bind has the value.
    package func mustAsk(afterRefusalOf number: SendNumber, _ refusal: Refusal) -> Bool {
        guard self.mode == .shared, self.terminal != nil, !self.isStale(refusal) else { return false }
        return self.agreement.mustAsk(afterRefusalOf: number)
    }

    /// The daemon did not apply a send; `standing` is the channel's value, if that is known.
    package mutating func refused(_ number: SendNumber, _ refusal: Refusal, standing: Valuation?) -> News {
        if self.isStale(refusal) { return News() }
        guard let last = self.line.answered(through: number) else { return News() }
        var news = News(answer: last.writes.map { .refused($0, refusal) })
        guard last.isValue else {
            self.line.endRefused()
            return news
        }
        guard self.mode == .shared else { return news }
        self.shown.refused(standing: standing)
        // A link that passes the refused value on again must not take it for one that the channel has.
        if standing == nil, self.line.isEmpty { self.shown.markLost() }
        self.show(self.agreement.refused(number, standing: standing), &news)
        return news
    }

    /// Whether a value is the newest one of this program that the daemon has acknowledged.
    private func isOwn(_ value: Valuation) -> Bool {
        self.newestAcknowledged.map { $0.revision == value.revision && $0.value == value.value } ?? false
    }

    /// Shows the value of a release, or notes its revision if it is no news for the program.
    ///
    /// - Parameters:
    ///   - release: The value and the end that may be shown now.
    ///   - news: Filled in.
    ///   - comparingRoots: Whether a value that began with another change counts as another value.
    mutating func show(
        _ release: OpenWriteStateMachine.Release,
        _ news: inout News,
        comparingRoots: Bool = false
    ) {
        if let value = release.value {
            let isShown =
                switch self.meaning {
                case .state where comparingRoots: self.shown.shows(value.value, from: value.root)
                case .state: self.shown.shows(value.value)
                // The program's own value comes if a lost connection has taken its answer along. It is news where a daemon has
                // lost another value that the program showed since.
                case .events: self.shown.shows(value.value) && self.isOwn(value)
                }
            if isShown { news.standing = value.revision } else { news.value = value }
            self.shown.show(value)
        }
        self.end(release.end, &news)
    }
}
