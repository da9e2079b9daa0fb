import ArgumentParser
import Glibc
import Logging
import RacAccess
import RacConfiguration
import RacServer

/// The end of the program after an error, or after help: the lines, and the exit code that the help documents.
struct Failure {
    /// The lines without the name of the program, or the text of an answer.
    private let lines: [String]
    private let code: Int32
    private let isAnswer: Bool
    /// The form of lines about an error: that of the log, if the daemon has one.
    private let format: LogFormat
    private let level: Logger.Level

    init(_ error: any Error, of invocation: Invocation) {
        let failure = error as? ServeFailure
        let format = invocation.logFormat ?? (error as? ConfigurationError)?.logFormat
        self.init(failure?.error ?? error, of: invocation, as: failure?.format ?? format ?? .text)
    }

    private init(_ error: any Error, of invocation: Invocation, as format: LogFormat) {
        self.format = invocation.isOfDaemon ? format : .text
        self.level = invocation.isOfDaemon ? .critical : .error
        let parserCode = invocation.root.exitCode(for: error)
        self.isAnswer = parserCode == .success
        if self.isAnswer {
            self.lines = [invocation.root.fullMessage(for: error)]
            self.code = 0
        } else if parserCode == .validationFailure {
            self.lines = ["\(Self.sentence(error, invocation)) See \(invocation.help)"]
            self.code = 2
        } else if let status = error as? ExitCode {
            // The command has said all on standard output.
            self.lines = []
            self.code = status.rawValue
        } else if let error = error as? ConfigurationError {
            self.lines = error.lines
            self.code = 2
        } else if let error = error as? ConfigurationFault {
            self.lines = ["\(error). See \(invocation.help)"]
            self.code = 2
        } else {
            self.lines = ["\(error)"]
            self.code = 1
        }
    }

    func exit() -> Never {
        guard self.isAnswer else {
            // If nobody reads the log, a line behind it would keep the process from its end.
            guard LogWriter.standardError.flush() else { Glibc.exit(self.code) }
            for line in self.lines { self.report(line) }
            LogWriter.standardError.flush()
            Glibc.exit(self.code)
        }
        let text = self.lines.map { $0 + "\n" }.joined()
        guard let fault = StandardFile.output.write(text) else { Glibc.exit(self.code) }
        StandardFile.error.report(.error, "\(fault)")
        Glibc.exit(1)
    }

    private func report(_ line: String) {
        switch self.format {
        // A token in the place of a name is a likely mistake.
        case .text: StandardFile.error.report(self.level, Secrets.hidden(in: line))
        case .json:
            let logger = Logger(label: "racd") { self.format.makeHandler(label: $0, threshold: LogThreshold()) }
            logger.log(level: self.level, "\(line)")
        }
    }

    private static func sentence(_ error: any Error, _ invocation: Invocation) -> String {
        let reason = Self.reason(error, invocation)
        return reason.last == "?" ? reason : "\(reason)."
    }

    /// The parser's reason; it names the variable if the option at fault came from one.
    private static func reason(_ error: any Error, _ invocation: Invocation) -> String {
        let message = invocation.root.message(for: error)
        let reason = message.last == "." ? String(message.dropLast()) : message
        let variables = invocation.variables.filter { reason.contains("--\($0.option) ") }
        guard variables.count > 1 else { return variables.first.map { "\(reason) (from \($0.name))" } ?? reason }
        return variables.reduce(reason) { $0.replacing("--\($1.option) ", with: "\($1.name) ") }
    }
}
