import Foundation
import NIOCore
public import RacProtocol

/// How values of a type are written as JSON and read.
struct ValueCoding<Value: Sendable>: Sendable {
    let encode: @Sendable (Value) throws(ClientError) -> JSONText
    let decode: @Sendable (JSONText) throws(ClientError) -> Value
}

extension ValueCoding where Value: Codable {
    /// As Foundation's JSON coders do it.
    static var codable: ValueCoding {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        return ValueCoding(
            encode: { value throws(ClientError) in try JSONText(encoding: value, by: encoder) },
            decode: { text throws(ClientError) in try text.decoded(as: Value.self, by: decoder) }
        )
    }
}

extension ValueCoding<JSONText> {
    /// As it is.
    static var text: ValueCoding {
        ValueCoding(encode: { value throws(ClientError) in value }, decode: { text throws(ClientError) in text })
    }
}

extension JSONText {
    /// Writes a value as JSON.
    ///
    /// - Parameter value: Whatever Foundation's encoder takes.
    /// - Throws: ``ClientError`` with code `badValue` if there is no JSON for it, such as for a number that is infinite.
    public init(encoding value: some Encodable) throws(ClientError) {
        try self.init(encoding: value, by: JSONEncoder())
    }

    init(encoding value: some Encodable, by encoder: JSONEncoder) throws(ClientError) {
        do {
            try self.init(String(decoding: encoder.encode(value), as: UTF8.self))
        } catch {
            throw ClientError(.badValue, "a \(type(of: value)) could not be written as JSON: \(error)", cause: error)
        }
    }

    /// Reads a value.
    ///
    /// - Parameter type: What it is to be.
    /// - Returns: The value.
    /// - Throws: ``ClientError`` with code `badValue` if the text is another kind of value.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws(ClientError) -> Value {
        try self.decoded(as: type, by: JSONDecoder())
    }

    func decoded<Value: Decodable>(as type: Value.Type, by decoder: JSONDecoder) throws(ClientError) -> Value {
        do {
            return try decoder.decode(type, from: self.withBytes { Data($0) })
        } catch {
            throw ClientError(.badValue, "a value is no \(type): \(error.reason)", cause: error)
        }
    }
}

extension Error {
    /// What a decoder says, in few words and without the value.
    fileprivate var reason: String {
        switch self as? DecodingError {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.path + context.debugDescription
        case .keyNotFound(let key, let context): context.path + "the key \"\(key.stringValue)\" is missing"
        default: "\(self)"
        }
    }
}

extension DecodingError.Context {
    fileprivate var path: String {
        self.codingPath.isEmpty ? "" : "at \(self.codingPath.map(\.stringValue).joined(separator: ".")): "
    }
}
