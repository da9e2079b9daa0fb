import Glibc
import RacConnection

/// Files named on the command line; `-` is standard input.
enum FileInput {
    static func lines(of path: String) throws(CommandFailure) -> LineInput {
        guard path != "-" else { return .standard }
        return LineInput(of: try Self.open(path), called: path, closing: true)
    }

    /// Opens a file for reading; the caller closes it.
    static func open(_ path: String) throws(CommandFailure) -> Descriptor {
        let number = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw Self.cannotRead(path, SystemFailure(number: errno)) }
        return Descriptor(number: number)
    }

    static func cannotRead(_ name: String, _ failure: SystemFailure) -> CommandFailure {
        CommandFailure(.other, code: "input", "cannot read \(name): \(failure.reason)")
    }
}
