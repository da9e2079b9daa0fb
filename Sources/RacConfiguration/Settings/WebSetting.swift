/// The keys of the table `[web]`.
package enum WebSetting {
    /// Reads the origin of a page, and throws a line that says what is wrong.
    package static func origin(_ text: String) throws(ConfigurationFault) -> String {
        let host = text.hasPrefix("https://") ? text.dropFirst(8) : text.hasPrefix("http://") ? text.dropFirst(7) : ""
        guard !host.isEmpty, host.utf8.allSatisfy(Self.isOfHost), text == text.lowercased() else {
            let help = "an origin is http:// or https:// and a host, as a browser sends it: https://lab.example"
            throw ConfigurationFault(help)
        }
        return text
    }

    /// Reads a name of the daemon's host, and throws a line that says what is wrong.
    package static func host(_ text: String) throws(ConfigurationFault) -> String {
        guard !text.isEmpty, !text.contains(":"), text.utf8.allSatisfy(Self.isOfHost) else {
            throw ConfigurationFault("a host is a name or an IPv4 address without a port: lab.example")
        }
        return text
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !"/*?#@,;".utf8.contains(byte)
    }
}
