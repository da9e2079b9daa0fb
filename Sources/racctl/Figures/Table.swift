import Glibc
import RacConnection
import RacProtocol

/// Lines of columns for people, with a header on a terminal, or lines of JSON.
struct Table {
    private let context: CommandContext
    private let headers: [String]

    /// Takes the columns' headers, with spaces before those of numbers and behind those of texts.
    ///
    /// A header is as wide as its column, and the last column has any width.
    init(_ context: CommandContext, _ headers: [String]) {
        self.context = context
        self.headers = headers
    }

    /// Writes the header if a person reads the lines.
    func begin() async throws {
        guard self.context.format == .text, isatty(STDOUT_FILENO) == 1 else { return }
        let names = self.headers.map { $0.split(separator: " ").joined(separator: " ").uppercased() }
        try await self.context.output.write(self.line(of: names))
    }

    /// Writes a line, of columns or of JSON.
    func write(_ columns: [String], or json: @autoclosure () -> JSONLine) async throws {
        switch self.context.format {
        case .text: try await self.context.output.write(self.line(of: columns))
        case .json: try await self.context.output.write(json().text)
        }
    }

    private func line(of columns: [String]) -> String {
        let aligned = zip(self.headers.dropLast(), columns).map { header, text in
            header.hasPrefix(" ") ? text.aligned(right: header.count) : text.aligned(left: header.count)
        }
        return (aligned + columns.suffix(1)).joined(separator: "  ")
    }
}

extension JSONLine {
    /// The client of a connection.
    mutating func add(_ client: ConnectedClient) {
        self.add("connection", .integer(Int(clamping: client.connection)))
        self.add("agent", client.agent.map(JSONText.string))
    }
}
