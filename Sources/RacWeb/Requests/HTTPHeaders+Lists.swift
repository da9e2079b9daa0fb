import NIOHTTP1

extension HTTPHeaders {
    /// Whether a header's list has a word.
    func has(_ name: String, _ word: String, ignoringCase: Bool = true) -> Bool {
        self[canonicalForm: name].contains {
            ignoringCase ? $0.lowercased() == word : $0 == word
        }
    }

    /// The weight of a word in a list of preferences, from 0 to 1; nil if the list does not have the word.
    ///
    /// Semantics: RFC 9110, section 12.4.2.
    func weight(_ name: String, of word: String) -> Double? {
        for item in self[canonicalForm: name] {
            let parts = item.lowercased().split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard parts.first == word else { continue }
            return parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
        }
        return nil
    }
}
