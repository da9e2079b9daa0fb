import ArgumentParser
import Logging
import RacConfiguration
import RacServer

extension ServerConfiguration.Durability: ExpressibleByArgument {}

extension LogFormat: ExpressibleByArgument {
    /// Makes a handler whose level is that of a threshold.
    func makeHandler(label: String, threshold: LogThreshold) -> any LogHandler {
        switch self {
        case .text: TextLogHandler(threshold: threshold, reader: .present)
        case .json: JSONLogHandler(label: label, threshold: threshold, reader: .present)
        }
    }
}
