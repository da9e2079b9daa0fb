/// A pause that doubles with each failure in a row, up to a longest one.
///
/// `Length` is a time, of whatever clock, or a count of turns to leave out.
package struct GrowingPause<Length: AdditiveArithmetic & Comparable & Sendable>: Sendable {
    /// The first pause.
    private let shortest: Length
    private let longest: Length
    /// The pause behind the next failure, or the bound of a pause at random.
    package private(set) var next: Length

    package init(from shortest: Length, upTo longest: Length) {
        self.shortest = min(shortest, longest)
        self.longest = longest
        self.next = self.shortest
    }

    /// Returns the pause behind a failure, and doubles the next one.
    package mutating func grow() -> Length {
        defer { self.next = min(self.next + self.next, self.longest) }
        return self.next
    }

    /// Makes the next pause the longest, behind a failure that is known to last.
    package mutating func jump() {
        self.next = self.longest
    }

    /// Begins anew with the shortest pause, behind a success.
    package mutating func reset() {
        self.next = self.shortest
    }
}
