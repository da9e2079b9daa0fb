package import Logging
import RacAccess
import RacProtocol

/// Writes each log entry to standard error as one JSON object on one line.
///
/// In the journal of systemd the priority stands before the object; the journal takes it away.
package struct JSONLogHandler: LineLogHandler {
    /// The threshold; a handler whose level was set for itself alone has one of its own.
    private var threshold: LogThreshold
    package var metadata: Logger.Metadata = [:]
    private let label: String
    private let reader: LogReader

    package init(label: String, threshold: LogThreshold = LogThreshold(), reader: LogReader = .people) {
        self.label = label
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

    /// The entry with the newline behind it and without tokens; metadata cannot hide the members that every entry has.
    package func line(for event: LogEvent) -> String {
        var members = [
            ("time", JSONText.string(Timestamp.now)),
            ("level", .string(event.level.rawValue)),
            ("logger", .string(self.label)),
            ("message", .string(event.message.description)),
        ]
        if let error = event.error { members.append(("error", .string("\(error)"))) }
        let own = Set(members.map(\.0))
        let metadata = self.metadata.merging(event.metadata ?? [:]) { $1 }
        members += metadata.sorted { $0.key < $1.key }.map { key, value in
            (own.contains(key) ? "metadata.\(key)" : key, Self.json(value))
        }
        let object = "{" + members.map { "\(JSONText.string($0)):\($1)" }.joined(separator: ",") + "}"
        return self.reader.prefix(event.level) + Self.escaped(Secrets.hidden(in: object)) + "\n"
    }

    /// A number as a number, so that a query can compare it; anything else as a string.
    private static func json(_ value: Logger.MetadataValue) -> JSONText {
        guard case .stringConvertible(let number as any BinaryInteger) = value else {
            return .string(value.description)
        }
        return Int(exactly: number).map(JSONText.integer) ?? .string(value.description)
    }

    /// The object with escapes for the control characters that JSON allows in strings: they could command a terminal.
    private static func escaped(_ object: String) -> String {
        let controls = Unicode.Scalar(0x7F)...Unicode.Scalar(0x9F)
        guard object.unicodeScalars.contains(where: controls.contains) else { return object }
        return object.unicodeScalars.map { scalar in
            controls.contains(scalar) ? "\\u00\(String(scalar.value, radix: 16))" : String(scalar)
        }.joined()
    }
}
