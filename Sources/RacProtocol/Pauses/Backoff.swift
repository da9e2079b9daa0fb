/// Decides how often to make an attempt that may be in vain: after each vain attempt in a row more turns are left out.
///
/// Semantics: docs/performance.md, "Waiting awake".
package struct Backoff: Sendable {
    /// The largest number of turns that are left out after an attempt.
    package static let most = 63

    /// Counts the attempt with the turns that are left out after it: 2, 4, 8… up to 64.
    private var period = GrowingPause(from: 2, upTo: Self.most + 1)
    private var toSkip = 0

    package init() {}

    /// Whether this turn is worth an attempt.
    package var isDue: Bool { self.toSkip == 0 }

    /// Counts a turn that ended without an attempt.
    package mutating func leftOut() {
        self.toSkip = max(0, self.toSkip - 1)
    }

    /// Counts an attempt: vain ones in a row leave out 1, 3, 7… turns.
    package mutating func tried(inVain: Bool) {
        if inVain {
            self.toSkip = self.period.grow() - 1
        } else {
            self.period.reset()
            self.toSkip = 0
        }
    }

    /// Counts an attempt that did harm: it leaves out the most turns.
    package mutating func harmed() {
        self.period.jump()
        self.tried(inVain: true)
    }
}
