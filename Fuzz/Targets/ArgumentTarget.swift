import ArgumentParser
import RacConfiguration
import RacServer

@testable import racctl
@testable import racd

/// A command line of `racd serve` and of racctl, its words parted by spaces.
///
/// Accepted values lie within the limits, and
/// refusals have a reason.
enum ArgumentTarget {
    private static let options = Dictionary(
        (CommandCatalog(Racctl._dumpHelp())?.subcommands ?? []).map { ($0.name, $0.options) },
        uniquingKeysWith: { first, _ in first }
    )

    static func run(_ input: [UInt8]) throws {
        let arguments = String(decoding: input, as: UTF8.self).split(separator: " ").map(String.init)
        try Self.serve(arguments)
        try Self.racctl(arguments)
    }

    private static func serve(_ arguments: [String]) throws {
        guard let serve = try Self.parsed(arguments, as: ServeOptions.self) else { return }
        let configuration = Configuration(words: .init(serve.settings))
        let isReachable = configuration.listeners.contains(where: \.isOpen)
        let isOpen = (try? configuration.openness()) != nil
        guard (1024...(1 << 30)).contains(configuration.maxFrame),
            (1...1_000_000).contains(configuration.maxConnections), (1...64).contains(configuration.threads),
            !configuration.listeners.isEmpty, !serve.memory || serve.data == nil,
            isOpen == (configuration.isInsecure || !isReachable)
        else { throw Finding("racd serve takes \(arguments)") }
    }

    private static func racctl(_ arguments: [String]) throws {
        let words: [String]
        do {
            words = try CommandWords.arranged(
                arguments,
                subcommands: Racctl.subcommandNames,
                options: { Self.options[$0] }
            )
        } catch {
            guard !error.message.isEmpty else { throw Finding("\(arguments) are refused without a reason") }
            return
        }
        _ = try Self.parsed(words, as: Racctl.self)
    }

    /// The command; nil if the line is refused, which it must not be without a word.
    private static func parsed<Command: ParsableCommand>(
        _ arguments: [String],
        as root: Command.Type
    ) throws -> Command? {
        do {
            return try root.parseAsRoot(arguments) as? Command
        } catch {
            let reason = root.exitCode(for: error) == .success ? root.fullMessage(for: error) : root.message(for: error)
            guard !reason.isEmpty else { throw Finding("\(arguments) are refused without a reason") }
            return nil
        }
    }
}
