internal import Observation
internal import Synchronization

/// Finds out whether the caller runs inside `withObservationTracking`, such as in the body of a SwiftUI view.
///
/// Observation has no public function for that. While it tracks, and only then, it puts the key path of each access into
/// a set. For that it asks the arguments of a subscript for their hash values. The probe counts these calls.
final class TrackingProbe: Observable, Sendable {
    /// The argument of the key path.
    private struct Ear: Hashable, Sendable {
        static func == (one: Ear, other: Ear) -> Bool { true }

        func hash(into hasher: inout Hasher) {
            TrackingProbe.questions.add(1, ordering: .relaxed)
        }
    }

    private static let shared = TrackingProbe()
    private static let questions = Atomic(0)
    private static let path: any KeyPath<TrackingProbe, Void> & Sendable = \.[Ear()]

    /// Whether the probe works with this version of Observation: a tracking of its own tells.
    private static let isReliable = withObservationTracking({ isAsked }, onChange: {})

    private let registrar = ObservationRegistrar()

    private subscript(_: Ear) -> Void { () }

    /// Whether the caller is tracked; true now and then while another thread is, and always if the probe cannot tell.
    static var isTracking: Bool { self.isAsked || !self.isReliable }

    private static var isAsked: Bool {
        let before = self.questions.load(ordering: .relaxed)
        self.shared.registrar.access(self.shared, keyPath: self.path)
        return self.questions.load(ordering: .relaxed) != before
    }
}
