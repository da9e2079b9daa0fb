import FoundationEssentials
import Glibc
import LoadGenerator

/// A file that every single measurement is appended to, one JSON object in each line.
final class JSONLines {
    /// The machine and versions of the lines that follow.
    struct Setting: Encodable {
        var about: [String]
        /// By peer and purpose.
        var settings: [String: [String: String]]
    }

    /// One measurement of one round.
    struct Measurement: Encodable {
        var work: String
        var cell: String
        var peer: String
        var round: Int
        var figures: [String: Double]
    }

    private let descriptor: Int32
    private let encoder: JSONEncoder

    init(path: String) throws {
        self.descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard self.descriptor >= 0 else {
            throw SetupError("\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
        self.encoder = JSONEncoder()
        self.encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    deinit {
        close(self.descriptor)
    }

    func append(_ line: some Encodable) throws {
        Output.write(
            String(decoding: try self.encoder.encode(line), as: UTF8.self) + "\n",
            to: self.descriptor
        )
    }
}
