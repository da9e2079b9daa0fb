/// Adds up what arrives, so that no work can be left out, and so that both sides can be checked against each other.
///
/// `@unchecked Sendable` holds because a contender runs on one thread at a time.
final class Tally: @unchecked Sendable {
    private(set) var sum = 0

    func add(_ value: Int) {
        self.sum &+= value
    }
}
