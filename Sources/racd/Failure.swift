import ArgumentParser
import Foundation

/// The end of the program after an error: one line, and the exit code that the help documents.
struct Failure {
    private let text: String
    private let code: Int32
    private let isAnswer: Bool

    init(_ error: any Error, of command: any ParsableCommand.Type) {
        let parserCode = command.exitCode(for: error)
        self.isAnswer = parserCode == .success
        if self.isAnswer {
            self.text = command.fullMessage(for: error)
            self.code = 0
        } else if parserCode == .validationFailure {
            let reason = command.message(for: error)
            self.text = "racd: \(reason.last == "." ? String(reason.dropLast()) : reason): see racd --help"
            self.code = 2
        } else {
            self.text = "racd: \(error)"
            self.code = 1
        }
    }

    func exit() -> Never {
        let output = self.isAnswer ? FileHandle.standardOutput : FileHandle.standardError
        output.write(Data((self.text + "\n").utf8))
        Foundation.exit(self.code)
    }
}
