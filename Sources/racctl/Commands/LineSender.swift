import RacConnection

/// Sends lines into a binding.
struct LineSender: Sendable {
    let binding: ChannelBinding
    let input: LineInput
    /// Where the lines come from, for messages.
    let source: String
    let values: ValueOptions
    let format: OutputFormat

    /// Returns at the end of the input, or when nothing can be sent any more: the binding tells why.
    func sendAll() async {
        var number = 0
        while !Task.isCancelled, let line = await self.input.next() {
            number += 1
            switch line {
            case .text(let text):
                guard await self.send(text) else { return }
            case .tooLong: self.skip(number, "is too long")
            case .notUTF8: self.skip(number, "is not UTF-8")
            }
        }
    }

    /// Says whether more can be sent.
    private func send(_ text: String) async -> Bool {
        do {
            try await self.binding.send(self.values.value(text))
            return true
        } catch  where error.code == .tooLarge {
            var failure = CommandFailure(error)
            failure.report(as: self.format)
            return true
        } catch {
            return false
        }
    }

    private func skip(_ number: Int, _ reason: String) {
        let message = "line \(number) of \(self.source) \(reason) and was not sent"
        var failure = CommandFailure(.other, code: "input", message)
        failure.report(as: self.format)
    }
}
