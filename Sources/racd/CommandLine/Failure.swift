import ArgumentParser
import Glibc
import RacAccess
import RacConfiguration

/// The end of the program after an error, or after help: the text, and the exit code that the help documents.
struct Failure {
    private let text: String
    private let code: Int32
    private let isAnswer: Bool

    init(_ error: any Error, of invocation: Invocation) {
        let parserCode = invocation.root.exitCode(for: error)
        self.isAnswer = parserCode == .success
        if self.isAnswer {
            self.text = invocation.root.fullMessage(for: error)
            self.code = 0
        } else if parserCode == .validationFailure {
            self.text = "racd: \(Self.sentence(error, invocation)) See \(invocation.help)"
            self.code = 2
        } else if let status = error as? ExitCode {
            // The command has said all on standard output.
            self.text = ""
            self.code = status.rawValue
        } else if let error = error as? ConfigurationError {
            self.text = error.lines.map { "racd: \($0)" }.joined(separator: "\n")
            self.code = 2
        } else if let error = error as? ConfigurationFault {
            self.text = "racd: \(error). See \(invocation.help)"
            self.code = 2
        } else {
            self.text = "racd: \(error)"
            self.code = 1
        }
    }

    func exit() -> Never {
        let line = self.text.isEmpty ? "" : self.text + "\n"
        guard self.isAnswer else {
            // A token in the place of a name is a likely mistake.
            StandardFile.error.write(Secrets.hidden(in: line))
            Glibc.exit(self.code)
        }
        guard let fault = StandardFile.output.write(line) else { Glibc.exit(self.code) }
        StandardFile.error.write("racd: \(fault)\n")
        Glibc.exit(1)
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
