/// Which line of a filter answers which value: it is asked one thing at a time, and says one line to each.
///
/// A line that nobody waits for, or one that does not come in time, would make every later answer that of another value:
/// such a run of the filter is of no use any more.
struct FilterStateMachine {
    private enum State {
        case ready
        case asked
        case outOfStep
        case ended
    }

    enum OnAsk: Equatable {
        case write
        /// Another run has to be asked.
        case startAnew
        case ended
    }

    enum OnLine: Equatable {
        case answer
        case drop
    }

    private var state = State.ready

    /// Whether it is this program that ends the run.
    var isOutOfStep: Bool { self.state == .outOfStep }

    /// There is a value.
    mutating func asked() -> OnAsk {
        switch self.state {
        case .ready:
            self.state = .asked
            return .write
        case .asked, .outOfStep: return .startAnew
        case .ended: return .ended
        }
    }

    /// The filter wrote a line.
    mutating func wroteLine() -> OnLine {
        switch self.state {
        case .asked:
            self.state = .ready
            return .answer
        case .ready:
            self.state = .outOfStep
            return .drop
        case .outOfStep, .ended: return .drop
        }
    }

    /// Whoever asked does not wait any more.
    mutating func timeIsOver() {
        if self.state == .asked { self.state = .outOfStep }
    }

    /// The filter ended.
    mutating func ended() {
        if self.state != .outOfStep { self.state = .ended }
    }
}
