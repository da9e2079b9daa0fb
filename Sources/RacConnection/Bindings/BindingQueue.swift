import NIOCore
package import RacProtocol

/// An event of a binding for its program: values and refusals come first, then one end.
package enum BindingEvent: Hashable, Sendable {
    /// Somebody else's value, or the value that the channel had at the time of binding.
    case value(Valuation)
    /// A value or an end that this program sent was not applied.
    case refused(Refusal)
    /// The terminal ended, and nothing follows.
    case ended(TerminalEnd)
}

/// The events of a binding that its program has not taken.
///
/// Of a shared property the newest value is enough: when too many wait, all of them give way to it. In a paired channel
/// every value counts, and too many end the binding.
///
/// Semantics: protocol.md, "Slow readers".
package struct BindingQueue: EventQueue {
    package enum OnValue: Equatable {
        case waits
        /// The program is too slow: the binding is over, and the queue has its end.
        case overflows
    }

    private let mode: ChannelMode
    private let maximumValues: Int
    private let maximumBytes: Int
    private var events = CircularBuffer<BindingEvent>()
    private var values = 0
    private var bytes = 0
    private var isEnded = false
    /// The number of waiting refusals.
    package private(set) var refusals = 0

    package init(mode: ChannelMode, limits: ConnectionLimits) {
        self.mode = mode
        self.maximumValues = limits.waitingValues
        self.maximumBytes = limits.waitingBytes
    }

    package mutating func append(_ value: Valuation) -> OnValue {
        guard !self.isEnded else { return .waits }
        switch self.mode {
        case .shared where self.values >= self.maximumValues || self.bytes >= self.maximumBytes: self.dropValues()
        case .paired where self.bytes >= self.maximumBytes:
            let error = WireError(.slowConsumer, "this program took its values too slowly")
            self.append(TerminalEnd(.failed(error), revision: nil))
            return .overflows
        case .shared, .paired: break
        }
        self.values += 1
        self.bytes += value.value.byteCount + Self.costOfValue
        self.events.append(.value(value))
        return .waits
    }

    /// The cost of a value beside its bytes, so that many small ones count, too.
    private static let costOfValue = 64

    private mutating func dropValues() {
        self.events = CircularBuffer(
            self.events.filter {
                if case .value = $0 { false } else { true }
            }
        )
        self.values = 0
        self.bytes = 0
    }

    package mutating func append(_ refusal: Refusal) {
        guard !self.isEnded else { return }
        self.refusals += 1
        self.events.append(.refused(refusal))
    }

    package mutating func append(_ end: TerminalEnd) {
        guard !self.isEnded else { return }
        self.isEnded = true
        self.events.append(.ended(end))
    }

    package mutating func next() -> BindingEvent? {
        guard let event = self.events.popFirst() else { return nil }
        switch event {
        case .value(let value):
            self.values -= 1
            self.bytes -= value.value.byteCount + Self.costOfValue
        case .refused: self.refusals -= 1
        case .ended: break
        }
        return event
    }
}
