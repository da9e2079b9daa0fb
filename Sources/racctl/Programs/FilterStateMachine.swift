/// Decides which line of a filter answers which value: the filter gets one value at a time, and writes one line for
/// each.
///
/// A line that answers no value, or one that comes too late, would make each later answer that of another value. So
/// such a run of the filter is useless.
struct FilterStateMachine {
    private enum State {
        case ready
        case asked
        case outOfStep
        case ended
    }

    enum OnAsk: Equatable {
        case write
        /// The value has to be passed to another run.
        case startAnew
        case ended
    }

    enum OnLine: Equatable {
        case answer
        case drop
    }

    private var state = State.ready

    /// Whether racctl ends the run itself.
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

    /// The caller no longer waits.
    mutating func timeIsOver() {
        if self.state == .asked { self.state = .outOfStep }
    }

    /// The filter ended.
    mutating func ended() {
        if self.state != .outOfStep { self.state = .ended }
    }
}
