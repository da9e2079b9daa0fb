import Foundation
import RacProtocol

/// Writes values of one type as JSON and reads them.
struct ValueCoding<Value: Sendable>: Sendable {
    let encode: @Sendable (Value) throws(ClientError) -> JSONText
    let decode: @Sendable (JSONText) throws(ClientError) -> Value
}

extension ValueCoding where Value: Codable {
    /// The coding of Foundation's JSON coders; plain types have a quicker one with the same results.
    static var codable: ValueCoding {
        guard let plain = Value.self as? any PlainValue.Type else { return .foundation }
        return Self.plain(plain) as? ValueCoding ?? .foundation
    }

    /// The type is opened here, once, so that no value is cast.
    private static func plain<Plain: PlainValue>(_ type: Plain.Type) -> Any {
        let foundation = ValueCoding<Plain>.foundation
        return ValueCoding<Plain>(
            encode: { value throws(ClientError) in
                if let text = value.json { return text }
                return try foundation.encode(value)
            },
            decode: { text throws(ClientError) in
                if let value = Plain.value(of: text) { return value }
                return try foundation.decode(text)
            }
        )
    }

    /// The coding of Foundation's JSON coders for every value.
    static var foundation: ValueCoding {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        return ValueCoding(
            encode: { value throws(ClientError) in try JSONText(encoding: value, by: encoder) },
            decode: { text throws(ClientError) in try text.decoded(as: Value.self, by: decoder) }
        )
    }
}

extension ValueCoding<JSONText> {
    /// The coding of JSON text that is neither read nor written anew.
    static var text: ValueCoding {
        ValueCoding(encode: { value throws(ClientError) in value }, decode: { text throws(ClientError) in text })
    }
}
