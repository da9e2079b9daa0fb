package import Logging

/// A handler of the log that has each entry written to standard error as one line.
package protocol LineLogHandler: LogHandler {
    /// The entry with the newline behind it and without tokens.
    func line(for event: LogEvent) -> String
}

extension LineLogHandler {
    package func log(event: LogEvent) {
        LogWriter.standardError.write(self.line(for: event)) { self.line(for: Self.report(ofDropped: $0)) }
    }

    static func report(ofDropped count: Int) -> LogEvent {
        LogEvent(
            level: .warning,
            message: "lines of the log were dropped, because standard error was not read",
            metadata: ["lines": .stringConvertible(count)],
            source: "RacServer",
            file: #fileID,
            function: #function,
            line: #line
        )
    }
}
