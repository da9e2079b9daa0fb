import RacConnection

/// A daemon, and how to be known there, as its file has them: lines of `key = value`.
struct Context: Equatable {
    /// The keys of a file.
    enum Key: String, CaseIterable {
        case server
        case tokenFile = "token-file"
        case authority = "ca"
        case certificate = "cert"
        case key
    }

    /// Where racd listens, as a person wrote it.
    var server: String
    /// The path of the file with the token; nil for none.
    var tokenFile: String?
    var files = TLSFiles()

    init(server: String, tokenFile: String? = nil, files: TLSFiles = TLSFiles()) {
        self.server = server
        self.tokenFile = tokenFile
        self.files = files
    }

    /// Reads the text of a file; throws ``ContextFault`` with the line and what would be right.
    init(text: String) throws(ContextFault) {
        var values: [Key: String] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            guard let (word, value) = Self.parts(of: line) else {
                if line.allSatisfy(\.isWhitespace) || line.first == "#" { continue }
                throw ContextFault("line \(index + 1) is not of the form `key = value`")
            }
            guard let key = Key(rawValue: word) else {
                let known = Key.allCases.map(\.rawValue).joined(separator: ", ")
                throw ContextFault("line \(index + 1) has the unknown key '\(word)': there are \(known)")
            }
            guard values.updateValue(value, forKey: key) == nil else {
                throw ContextFault("line \(index + 1) has the key '\(word)' again")
            }
        }
        guard let server = values[.server] else { throw ContextFault("the key 'server' is missing") }
        let files = TLSFiles(authority: values[.authority], certificate: values[.certificate], key: values[.key])
        self.init(server: server, tokenFile: values[.tokenFile], files: files)
    }

    private static func parts(of line: Substring) -> (key: String, value: String)? {
        guard line.first != "#", let sign = line.firstIndex(of: "=") else { return nil }
        let (key, value) = (Self.trimmed(line[..<sign]), Self.trimmed(line[line.index(after: sign)...]))
        return key.isEmpty || value.isEmpty ? nil : (key, value)
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" || $0 == "\r" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\r" }.reversed())
    }

    /// The text of its file.
    var text: String {
        self.values.map { "\($0.key.rawValue) = \($0.value)\n" }.joined()
    }

    private var values: [(key: Key, value: String)] {
        Key.allCases.compactMap { key in
            let value: String? =
                switch key {
                case .server: self.server
                case .tokenFile: self.tokenFile
                case .authority: self.files.authority
                case .certificate: self.files.certificate
                case .key: self.files.key
                }
            return value.map { (key, $0) }
        }
    }
}

/// The fault of a context's file, as a sentence.
struct ContextFault: Error, Equatable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
