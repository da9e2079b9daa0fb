import ArgumentParser
import FoundationEssentials
import Glibc
import RacConfiguration
import RacServer

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies the values of a data folder to a file.",
        usage: "racd backup [--data <dir>] [--config <file>] <file>",
        discussion: """
            The copy is the state of one moment; racd may run meanwhile or not. It is a \
            whole database: put it into an empty data folder as rac.db to restore it.

            ENVIRONMENT
            RACD_DATA names the folder unless --data does, and RACD_CONFIG the configuration \
            file unless --config does.

            EXAMPLES
              racd backup /backups/rac-monday.db
              racd backup --data /var/lib/racd - | ssh nas 'cat > rac-monday.db.new'
            """
    )

    @Option(
        help: ArgumentHelp(
            "The folder that keeps the values. (default: that of the configuration file, else that of racd serve)",
            valueName: "dir"
        )
    )
    var data: String?

    @Option(help: ConfigurationPath.help)
    var config: String?

    @Argument(help: "The file to make, which must not exist yet; - is standard output.")
    var file: String

    func validate() throws {
        guard !self.file.isEmpty else {
            throw ValidationError(
                "the file's name is empty: name a file that does not exist yet, or - for standard output"
            )
        }
    }

    func run() throws {
        let folder = try self.folder()
        guard self.file == "-" else { return try Server.backup(folder: folder, to: self.file) }
        guard !StandardFile.output.isTerminal else {
            throw ValidationError("a database is not for a terminal: name a file, or redirect standard output")
        }
        try Self.write(folder)
    }

    private func folder() throws -> String {
        if let data { return data }
        let configuration = Configuration(file: try ConfigurationPath.read(self.config))
        guard let folder = try configuration.folder() else {
            throw ValidationError("a racd of this configuration keeps nothing: name a folder with --data")
        }
        return folder
    }

    /// Writes a backup to standard output by way of a file, which needs a name until it is open.
    private static func write(_ folder: String) throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "racd-backup-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        try Server.backup(folder: folder, to: place.path)
        let file = open(place.path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        try FileManager.default.removeItem(at: place)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count = read(file, buffer.baseAddress, buffer.count)
            guard count >= 0 else {
                throw StandardFile.Fault(description: "cannot read \(place.path): \(String(cString: strerror(errno)))")
            }
            guard count > 0 else { return }
            if let fault = StandardFile.output.write(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { throw fault }
        }
    }
}

extension Backup: ConfiguredByVariables {
    static var variables: [OptionVariable] { [OptionVariable("data"), OptionVariable("config")] }
}
