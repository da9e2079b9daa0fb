import ArgumentParser
import FoundationEssentials

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
