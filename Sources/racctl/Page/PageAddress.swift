import RacConnection
import RacProtocol

/// The address of a daemon's page, as a browser takes it.
struct PageAddress {
    /// The daemon's place, which is the header `Host` of the page's requests.
    let host: String
    private let isSecure: Bool

    /// Nil for a Unix socket, which no browser opens.
    init?(_ address: DaemonAddress) {
        switch address {
        case .tcp: self.isSecure = false
        case .tls: self.isSecure = true
        case .unix: return nil
        }
        self.host = address.place
    }

    /// The address, with what the page reads in its fragment, which a browser sends to nobody.
    ///
    /// - Parameters:
    ///   - code: The one-time code by which the page signs in.
    ///   - channel: The channel that the page shows.
    /// - Returns: The address.
    func url(code: String?, channel: ChannelName?) -> String {
        let parts = [
            code.map { "sign-in=\($0)" }, channel.map { "channels/\($0.text.utf8.map(Self.escaped).joined())" },
        ]
        let fragment = parts.compactMap(\.self).joined(separator: "/")
        return "\(self.isSecure ? "https" : "http")://\(self.host)/\(fragment.isEmpty ? "" : "#\(fragment)")"
    }

    /// A byte of a name, with a percent sign unless it means the same everywhere.
    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            break
        default:
            guard "-._~/".utf8.contains(byte) else {
                return (byte < 16 ? "%0" : "%") + String(byte, radix: 16).uppercased()
            }
        }
        return String(UnicodeScalar(byte))
    }
}

extension DaemonAddress {
    /// The host and the port, without the scheme.
    fileprivate var place: String {
        switch self {
        case .tls(let host, let port): "\(DaemonAddress.tcp(host: host, port: port))"
        case .tcp, .unix: "\(self)"
        }
    }
}
