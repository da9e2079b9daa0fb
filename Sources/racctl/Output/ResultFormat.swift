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

    /// A value on one line of several: JSON, or the characters of a string.
    ///
    /// A string with a tab or a line break stays JSON. It could pass for other fields, or for the line of another channel.
    func text(of value: JSONText) -> String {
        guard self.isRaw, let characters = value.characters, !characters.unicodeScalars.contains(where: \.isDividing)
        else {
            return value.onOneLine
        }
        return characters
    }

    /// A value that is the whole result: JSON on one line, or the characters of a string with all its lines.
    func wholeText(of value: JSONText) -> String {
        self.isRaw ? value.characters ?? value.onOneLine : value.onOneLine
    }
}

extension Record {
    /// The name of what the record is about.
    var name: JSONText? { self["channel"] ?? self["command"] ?? self["context"] }
}

extension Unicode.Scalar {
    /// Whether a program may take the scalar for the end of a field or a line.
    fileprivate var isDividing: Bool {
        switch self.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
