import RacConnection
import RacProtocol

/// JSON objects, one on each line of what is read; empty lines are passed over.
struct ObjectLines {
    private let input: LineInput
    private var number = 0

    init(_ input: LineInput) {
        self.input = input
    }

    /// The next object; nil at the end.
    mutating func next() async throws(CommandFailure) -> ObjectLine? {
        while let line = await self.input.next() {
            self.number += 1
            switch line {
            case .text(let text):
                guard text.contains(where: { !$0.isWhitespace }) else { continue }
                return try ObjectLine(number: self.number, text)
            case .tooLong: throw Self.failure(self.number, "is too long")
            case .notUTF8: throw Self.failure(self.number, "is not UTF-8")
            case .unreadable(let failure): throw FileInput.cannotRead(self.input.name, failure)
            }
        }
        return nil
    }

    static func failure(_ number: Int, _ reason: String) -> CommandFailure {
        CommandFailure(.other, code: "input", "line \(number) \(reason)")
    }
}

/// One JSON object and where it stood.
struct ObjectLine {
    let number: Int
    let byteCount: Int
    private let envelope: Envelope

    fileprivate init(number: Int, _ text: String) throws(CommandFailure) {
        self.number = number
        self.byteCount = text.utf8.count
        do {
            self.envelope = try Envelope(text)
        } catch {
            throw ObjectLines.failure(number, Self.reason(error))
        }
    }

    /// To the protocol the object is a message.
    private static func reason(_ error: MessageError) -> String {
        let (message, subject) = (error.error.message, "the message ")
        return message.hasPrefix(subject) ? String(message.dropFirst(subject.count)) : "is not right: \(message)"
    }

    /// Makes something of the object's members.
    func read<Made>(_ make: (borrowing Envelope) throws(MessageError) -> Made) throws(CommandFailure) -> Made {
        do {
            return try make(self.envelope)
        } catch {
            throw ObjectLines.failure(self.number, Self.reason(error))
        }
    }
}
