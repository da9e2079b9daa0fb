import RacClient
import RacServer

/// Texts that people write into options, one a line: what is taken is shown as something that means the same.
enum OptionTarget {
    static func run(_ input: [UInt8]) throws {
        for line in String(decoding: input, as: UTF8.self).split(separator: "\n") {
            try Self.listen(String(line))
            try Self.daemon(String(line))
        }
    }

    private static func listen(_ text: String) throws {
        guard let address = ListenAddress(text) else { return }
        guard ListenAddress(address.description) == address else { throw Finding("\(text) is shown as \(address)") }
        if let (host, port) = address.place {
            guard !host.isEmpty, (0...65_535).contains(port) else { throw Finding("\(text) is taken as \(address)") }
        }
        _ = address.isLocal
    }

    private static func daemon(_ text: String) throws {
        guard let address = try? DaemonAddress(text) else { return }
        switch address {
        case .tcp(let host, let port):
            guard !host.isEmpty, (1...65_535).contains(port) else { throw Finding("\(text) is taken as \(address)") }
            guard try DaemonAddress("rac://\(address)") == address else {
                throw Finding("\(text) is shown as \(address)")
            }
        case .tls(let host, let port):
            guard !host.isEmpty, (1...65_535).contains(port), try DaemonAddress(address.description) == address else {
                throw Finding("\(text) is taken as \(address)")
            }
        case .unix:
            guard try DaemonAddress(address.description) == address else {
                throw Finding("\(text) is shown as \(address)")
            }
        }
    }
}
