import Dispatch
import Glibc
import RacConnection
import RacProtocol

/// The source of a value, as written on the command line: the argument itself, `-` or `@FILE`.
struct ValueSource: Sendable {
    private static let maximumBytes = 1 << 30
    private static let chunkBytes = 1 << 20

    let argument: String
    /// The name of the argument in messages.
    var name = "the value"

    /// Reads the value: a file's text counts without the line break at its end.
    ///
    /// An empty text is no value, because a program that failed or a variable that nobody set writes one. --string asks
    /// for the empty string.
    func value(_ options: ValueOptions) async throws(CommandFailure) -> JSONText {
        guard self.argument == "-" || self.argument.first == "@" else {
            guard !self.argument.isEmpty || options.string else {
                throw CommandFailure(.usage, code: "usage", "\(self.name) is empty: write '\"\"' for the empty string")
            }
            return try options.argument(self.argument, called: self.name)
        }
        guard self.argument != "@" else {
            throw CommandFailure(.usage, code: "usage", "a file name is missing behind @")
        }
        let file = self.argument == "-" ? "standard input" : String(self.argument.dropFirst())
        let text = try await self.text(of: file)
        guard !text.isEmpty || options.string else {
            throw CommandFailure(.other, code: "input", "\(file) is empty: --string takes it as the empty string")
        }
        do {
            return try options.value(text)
        } catch {
            throw CommandFailure(error, at: .other, "\(file) \(error.reason)")
        }
    }

    /// Reads on a thread of its own, since reading blocks.
    private func text(of name: String) async throws(CommandFailure) -> String {
        let result = AwaitedResult<Result<String, CommandFailure>>()
        DispatchQueue(label: "racctl.value").async {
            result.resolve(Result { () throws(CommandFailure) in try self.readText(of: name) })
        }
        guard let text = await result.value() else { throw .interrupted }
        return try text.get()
    }

    private func readText(of name: String) throws(CommandFailure) -> String {
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
