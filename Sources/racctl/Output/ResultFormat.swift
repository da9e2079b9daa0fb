import RacConnection
import RacProtocol

/// How a command writes its results.
struct ResultFormat: Sendable {
    let format: OutputFormat
    /// Takes the place of the format.
    let template: Template?
    /// Whether a value that is a string is written without quotes and escapes.
    let isRaw: Bool

    /// A result in this format; nil if there is nothing to write of it.
    ///
    /// - Parameters:
    ///   - record: The result.
    ///   - text: The result for people.
    /// - Returns: The line.
    func line(_ record: @autoclosure () -> Record, text: @autoclosure () -> String?) -> String? {
        if let template { return template.filled(with: record(), self) }
        switch self.format {
        case .text: return text()
        case .json: return record().json
        case .yaml: return record().yaml
        case .name: return record().name?.characters
        case .value: return record()["value"].map(self.text)
        }
    }

    /// A value for people: JSON on one line, or the characters of a string.
    func text(of value: JSONText) -> String {
        guard self.isRaw, let characters = value.characters else { return value.onOneLine }
        return Descriptors.output.isTerminal ? characters.printable : characters
    }
}

extension Record {
    /// The name of what the record is about.
    var name: JSONText? { self["channel"] ?? self["command"] ?? self["context"] }
}

extension String {
    /// The text without control characters other than tabs and line breaks, which could command a terminal.
    fileprivate var printable: String {
        let scalars = self.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t" ? " " : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
