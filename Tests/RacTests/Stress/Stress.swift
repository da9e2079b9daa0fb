import Foundation

/// The amount of work of the stress tests.
enum Stress {
    /// `RAC_STRESS=20` does twenty times the work: millions of events.
    static let factor = ProcessInfo.processInfo.environment["RAC_STRESS"].flatMap { Int($0) } ?? 1
}
