import ArgumentParser

/// The name of a context, which is also the name of its file.
struct ContextName: Hashable, Comparable, CustomStringConvertible {
    /// The context that is always there: the daemon of this machine, without a token.
    static let standard = Self(known: "default")

    private static let maximumBytes = 64

    let description: String

    private init(known text: String) {
        self.description = text
    }

    /// - Throws: `ValidationError` with the rule that the text breaks.
    init(_ text: String) throws(ValidationError) {
        let isFit = text.utf8.allSatisfy(Self.isAllowed) && text.utf8.first.map { $0 != UInt8(ascii: ".") } == true
        guard isFit, text.utf8.count <= Self.maximumBytes, text.first != "-" else {
            let rule = "1 to \(Self.maximumBytes) letters, digits and -_. and begins with none of - and ."
            throw ValidationError("a context's name has \(rule)")
        }
        self.init(known: text)
    }

    static func < (left: Self, right: Self) -> Bool { left.description < right.description }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
