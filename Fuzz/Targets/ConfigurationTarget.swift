import RacAccess
import RacConfiguration

/// A text as racd's configuration file, and as its token file.
///
/// Refusals have a line for each fault and show no token; accepted
/// settings and tokens are written as a text that means the same.
enum ConfigurationTarget {
    static func run(_ input: [UInt8]) throws {
        guard let text = String(validating: input, as: UTF8.self) else { return }
        try Self.configuration(text)
        try Self.tokens(text)
    }

    private static func configuration(_ text: String) throws {
        guard
            let file = try Self.read({ () throws(ConfigurationError) in try ConfigurationFile(text: text, path: "f") })
        else { return }
        guard (try file.access.policy() != nil) == file.access.isClosed else {
            throw Finding("the policy is not there")
        }
        let lines = Self.listing(file)
        // A listing leaves tokens out, and a principal without any proof is refused.
        let isListed = file.access.principals.allSatisfy { $0.tokens.isEmpty } || file.access.tokenFile != nil
        guard isListed else { return }
        let again: ConfigurationFile
        do {
            again = try ConfigurationFile(text: lines.joined(separator: "\n"), path: "f")
        } catch {
            throw Finding("the listing is refused: \(error)")
        }
        guard Self.values(Self.listing(again)) == Self.values(lines) else {
            throw Finding("\(lines) are read otherwise")
        }
    }

    private static func listing(_ file: ConfigurationFile) -> [String] {
        let configuration = Configuration(file: file)
        guard case .folder(let path) = configuration.storage else {
            return ConfigurationListing(configuration, folder: nil).lines
        }
        return ConfigurationListing(configuration, folder: path).lines
    }

    /// The lines without those that are comments, and without the sources.
    private static func values(_ lines: [String]) -> [Substring] {
        lines.filter { !$0.hasPrefix("#") }.map { line in
            guard line.hasSuffix("# default") || line.hasSuffix("# file f") else { return line[...] }
            return line.prefix(upTo: line.lastIndex(of: "#") ?? line.endIndex)
        }
    }

    private static func tokens(_ text: String) throws {
        let file = TokenFile(path: "t")
        guard let tokens = try Self.read({ () throws(ConfigurationError) in try file.tokens(in: text) }) else { return }
        let written = TokenFile.text(of: tokens)
        guard let again = try? file.tokens(in: written), again.map(\.hash) == tokens.map(\.hash),
            again.map(\.name) == tokens.map(\.name), again.map(\.roles) == tokens.map(\.roles),
            TokenFile.text(of: again) == written
        else { throw Finding("the tokens are written as \(written)") }
    }

    /// The result of a reader; nil if it refuses the text, which it must not do without a line for people.
    private static func read<Value>(_ body: () throws(ConfigurationError) -> Value) throws -> Value? {
        do throws(ConfigurationError) {
            return try body()
        } catch {
            guard !error.lines.isEmpty else { throw Finding("a text is refused without a reason") }
            for line in error.lines {
                guard !line.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
                    throw Finding("a fault has more than one line: \(line)")
                }
                guard line.firstMatch(of: /rac_[A-Za-z0-9_-]{16,}/) == nil else {
                    throw Finding("\(line) shows a token")
                }
            }
            return nil
        }
    }
}
