import RacAccess
package import RacServer

/// A fault of a configuration or token file, in one line for people.
package struct ConfigurationFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of the key; nil if the fault has none.
    package let line: Int?
    /// The message, which names the key and the remedy.
    package let message: String

    init(line: Int? = nil, _ message: String) {
        self.line = line
        self.message = Self.printable(message)
    }

    package var description: String { self.message }

    /// The text without secrets and without control characters, which could command a terminal.
    private static func printable(_ text: String) -> String {
        let scalars = Secrets.hidden(in: text).unicodeScalars.map {
            $0.properties.generalCategory == .control ? " " : $0
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

/// The faults of one file, a line each; at least one.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the file.
    package let file: String
    package let faults: [ConfigurationFault]
    /// The form of the log that a configuration file asks for; nil if it does not, or cannot be read.
    package let logFormat: LogFormat?

    init(file: String, faults: [ConfigurationFault], logFormat: LogFormat? = nil) {
        self.file = file
        self.logFormat = logFormat
        self.faults = faults.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    }

    init(file: String, _ message: String) {
        self.init(file: file, faults: [ConfigurationFault(message)])
    }

    /// A line for each fault: the file, the line's number and the message.
    package var lines: [String] {
        self.faults.map { fault in "\(self.file)\(fault.line.map { ":\($0)" } ?? ""): \(fault.message)" }
    }

    package var description: String { self.lines.joined(separator: "\n") }
}
