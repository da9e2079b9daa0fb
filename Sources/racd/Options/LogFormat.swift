import ArgumentParser
import Logging
import RacServer

extension ServerConfiguration.Durability: ExpressibleByArgument {}

/// The form of log entries, and of the ready line.
enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json

    func makeHandler(label: String) -> any LogHandler {
        switch self {
        case .text: TextLogHandler()
        case .json: JSONLogHandler(label: label)
        }
    }
}
