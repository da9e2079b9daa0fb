/// The answer to whether a principal may do something, with the rule that made it.
package enum Verdict: Hashable, Sendable, CustomStringConvertible {
    /// A role grants the verb by this pattern.
    case granted(role: String, pattern: String)
    /// A role denies the name by this pattern, whatever others grant.
    case denied(role: String, pattern: String)
    /// No role grants the verb for the name.
    case notGranted

    package var isGranted: Bool {
        if case .granted = self { true } else { false }
    }

    package var description: String {
        switch self {
        case .granted(let role, let pattern): "granted by role \(role): \(pattern)"
        case .denied(let role, let pattern): "denied by role \(role): \(pattern)"
        case .notGranted: "not granted by any role"
        }
    }
}
