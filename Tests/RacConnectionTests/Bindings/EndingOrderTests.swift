import RacProtocol
import RacTesting
import Testing

@testable import RacConnection

/// One program that writes into a channel while it ends, and the daemon: every order of their steps is tried.
private struct Ending: Sendable {
    enum Step: CaseIterable {
        case write
        /// Another program ends the channel.
        case end
        /// This program asks for the end, by a request behind what it has sent.
        case finish
        case takeIn
        case hear
        case lose
        case connect
    }

    private enum Question {
        case bind
        case send(Send)
        case finish
    }

    private enum Word {
        case bound(Bound)
        case ack(SendNumber, Revision)
        case nak(SendNumber, Refusal)
        case end(TerminalEnd)
    }

    private var machine = TerminalStateMachine(mode: .shared)
    private(set) var shown = "5"
    private(set) var value = Valuation(value: .integer(5), revision: Revision(1), cause: nil)
    private var isEnded = false
    private var isBound = false
    private var applied = SendNumber.none
    private var toDaemon: [Question] = []
    private var fromDaemon: [Word] = []
    private var isConnected = true
    private(set) var (written, refused, isOver) = (0, 0, false)
    private var (acknowledged, hasLost, hasEnded) = (Set<UInt64>(), false, false)

    init() {
        let bound = Bound.sample(1, Valuation(value: .integer(5), revision: Revision(1), cause: nil))
        _ = self.machine.bound(bound, isNewEpoch: true)
        self.isBound = true
    }

    /// Whether each write was applied or reported as refused.
    var isTold: Bool { self.acknowledged.count + self.refused == self.written }

    /// Takes a step; returns whether it was possible.
    mutating func take(_ step: Step) -> Bool {
        switch step {
        case .write: return self.write()
        case .end, .finish:
            guard !self.hasEnded, step == .end || self.isConnected else { return false }
            self.hasEnded = true
            step == .end ? self.end() : self.toDaemon.append(.finish)
        case .takeIn:
            guard !self.toDaemon.isEmpty else { return false }
            self.takeIn(self.toDaemon.removeFirst())
        case .hear:
            guard !self.fromDaemon.isEmpty else { return false }
            self.hear(self.fromDaemon.removeFirst())
        case .lose:
            guard self.isConnected, !self.hasLost else { return false }
            self.hasLost = true
            (self.isConnected, self.isBound, self.toDaemon, self.fromDaemon) = (false, false, [], [])
            self.tell(self.machine.unbound())
        case .connect:
            guard !self.isConnected, !self.isOver else { return false }
            self.isConnected = true
            self.toDaemon = [.bind]
        }
        return true
    }

    /// Ends the channel, if no step did, and lets everything arrive.
    mutating func settle() {
        _ = self.take(.connect)
        while self.take(.takeIn) || self.take(.hear) {}
        if !self.isEnded { self.end() }
        while self.take(.takeIn) || self.take(.hear) {}
    }

    private mutating func write() -> Bool {
        guard self.written < 2, !self.isOver else { return false }
        self.written += 1
        switch self.machine.write(.next(.integer(6 + self.written), condition: nil, cause: nil)) {
        case .taken: self.shown = "\(6 + self.written)"
        // A side shows the value of the machine again, and reports the write.
        case .ended, .changesNothing, .full:
            self.refused += 1
            self.shown = self.machine.shownValue?.text.text ?? self.shown
        }
        self.pump()
        return true
    }

    private mutating func pump() {
        while self.isConnected, let send = self.machine.nextSend() { self.toDaemon.append(.send(send)) }
    }

    private mutating func end() {
        self.isEnded = true
        if self.isBound { self.fromDaemon.append(.end(.completed(self.value.revision.number + 10))) }
        self.isBound = false
    }

    private mutating func takeIn(_ question: Question) {
        switch question {
        case .finish: if !self.isEnded { self.end() }
        case .bind:
            var bound = Bound.sample(1, self.value, lastApplied: self.applied.number)
            if self.isEnded { bound.state = .completed }
            self.fromDaemon.append(.bound(bound))
            self.isBound = true
            if self.isEnded { self.end() }
        case .send(let send):
            if send.number <= self.applied { return self.fromDaemon.append(.ack(send.number, self.value.revision)) }
            guard !self.isEnded, case .next(let text, _, _) = send.event else {
                return self.fromDaemon.append(.nak(send.number, .sample(.terminated, self.value)))
            }
            self.applied = send.number
            self.value = Valuation(value: text, revision: Revision(self.value.revision.number + 1), cause: nil)
            self.fromDaemon.append(.ack(send.number, self.value.revision))
        }
    }

    private mutating func hear(_ word: Word) {
        guard !self.isOver else { return }
        switch word {
        case .bound(let bound):
            self.tell(self.machine.bound(bound, isNewEpoch: false))
        case .ack(let number, let revision): self.tell(self.machine.acknowledged(number, as: revision))
        case .nak(let number, let refusal):
            self.tell(self.machine.refused(number, refusal, standing: refusal.standing))
        case .end(let end):
            guard case .news(let news) = self.machine.ended(end) else { return }
            self.tell(news)
        }
        self.pump()
    }

    private mutating func tell(_ news: TerminalStateMachine.News) {
        if let value = news.value { self.shown = value.value.text }
        switch news.answer {
        case .applied(let last, _): self.acknowledged.formUnion(1...last)
        case .refused(let writes, _): self.refused += writes.count
        case nil: break
        }
        if news.end != nil { self.isOver = true }
    }
}

@Suite struct EndingOrderTests {
    /// Tries each order of that many steps behind `ending`; returns the faults and the number of orders.
    private func search(_ ending: Ending, _ depth: Int, _ path: [Ending.Step]) -> (faults: [String], count: Int) {
        var settled = ending
        settled.settle()
        var (faults, count) = ([String](), 1)
        if !settled.isOver || settled.shown != settled.value.value.text || !settled.isTold {
            faults = ["\(path): shows \(settled.shown), the daemon has \(settled.value.value), told \(settled.isTold)"]
        }
        guard depth > 0 else { return (faults, count) }
        for step in Ending.Step.allCases {
            var next = ending
            guard next.take(step) else { continue }
            let found = self.search(next, depth - 1, path + [step])
            (faults, count) = (faults + found.faults, count + found.count)
        }
        return (faults, count)
    }

    @Test("In each order of writes, an end, a lost connection and answers the program ends with the daemon's value")
    func orders() {
        let result = self.search(Ending(), 8, [])
        #expect(result.count > 1000)
        #expect(result.faults.isEmpty, "\(result.faults.count) of \(result.count): \(result.faults.first ?? "")")
    }
}
