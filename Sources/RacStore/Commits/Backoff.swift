/// How often something is tried that may be in vain: behind each try in vain more turns are left out.
///
/// Semantics: docs/performance.md, "Waiting awake".
package struct Backoff: Sendable {
    /// How many turns at most are left out behind a try.
    package static let most = 63

    private var skipped = 0
    private var toSkip = 0

    package init() {}

    /// Whether it is to be tried this turn.
    package var isDue: Bool { self.toSkip == 0 }

    /// A turn is over in which it was not tried.
    package mutating func leftOut() {
        self.toSkip = max(0, self.toSkip - 1)
    }

    /// It was tried: if in vain, 1, 3, 7… turns are left out.
    package mutating func tried(inVain: Bool) {
        self.skipped = inVain ? min(2 * self.skipped + 1, Self.most) : 0
        self.toSkip = self.skipped
    }

    /// It did harm: many turns are left out.
    package mutating func harmed() {
        self.skipped = Self.most
        self.toSkip = Self.most
    }
}
