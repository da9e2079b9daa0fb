import FoundationEssentials
import RacConfiguration
import RacProtocol
import RacServer

/// The line on standard output that says that racd listens, and where.
struct ReadyLine {
    let addresses: [ListeningAddress]
    /// The name of racd's host; nil if the configuration has none.
    let hostName: String?
    /// The data folder; nil if racd keeps nothing.
    let folder: String?
    /// Whether racd speaks HTTP.
    let hasConsole: Bool

    func text(_ format: LogFormat) -> String {
        switch format {
        case .text: self.words
        case .json: self.object
        }
    }

    /// The addresses of the machine on which racd listens.
    private var places: [ListenAddress] { self.addresses.flatMap(\.places) }

    /// The addresses for clients, by their names: a certificate is for a name.
    private var clientAddresses: [ListenAddress] {
        self.addresses.map { $0.configured.reachable(by: self.hostName) }
    }

    /// The folder comes last, because its path may have spaces.
    private var words: String {
        let places = self.places.flatMap { address in
            switch address {
            case .tcp: ["tcp=\(address.text)"]
            case .tls: ["tls=\(address.text)"]
            case .either: ["tcp=\(address.text)", "tls=\(address.text)"]
            case .unix: ["unix=\(address.text)"]
            }
        }
        let url = self.clientAddresses.first.map { ["url=\(self.url($0))"] } ?? []
        let console = self.console.map { ["console=\($0)"] } ?? []
        return (["racd ready"] + places + url + console + ["data=\(self.folder ?? "memory")"]).joined(separator: " ")
    }

    private var object: String {
        let plain = self.places.filter(\.hasPlain)
        let (tcp, unix) = (plain.filter { $0.place != nil }, plain.filter { $0.place == nil })
        let tls = self.places.filter(\.hasTLS)
        func array(_ texts: [String]) -> String {
            "[\(texts.map { "\(JSONText.string($0))" }.joined(separator: ","))]"
        }
        let urls = array(self.clientAddresses.map(self.url))
        let folder = self.folder.map { "\(JSONText.string($0))" } ?? "null"
        let console = self.console.map { "\(JSONText.string($0))" } ?? "null"
        let places = [("tcp", tcp), ("tls", tls), ("unix", unix)].map { #""\#($0)":\#(array($1.map(\.text)))"# }
        return
            #"{"event":"ready",\#(places.joined(separator: ",")),"urls":\#(urls),"console":\#(console),"data":\#(folder)}"#
    }

    /// The address of the page, as a browser takes it; nil if racd speaks no HTTP, or only on Unix sockets.
    private var console: String? {
        guard self.hasConsole, let address = self.clientAddresses.first(where: { $0.place != nil }) else { return nil }
        return "\(address.hasPlain ? "http" : "https")://\(address.text)/"
    }

    /// The address as `--server` of racctl takes it from any folder.
    private func url(_ address: ListenAddress) -> String {
        switch address {
        case .tcp, .either: "rac://\(address.text)"
        case .tls: "racs://\(address.text)"
        case .unix(let path) where path.hasPrefix("/"): "unix:\(path)"
        case .unix(let path): "unix:\(FileManager.default.currentDirectoryPath)/\(path)"
        }
    }
}
