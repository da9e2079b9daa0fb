import RacAccess

/// Keeps tokens out of texts for people, wherever somebody has put one.
package enum Secrets {
    /// A text in which three dots stand for each token of ours.
    package static func hidden(in text: String) -> String {
        text.replacing(/rac_[A-Za-z0-9_-]{8,}/, with: "\(NewToken.prefix)…")
    }
}
