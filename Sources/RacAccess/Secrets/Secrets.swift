/// Keeps tokens out of texts for people, wherever somebody has put one.
package enum Secrets {
    /// The beginning of each token of ours.
    static let tokenPrefix = "rac_"

    /// A text in which three dots stand for each token of ours.
    package static func hidden(in text: String) -> String {
        guard text.contains(Self.tokenPrefix) else { return text }
        return text.replacing(/rac_[A-Za-z0-9_-]{8,}/, with: "\(Self.tokenPrefix)…")
    }
}
