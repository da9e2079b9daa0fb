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
        // The lines of a cancelled command are not all of them.
        guard !Task.isCancelled else { throw .interrupted }
        return nil
    }

    static func failure(_ number: Int, _ reason: String) -> CommandFailure {
        CommandFailure(.other, code: "input", "line \(number)\(reason.first == ":" ? "" : " ")\(reason)")
    }
}

/// One JSON object and where it stood.
struct ObjectLine {
    let number: Int
    let byteCount: Int
    private let envelope: Envelope
    private let keys: [String]

    fileprivate init(number: Int, _ text: String) throws(CommandFailure) {
        self.number = number
        self.byteCount = text.utf8.count
        do {
            self.envelope = try Envelope(text)
        } catch {
            throw ObjectLines.failure(number, Self.reason(error))
        }
        self.keys = JSONTree.keys(of: text)
    }

    /// To the protocol the object is a message.
    private static func reason(_ error: MessageError) -> String {
        let (message, subjects) = (error.error.message, ["the message ", "the key "])
        guard let subject = subjects.first(where: message.hasPrefix) else { return "is not right: \(message)" }
        let rest = message.dropFirst(subject.count)
        return subject == "the message " ? String(rest) : ": \(rest.split(separator: ": it must be", maxSplits: 1)[0])"
    }

    /// Makes something of the object's members.
    ///
    /// A misspelt key would change the meaning of the line silently, so that each key has to be known.
    ///
    /// - Parameters:
    ///   - known: The keys that the line may have.
    ///   - make: Reads the members.
    /// - Returns: The result of `make`.
    /// - Throws: ``CommandFailure`` that names the line.
    func read<Made>(
        _ known: [Key],
        _ make: (borrowing Envelope) throws(MessageError) -> Made
    ) throws(CommandFailure) -> Made {
        let words = known.map(\.text)
        if let key = self.keys.first(where: { !words.contains($0) }) {
            let help = words.map { "\"\($0)\"" }.joined(separator: ", ")
            throw ObjectLines.failure(self.number, ": there is no key \"\(key)\"; there are \(help)")
        }
        do {
            return try make(self.envelope)
        } catch {
            throw ObjectLines.failure(self.number, Self.reason(error))
        }
    }
}
