package import NIOHTTP1

extension HTTPRequestHead {
    /// The head as the rules read it: header values without white space at their ends, and a target without a host.
    ///
    /// The host of an absolute target takes the place of `Host`.
    ///
    /// Semantics: RFC 9112, sections 3.2.2 and 5.1.
    package var plain: HTTPRequestHead {
        var head = self
        if self.headers.contains(where: { $0.value.hasSpaceAtEnds }) {
            head.headers = HTTPHeaders(self.headers.map { ($0.name, $0.value.withoutSpaceAtEnds) })
        }
        guard self.uri.utf8.first != UInt8(ascii: "/"), let target = AbsoluteTarget(self.uri) else { return head }
        head.uri = target.rest
        head.headers.replaceOrAdd(name: "Host", value: target.host)
        return head
    }
}

/// A target with a scheme and a host, as a client sends it to a proxy.
private struct AbsoluteTarget {
    let host: String
    /// The path and the query.
    let rest: String

    init?(_ uri: String) {
        let scheme = ["http://", "https://"].first { uri.lowercased().hasPrefix($0) }
        guard let scheme else { return nil }
        let behind = uri.dropFirst(scheme.count)
        let host = behind.prefix { $0 != "/" && $0 != "?" }
        let rest = behind.dropFirst(host.count)
        self.host = String(host)
        self.rest = rest.first == "/" ? String(rest) : "/\(rest)"
    }
}

extension String {
    fileprivate var hasSpaceAtEnds: Bool { self.utf8.first.isSpace || self.utf8.last.isSpace }

    fileprivate var withoutSpaceAtEnds: String {
        var bytes = self.utf8[...]
        while bytes.first.isSpace { bytes.removeFirst() }
        while bytes.last.isSpace { bytes.removeLast() }
        return String(Substring(bytes))
    }
}

extension UInt8? {
    fileprivate var isSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
