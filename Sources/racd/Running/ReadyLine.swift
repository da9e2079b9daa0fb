import Foundation
import RacConfiguration
import RacProtocol
import RacServer

/// The line on standard output that tells that racd listens, and where.
struct ReadyLine {
    let addresses: [ListenAddress]
    /// The data folder; nil if racd keeps nothing.
    let folder: String?

    func text(_ format: LogFormat) -> String {
        switch format {
        case .text: self.words
        case .json: self.object
        }
    }

    /// The folder comes last, because its path may have spaces.
    private var words: String {
        let places = self.addresses.map { address in
            switch address {
            case .tcp: "tcp=\(address)"
            case .unix(let path): "unix=\(path)"
            }
        }
        let url = self.addresses.first.map { ["url=\(self.url($0))"] } ?? []
        return (["racd ready"] + places + url + ["data=\(self.folder ?? "memory")"]).joined(separator: " ")
    }

    private var object: String {
        let tcp = self.addresses.compactMap { if case .tcp = $0 { "\($0)" } else { nil } }
        let unix = self.addresses.compactMap { if case .unix(let path) = $0 { path } else { nil } }
        func array(_ texts: [String]) -> String {
            "[\(texts.map { "\(JSONText.string($0))" }.joined(separator: ","))]"
        }
        let urls = array(self.addresses.map(self.url))
        let folder = self.folder.map { "\(JSONText.string($0))" } ?? "null"
        return #"{"event":"ready","tcp":\#(array(tcp)),"unix":\#(array(unix)),"urls":\#(urls),"data":\#(folder)}"#
    }

    /// The address as `--server` of racctl takes it from any folder.
    private func url(_ address: ListenAddress) -> String {
        switch address {
        case .tcp: "rac://\(address)"
        case .unix(let path) where path.hasPrefix("/"): "unix:\(path)"
        case .unix(let path): "unix:\(FileManager.default.currentDirectoryPath)/\(path)"
        }
    }
}
