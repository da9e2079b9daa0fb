import ArgumentParser
import FoundationEssentials
import RacConfiguration

/// The configuration file that a command reads: the one that is named, or the standard one if it is there.
enum ConfigurationPath {
    static let help = ArgumentHelp(
        "The configuration file. (default: \(ConfigurationFile.standardPath), if it is there)",
        valueName: "file"
    )

    /// Reads the file; nil if none is named and the standard one is not there.
    static func read(_ named: String?) throws -> ConfigurationFile? {
        guard named?.isEmpty != true else { throw ValidationError("--config is empty") }
        let standard = ConfigurationFile.standardPath
        let path = named ?? (FileManager.default.fileExists(atPath: standard) ? standard : nil)
        return try path.map { try ConfigurationFile(path: $0) }
    }

    /// Reads the file, which has to be there.
    static func readExisting(_ named: String?) throws -> ConfigurationFile {
        guard let file = try self.read(named) else {
            throw ValidationError("there is no \(ConfigurationFile.standardPath): name another file by --config FILE")
        }
        return file
    }
}
