import ArgumentParser
import RacServer

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies the values of a data folder to a file, while racd runs or not.",
        discussion: "The file is a whole database: put it into an empty data folder as rac.db to restore it."
    )

    @Option(help: DefaultDataFolder.help)
    var data: String?

    @Argument(help: "The file to make; there must be none of that name yet.")
    var file: String

    func run() throws {
        try Server.backup(folder: self.data ?? DefaultDataFolder.path(), to: self.file)
    }
}
