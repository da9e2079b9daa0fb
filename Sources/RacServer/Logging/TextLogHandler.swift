import Glibc
package import Logging
import RacAccess

/// Writes each log entry to standard error as one line for people: time, level, message, then the fields.
package struct TextLogHandler: LogHandler {
    /// The threshold; a handler whose level was set for itself alone has one of its own.
    private var threshold: LogThreshold
    package var metadata: Logger.Metadata = [:]

    package init(threshold: LogThreshold = LogThreshold()) {
        self.threshold = threshold
    }

    package var logLevel: Logger.Level {
        get { self.threshold.level }
        set { self.threshold = LogThreshold(newValue) }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let bytes = Array(self.line(for: event, at: Timestamp.now).utf8)
        // One call, so that lines of several threads do not mix. A failure is ignored: there is no other place to log it.
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    /// The entry with the newline behind it and without tokens.
    ///
    /// A control character, which could command a terminal, is shown as a space.
    func line(for event: LogEvent, at time: String) -> String {
        var fields = self.metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value)" }
        if let error = event.error { fields.append("error=\(error)") }
        let words = ["\(time) \(event.level.rawValue): \(event.message)"] + fields
        let scalars = Secrets.hidden(in: words.joined(separator: " ")).unicodeScalars
        let printable = scalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        return String(String.UnicodeScalarView(printable)) + "\n"
    }
}
