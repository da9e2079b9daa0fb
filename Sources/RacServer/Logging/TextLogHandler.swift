package import Logging
import RacAccess

/// Writes each log entry to standard error as one line for people: time, level, message, then the fields.
///
/// In the journal of systemd a line has its priority in place of the time.
package struct TextLogHandler: LineLogHandler {
    /// The threshold; a handler whose level was set for itself alone has one of its own.
    private var threshold: LogThreshold
    package var metadata: Logger.Metadata = [:]
    private let reader: LogReader

    package init(threshold: LogThreshold = LogThreshold(), reader: LogReader = .people) {
        self.threshold = threshold
        self.reader = reader
    }

    package var logLevel: Logger.Level {
        get { self.threshold.level }
        set { self.threshold = LogThreshold(newValue) }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    package func line(for event: LogEvent) -> String { self.line(for: event, at: Timestamp.now) }

    /// The entry with the newline behind it and without tokens.
    ///
    /// The value of a field stands in quotes where it could be taken for another field or another line. A control character
    /// elsewhere, which could command a terminal, is shown as a space.
    func line(for event: LogEvent, at time: String) -> String {
        var fields = self.metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            .map { "\($0.key)=\(Self.quoted($0.value.description))" }
        if let error = event.error { fields.append("error=\(Self.quoted("\(error)"))") }
        let beginning =
            switch self.reader {
            case .people: "\(time) "
            case .journal: self.reader.prefix(event.level)
            }
        let words = ["\(beginning)\(event.level.rawValue): \(event.message)"] + fields
        let scalars = Secrets.hidden(in: words.joined(separator: " ")).unicodeScalars
        let printable = scalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        return String(String.UnicodeScalarView(printable)) + "\n"
    }

    /// A value as it is if it is one plain word, else in quotes.
    private static func quoted(_ value: String) -> String {
        guard value.isEmpty || value.unicodeScalars.contains(where: { !Self.isPlain($0) }) else { return value }
        let escaped = value.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where Self.isSeen(scalar): String(scalar)
            default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return "\"\(escaped.joined())\""
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        !["\"", "\\", "="].contains(scalar) && !scalar.properties.isWhitespace && Self.isSeen(scalar)
    }

    /// Whether a character has a place of its own in a line, and leaves those of others alone.
    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: false
        default: true
        }
    }
}
