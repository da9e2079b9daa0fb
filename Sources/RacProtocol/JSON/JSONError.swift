/// The fault that keeps a text from being JSON.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The scanner's expectation that failed.
    public enum Fault: Equatable, Sendable {
        /// The text ended inside a value.
        case unexpectedEnd
        /// The byte cannot stand at the offset.
        case unexpectedByte(UInt8)
        /// Bytes follow the value.
        case trailingBytes
        /// The value is nested deeper than the limit.
        case tooDeep
        /// A string is not UTF-8.
        case invalidUTF8
    }

    /// The kind of the fault.
    public let fault: Fault

    /// The offset of the fault, in bytes from the beginning of the text.
    public let offset: Int

    /// A sentence for people.
    public var description: String {
        switch self.fault {
        case .unexpectedEnd: "the JSON ends too early, after \(self.offset) bytes"
        case .unexpectedByte(let byte): "unexpected \(Self.shown(byte)) at byte \(self.offset) of the JSON"
        case .trailingBytes: "something follows the JSON value at byte \(self.offset)"
        case .tooDeep: "the JSON is nested too deep at byte \(self.offset)"
        case .invalidUTF8: "the JSON is not UTF-8 at byte \(self.offset)"
        }
    }

    private static func shown(_ byte: UInt8) -> String {
        (0x21...0x7E).contains(byte) ? "'\(Unicode.Scalar(byte))'" : "byte 0x\(String(byte, radix: 16))"
    }
}
