/// The form of log entries, and of the ready line.
package enum LogFormat: String, CaseIterable, Sendable {
    case text
    case json
}
