import Logging
import RacTesting

/// The lines that a daemon logs from the level info on, without their times, as people read them.
struct LogLines: LogHandler {
    let lines: Log<String>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    init(_ lines: Log<String>) {
        self.lines = lines
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let fields = (event.metadata ?? [:]).filter { $0.key != "connection" && $0.key != "peer" }
        let words = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        self.lines.append((["\(event.level): \(event.message)"] + words).joined(separator: " "))
    }
}
