import FoundationEssentials

/// The seed of a test run: the environment's `RAC_SEED`, else a new one for each run.
package enum TestSeed {
    /// The variable that names the seed.
    package static let variable = "RAC_SEED"

    /// The seed of this run.
    ///
    /// It is printed at its first use, because a test that traps shows no comment.
    package static let ofThisRun: UInt64 = {
        var system = SystemRandomNumberGenerator()
        let named = Self.seed(in: ProcessInfo.processInfo.environment)
        let seed = named ?? UInt64.random(in: .min ... .max, using: &system)
        print("\(Self.variable)=\(seed)")
        return seed
    }()

    /// The seed that an environment names; nil without one.
    package static func seed(in environment: [String: String]) -> UInt64? {
        environment[Self.variable].flatMap { UInt64($0) }
    }
}

extension SeededRandom {
    /// The numbers of this run, from the beginning.
    package static var ofThisRun: SeededRandom { SeededRandom(seed: TestSeed.ofThisRun) }

    /// The comment of a failure, which names the seed for a repetition.
    package var hint: String { "again with \(TestSeed.variable)=\(self.seed)" }
}
