/// The name of a host, as a certificate has to mean it.
///
/// Semantics: RFC 9525, section 6.3.
package struct HostName: Hashable, Sendable {
    private let labels: [Substring]

    package init(_ text: String) {
        self.labels = Self.labels(text)
    }

    /// Whether a name in a certificate means the host.
    ///
    /// Its first label may be a `*`, which stands for one whole label.
    package func isMeant(by name: String) -> Bool {
        let labels = Self.labels(name)
        guard labels.count == self.labels.count, !labels.isEmpty else { return false }
        let isWild = labels[0] == "*" && labels.count > 2
        return zip(labels, self.labels).dropFirst(isWild ? 1 : 0).allSatisfy { $0 == $1 }
    }

    /// The labels in lower case; a last dot means nothing.
    private static func labels(_ text: String) -> [Substring] {
        let labels = text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        return labels.last == "" ? labels.dropLast() : labels
    }
}
