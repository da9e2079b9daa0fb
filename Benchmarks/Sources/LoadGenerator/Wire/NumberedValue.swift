/// A value of a fixed length that tells which one of a sequence it is: a JSON string of digits.
///
/// `number("value")` reads it back.
package struct NumberedValue {
    /// Which lengths leave room for the quotes and enough digits.
    package static let possibleBytes = 14...4096

    private let number: Int
    private let byteCount: Int

    /// - Parameters:
    ///   - number: Its place in the sequence, at least 0.
    ///   - byteCount: The length of its JSON text, quotes included.
    package init(_ number: Int, byteCount: Int) {
        precondition(Self.possibleBytes.contains(byteCount), "a value has \(Self.possibleBytes) bytes")
        self.number = number
        self.byteCount = byteCount
    }

    func append(to bytes: inout [UInt8]) {
        let digits = String(self.number).utf8
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, self.byteCount - 2 - digits.count)))
        bytes.append(contentsOf: digits)
        bytes.append(UInt8(ascii: "\""))
    }
}
