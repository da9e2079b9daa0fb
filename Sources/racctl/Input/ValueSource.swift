import Glibc
import RacConnection
import RacProtocol

/// The source of the value of `set`, as written on the command line: the argument itself, `-` or `@FILE`.
struct ValueSource {
    private static let maximumBytes = 1 << 30
    private static let chunkBytes = 1 << 20

    let argument: String

    /// Reads the text, without the line break at the end of a file.
    func text() throws(CommandFailure) -> String {
        if self.argument == "-" { return try Self.text(of: Descriptors.input, called: "standard input") }
        guard self.argument.first == "@" else { return self.argument }
        let path = String(self.argument.dropFirst())
        let file = try FileInput.open(path)
        defer { close(file.number) }
        return try Self.text(of: file, called: path)
    }

    private static func text(of file: Descriptor, called name: String) throws(CommandFailure) -> String {
        var bytes: [UInt8] = []
        while true {
            guard let chunk = file.read(upTo: Self.chunkBytes) else { throw FileInput.cannotRead(name) }
            if chunk.isEmpty { break }
            bytes += chunk
            guard bytes.count <= Self.maximumBytes else {
                throw CommandFailure(.limit, code: "too-large", "\(name) is too long for a value")
            }
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.other, code: "input", "\(name) is not UTF-8")
        }
        return text
    }
}

extension JSONText {
    /// The value of a person's text: JSON is JSON unless a string is wanted, anything else a string.
    init(written text: String, isString: Bool) {
        self = isString ? .string(text) : (try? JSONText(text)) ?? .string(text)
    }
}
