import Glibc
import RacConnection
import RacProtocol

/// The source of the value of `set`, as written on the command line: the argument itself, `-` or `@FILE`.
struct ValueSource {
    private static let maximumBytes = 1 << 30
    private static let chunkBytes = 1 << 20

    let argument: String

    /// Reads the value: a file's text counts without the line break at its end.
    ///
    /// An empty file is no value, because a program that failed has written one; an empty string is asked for by --string.
    func value(_ options: ValueOptions) throws(CommandFailure) -> JSONText {
        guard self.argument == "-" || self.argument.first == "@" else {
            return try options.argument(self.argument, called: "the value")
        }
        let name = self.argument == "-" ? "standard input" : String(self.argument.dropFirst())
        let text = try self.text(of: name)
        guard !text.isEmpty || options.string else {
            throw CommandFailure(.other, code: "input", "\(name) is empty: --string takes it as the empty string")
        }
        do {
            return try options.value(text)
        } catch {
            throw CommandFailure(.other, code: "input", "\(name) \(error.reason)")
        }
    }

    private func text(of name: String) throws(CommandFailure) -> String {
        guard self.argument != "-" else { return try Self.text(of: Descriptors.input, called: name) }
        let file = try FileInput.open(name)
        defer { close(file.number) }
        return try Self.text(of: file, called: name)
    }

    private static func text(of file: Descriptor, called name: String) throws(CommandFailure) -> String {
        var bytes: [UInt8] = []
        while true {
            let chunk = try Self.chunk(of: file, called: name)
            if chunk.isEmpty { break }
            bytes += chunk
            guard bytes.count <= Self.maximumBytes else {
                throw CommandFailure(.limit, code: "too-large", "\(name) is too long for a value")
            }
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.other, code: "input", "\(name) is not UTF-8")
        }
        return text
    }

    private static func chunk(of file: Descriptor, called name: String) throws(CommandFailure) -> [UInt8] {
        do {
            return try file.read(upTo: Self.chunkBytes)
        } catch {
            throw FileInput.cannotRead(name, error)
        }
    }
}
