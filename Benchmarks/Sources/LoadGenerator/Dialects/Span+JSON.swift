/// Reading single fields of a message, which is a JSON object, without building it.
///
/// This serves the few fields that a benchmark needs of a server that it trusts to send valid JSON. Invalid text gives
/// nil.
extension Span<UInt8> {
    /// The integer that the top-level field `name` has, in quotes or not.
    package func number(_ name: StaticString) -> Int? {
        guard var index = self.value(of: name) else { return nil }
        if self[index] == UInt8(ascii: "\"") { index += 1 }
        var number = 0
        let first = index
        while index < self.count, self[index] &- 0x30 < 10 {
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            number = tens &+ Int(self[index] &- 0x30)
            index += 1
        }
        return index > first ? number : nil
    }

    /// The string that the top-level field `name` has, with its escapes as they are.
    package func string(_ name: StaticString) -> String? {
        guard let start = self.value(of: name), self[start] == UInt8(ascii: "\"") else { return nil }
        return self.text(start + 1..<self.endOfString(from: start))
    }

    /// Where the string that the top-level field `name` has ends, behind its closing quote.
    func end(ofString name: StaticString) -> Int? {
        guard let start = self.value(of: name), self[start] == UInt8(ascii: "\"") else { return nil }
        return self.endOfString(from: start) + 1
    }

    /// Whether the top-level field `name` is the string `text`, which needs no escapes.
    package func field(_ name: StaticString, is text: StaticString) -> Bool {
        guard let start = self.value(of: name), self[start] == UInt8(ascii: "\"") else { return false }
        return self.equals(text, from: start + 1, to: self.endOfString(from: start))
    }

    /// Whether there is a top-level field `name`.
    package func hasField(_ name: StaticString) -> Bool {
        self.value(of: name) != nil
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: range.map { self[$0] }, as: UTF8.self)
    }

    /// Where the value of the top-level field `name` begins.
    ///
    /// A string with a colon behind it is a key, and it is one of the object itself where one bracket is open.
    private func value(of name: StaticString) -> Int? {
        var depth = 0
        var index = 0
        while index < self.count {
            switch self[index] {
            case UInt8(ascii: "\""):
                let end = self.endOfString(from: index)
                let colon = self.afterSpaces(end + 1)
                guard colon < self.count else { return nil }
                if depth == 1, self[colon] == UInt8(ascii: ":"), self.equals(name, from: index + 1, to: end) {
                    let value = self.afterSpaces(colon + 1)
                    return value < self.count ? value : nil
                }
                index = end
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
        }
        return nil
    }

    /// Where the string that begins at `start` has its closing quote; the end if it has none.
    private func endOfString(from start: Int) -> Int {
        var index = start + 1
        while index < self.count, self[index] != UInt8(ascii: "\"") {
            index += self[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return Swift.min(index, self.count)
    }

    private func afterSpaces(_ start: Int) -> Int {
        var index = start
        while index < self.count, self[index] <= UInt8(ascii: " ") { index += 1 }
        return index
    }

    private func equals(_ text: StaticString, from start: Int, to end: Int) -> Bool {
        guard end - start == text.utf8CodeUnitCount else { return false }
        for offset in 0..<text.utf8CodeUnitCount where self[start + offset] != text.utf8Start[offset] { return false }
        return true
    }
}
