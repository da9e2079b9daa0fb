package import NIOHTTP1
package import RacProtocol

/// The entity tags of `If-None-Match`: a list, or `*` for any.
///
/// Tags are compared weakly, because a proxy that compresses an answer weakens its tag.
///
/// Semantics: RFC 9110, section 13.1.2.
package enum EntityTags: Equatable, Sendable {
    case any
    /// The tags with quotation marks, without the mark of weak ones.
    case listed([Substring])

    /// Reads the header of a request; nil if there is none.
    package init?(_ head: HTTPRequestHead) {
        let tags = head.headers[canonicalForm: "if-none-match"]
        guard !tags.isEmpty else { return nil }
        self = tags == ["*"] ? .any : .listed(tags.map { $0.hasPrefix("W/") ? $0.dropFirst(2) : $0 })
    }

    /// Whether the tag of a file is among them.
    package func contains(_ tag: String) -> Bool {
        switch self {
        case .any: true
        case .listed(let tags): tags.contains { $0 == tag }
        }
    }

    /// Whether the tag of a revision is among them; a channel without a value has no representation for `*`.
    package func contains(_ revision: Revision) -> Bool {
        self == .any ? revision != .never : self.contains("\"\(revision.number)\"")
    }
}
