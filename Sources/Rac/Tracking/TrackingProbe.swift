internal import Observation
internal import Synchronization

/// Finds out whether the caller runs inside `withObservationTracking`, such as in the body of a SwiftUI view.
///
/// Observation has no public function for that. While it tracks, and only then, it puts the key path of each access into
/// a set. For that it asks the arguments of a subscript for their hash values. The probe counts these calls.
///
/// Every reading of a property asks it. So its parts lie in one object, and the subject of the access is an empty value.
/// Three global variables, and a subject to retain, made a reading four times as slow.
final class TrackingProbe: Sendable {
    /// The subject of the accesses.
    private struct Subject: Observable, Sendable {
        subscript(_: Ear) -> Void { () }
    }

    /// The argument of the key path.
    private struct Ear: Hashable, Sendable {
        static func == (one: Ear, other: Ear) -> Bool { true }

        func hash(into hasher: inout Hasher) {
            TrackingProbe.questions.add(1, ordering: .relaxed)
        }
    }

    private static let shared = TrackingProbe()
    private static let questions = Atomic(0)

    private let registrar: ObservationRegistrar
    private let path: any KeyPath<Subject, Void> & Sendable
    /// Whether the probe works with this version of Observation: it tracks once to find out.
    private let isReliable: Bool

    private init() {
        let (registrar, path): (_, any KeyPath<Subject, Void> & Sendable) = (ObservationRegistrar(), \.[Ear()])
        self.registrar = registrar
        self.path = path
        self.isReliable = withObservationTracking({ Self.isAsked(registrar, path) }, onChange: {})
    }

    /// Whether the caller is tracked; true now and then while another thread is, and always if the probe cannot tell.
    static var isTracking: Bool {
        let probe = self.shared
        return Self.isAsked(probe.registrar, probe.path) || !probe.isReliable
    }

    @inline(__always)
    private static func isAsked(
        _ registrar: ObservationRegistrar,
        _ path: any KeyPath<Subject, Void> & Sendable
    ) -> Bool {
        let before = self.questions.load(ordering: .relaxed)
        registrar.access(Subject(), keyPath: path)
        return self.questions.load(ordering: .relaxed) != before
    }
}
