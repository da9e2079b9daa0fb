import ArgumentParser
import Logging
import RacConfiguration
import RacServer

extension ServerConfiguration.Durability: ExpressibleByArgument {}

extension LogFormat: ExpressibleByArgument {
    func makeHandler(label: String) -> any LogHandler {
        switch self {
        case .text: TextLogHandler()
        case .json: JSONLogHandler(label: label)
        }
    }
}
