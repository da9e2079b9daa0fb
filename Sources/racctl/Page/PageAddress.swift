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
    /// - Throws: ``CommandFailure`` if the daemon's code is none: a terminal and a browser see the address.
    func url(code: String?, channel: ChannelName?) throws(CommandFailure) -> String {
        guard code?.utf8.allSatisfy(Self.isOfCode) != false, code != "" else {
            let message = "racd's code for the page has other signs than A-Z, a-z, 0-9, _ and -"
            throw CommandFailure(.other, code: "bad-answer", message)
        }
        let parts = [
            code.map { "sign-in=\($0)" }, channel.map { "channels/\($0.text.utf8.map(Self.escaped).joined())" },
        ]
        let fragment = parts.compactMap(\.self).joined(separator: "/")
        return "\(self.isSecure ? "https" : "http")://\(self.host)/\(fragment.isEmpty ? "" : "#\(fragment)")"
    }

    private static func isOfCode(_ byte: UInt8) -> Bool {
        Self.isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// A byte of a name, with a percent sign unless it means the same everywhere.
    private static func escaped(_ byte: UInt8) -> String {
        guard Self.isAlphanumeric(byte) || "-._~/".utf8.contains(byte) else {
            return (byte < 16 ? "%0" : "%") + String(byte, radix: 16).uppercased()
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
