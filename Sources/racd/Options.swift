import ArgumentParser
import Foundation
import Logging
import RacServer

extension ListenAddress: ExpressibleByArgument {
    /// Reads the argument of `--listen`.
    package init?(argument: String) {
        self.init(argument)
    }

    /// The argument that gives the default value.
    package var defaultValueDescription: String { self.description }
}

extension ServerConfiguration.Durability: ExpressibleByArgument {}

enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json

    func makeHandler(label: String) -> any LogHandler {
        switch self {
        case .text: StreamLogHandler.standardError(label: label)
        case .json: JSONLogHandler(label: label)
        }
    }
}

/// The default data folder: a folder in the user's state folder (XDG Base Directory Specification).
enum DefaultDataFolder {
    static let help = ArgumentHelp(
        "The folder that keeps the values. (default: $XDG_STATE_HOME/rac, else ~/.local/state/rac)",
        valueName: "dir"
    )

    static func path() throws -> String {
        let environment = ProcessInfo.processInfo.environment
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/rac" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw ValidationError("there is no HOME to keep values in: name a folder with --data")
        }
        return home + "/.local/state/rac"
    }
}
