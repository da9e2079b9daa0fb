import FoundationEssentials

/// The work of the tests with random input, and of those under load.
package enum TestEffort {
    /// The variable that multiplies the work, as in `RAC_STRESS=20`.
    package static let variable = "RAC_STRESS"

    /// The factor of this run: 1 without the variable.
    package static let factor = Self.factor(in: ProcessInfo.processInfo.environment)

    /// The factor that an environment names; 1 without one.
    package static func factor(in environment: [String: String]) -> Int {
        environment[Self.variable].flatMap { Int($0) }.map { max(1, $0) } ?? 1
    }

    /// The rounds of this run for a test that does `count` of them in `make test`.
    package static func rounds(_ count: Int) -> Range<Int> { 0..<count * Self.factor }
}
