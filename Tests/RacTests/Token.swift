import RacTesting

/// Something that a handler, work or a property holds on to, counted while it lives.
final class Token: Sendable {
    private let living: Counter

    init(_ living: Counter) {
        self.living = living
        living.increment()
    }

    deinit {
        self.living.decrement()
    }

    func use() {}
}
