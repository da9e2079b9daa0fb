import ArgumentParser
import FoundationEssentials
import Glibc
import RacConfiguration
import RacServer

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies the values of a data folder to a file.",
        usage: "racd backup [--data <dir>] [--config <file>] [--replace] <file>",
        discussion: """
            The copy is the state of one moment; racd may run meanwhile or not. It is a \
            whole database: put it into an empty data folder as rac.db to restore it. \
            If racd has changes that its disk does not take, the copy lacks them: the exit \
            status is then 1.

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

    @Flag(help: "Replace the file if it exists, once the copy is complete.")
    var replace = false

    @Argument(help: "The file to make, which must not exist yet without --replace; - is standard output.")
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
        guard self.file == "-" else {
            return try Self.check(try Server.backup(folder: folder, to: self.file, replaces: self.replace))
        }
        guard !self.replace else { throw ValidationError("--replace is for a file, and - is standard output") }
        guard !StandardFile.output.isTerminal else {
            throw ValidationError("a database is not for a terminal: name a file, or redirect standard output")
        }
        try Self.check(try Self.write(folder))
    }

    /// A copy that lacks changes is there, but nobody should rely on it.
    private static func check(_ hasAll: Bool) throws {
        guard !hasAll else { return }
        throw StandardFile.Fault(description: "racd has changes that wait for its disk, and the copy lacks them")
    }

    private func folder() throws -> String {
        if let data { return data }
        let configuration = Configuration(file: try ConfigurationPath.read(self.config))
        guard let folder = try configuration.folder() else {
            throw ValidationError("a racd of this configuration keeps nothing: name a folder with --data")
        }
        return folder
    }

    /// Writes a backup to standard output by way of a file, which needs a name until it is open; false if it lacks changes.
    private static func write(_ folder: String) throws -> Bool {
        let place = FileManager.default.temporaryDirectory.appending(path: "racd-backup-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        let hasAll = try Server.backup(folder: folder, to: place.path)
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
            guard count > 0 else { return hasAll }
            if let fault = StandardFile.output.write(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { throw fault }
        }
    }
}

extension Backup: ConfiguredByVariables {
    static var variables: [OptionVariable] { [OptionVariable("data"), OptionVariable("config")] }
}
