import FoundationEssentials

/// A server that can be measured: how it is started, with which settings, and what it speaks.
package struct Peer: Sendable {
    /// The purpose of a started server; each one has settings of its own.
    package enum Purpose: Sendable {
        /// Values of one channel go to everybody else; nothing needs to be kept. So it is with the next two.
        case broadcast
        /// There are so many pairs of connections: the first `pairs` write, each of the others reads one of them.
        case pairs(Int)
        /// Values go to those who asked for their channel.
        case routed
        /// A stored value is on disk before it is acknowledged, as far as the server can do that.
        case durable
        /// Stored values are there again after an orderly end and a new start.
        case kept
    }

    /// How a peer is started for a purpose.
    package struct Setup: Sendable {
        /// Arguments of the program.
        var arguments: [String]
        /// A file of settings, whose path is appended to the arguments.
        var settings: String?
        /// The promise of the others that it lacks; it is left out then where the best is sought.
        package var caveat: String?

        init(_ arguments: [String], settings: String? = nil, caveat: String? = nil) {
            self.arguments = arguments
            self.settings = settings
            self.caveat = caveat
        }
    }

    package let name: String
    /// Whether it is one of those that racd is compared with, and no yardstick.
    package let isRival: Bool
    /// Where the program may be.
    private let programs: [String]
    private let setup: @Sendable (Purpose, UInt16, String) -> Setup?
    let dialect: @Sendable (Int) -> any Dialect

    /// Describes a peer.
    ///
    /// - Parameters:
    ///   - name: The name in tables and options.
    ///   - isRival: Whether racd is compared with it.
    ///   - programs: Paths that the program may have; the first that exists is used.
    ///   - dialect: The client's side of connection number so-and-so.
    ///   - setup: Settings by purpose, port and folder; nil for what the peer has no like of.
    init(
        _ name: String,
        isRival: Bool,
        programs: [String],
        dialect: @escaping @Sendable (Int) -> any Dialect,
        setup: @escaping @Sendable (Purpose, UInt16, String) -> Setup?
    ) {
        self.name = name
        self.isRival = isRival
        self.programs = programs
        self.setup = setup
        self.dialect = dialect
    }

    /// Its settings for a purpose, for people to read; nil if it has no like of that.
    package func setup(for purpose: Purpose) -> Setup? {
        self.setup(purpose, 0, "FOLDER")
    }

    /// The program and its arguments; what it reads from a file is written to `folder`.
    func command(for purpose: Purpose, port: UInt16, folder: String) throws -> [String] {
        guard let program = self.programs.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw SetupError("\(self.name) is not installed: there is no \(self.programs.joined(separator: ", no "))")
        }
        guard let setup = self.setup(purpose, port, folder) else {
            throw SetupError("\(self.name) has no like of this")
        }
        guard let settings = setup.settings else { return [program] + setup.arguments }
        let path = "\(folder)/settings.conf"
        try Data(settings.utf8).write(to: URL(filePath: path))
        return [program] + setup.arguments + [path]
    }
}

extension Peer.Setup: CustomStringConvertible {
    package var description: String {
        let lines = self.settings?.split(separator: "\n").joined(separator: "; ")
        return (self.arguments + [lines].compactMap(\.self)).joined(separator: " ")
    }
}
