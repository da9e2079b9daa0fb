import Rac
import RacProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes values of one type as JSON, reads them, and shows them.
struct ValueCoding<Value: Sendable>: Sendable {
    typealias Mirror = MirrorCore<Value, ClientError>

    let encode: @Sendable (Value) throws(ClientError) -> JSONText
    let decode: @Sendable (JSONText) throws(ClientError) -> Value
    /// Throws for a value without a JSON form; nil if each value of the type has one.
    ///
    /// Returns the text if it had to be made for that.
    let check: (@Sendable (Value) throws(ClientError) -> JSONText?)?
    /// Reads a value and shows it in a mirror, with a tag, if the mirror's rank is still that one; returns whether it is shown.
    ///
    /// The last closure gets the new rank before any observer is notified. The coding does all of it, because it alone
    /// may be compiled for the one type.
    let show: @Sendable (JSONText, Mirror, _ tag: UInt64, _ rank: UInt64, (UInt64) -> Void) throws(ClientError) -> Bool
}

extension ValueCoding where Value: Codable {
    /// The coding of Foundation's JSON coders; plain types have a quicker one with the same results.
    static func codable(_ coders: Coders) -> ValueCoding {
        guard let plain = Value.self as? any PlainValue.Type else { return .foundation(coders) }
        return Self.coding(of: plain, coders) as? ValueCoding ?? .foundation(coders)
    }

    /// The type is opened here, once, so that no value is cast.
    private static func coding<Plain: PlainValue>(of type: Plain.Type, _ coders: Coders) -> Any {
        Plain.coding(coders)
    }

    /// The coding of Foundation's JSON coders for every value.
    static func foundation(_ coders: Coders) -> ValueCoding {
        let (encoder, decoder) = (coders.encoder, coders.decoder)
        return ValueCoding(
            encode: { value throws(ClientError) in try JSONText(encoding: value, by: encoder) },
            decode: { text throws(ClientError) in try text.decoded(as: Value.self, by: decoder) },
            check: { value throws(ClientError) in try JSONText(encoding: value, by: encoder) },
            show: { text, mirror, tag, rank, willShow throws(ClientError) in
                let value = try text.decoded(as: Value.self, by: decoder)
                return mirror.show(value, tag: tag, ifStillRanked: rank, willShow: willShow)
            }
        )
    }
}

extension ValueCoding where Value: PlainValue {
    private static func check(_ coders: Coders) -> @Sendable (Value) throws(ClientError) -> JSONText? {
        let foundation = ValueCoding.foundation(coders)
        return { value throws(ClientError) in
            value.isWritable ? nil : try foundation.encode(value)
        }
    }

    /// The coding without Foundation, which still decides where the two might differ.
    static func plain(_ coders: Coders) -> ValueCoding {
        let foundation = ValueCoding.foundation(coders)
        return ValueCoding(
            encode: { value throws(ClientError) in
                if let text = value.json { return text }
                return try foundation.encode(value)
            },
            decode: { text throws(ClientError) in
                if let value = Value.value(of: text) { return value }
                return try foundation.decode(text)
            },
            check: Value.isAlwaysWritable ? nil : Self.check(coders),
            show: { text, mirror, tag, rank, willShow throws(ClientError) in
                guard let value = Value.value(of: text) else {
                    return try foundation.show(text, mirror, tag, rank, willShow)
                }
                return mirror.show(value, tag: tag, ifStillRanked: rank, willShow: willShow)
            }
        )
    }
}

extension ValueCoding {
    /// This coding for a side that only sends: arrivals are another side's affair.
    var sendingOnly: ValueCoding {
        ValueCoding(
            encode: self.encode,
            decode: self.decode,
            check: self.check,
            show: { _, _, _, rank, willShow throws(ClientError) in
                willShow(rank)
                return true
            }
        )
    }
}

extension ValueCoding<Void> {
    /// The coding of a value that says nothing: `null`, and whatever comes.
    static var nothing: ValueCoding {
        ValueCoding(
            encode: { _ throws(ClientError) in .null },
            decode: { _ throws(ClientError) in () },
            check: nil,
            show: { _, mirror, tag, rank, willShow throws(ClientError) in
                mirror.show((), tag: tag, ifStillRanked: rank, willShow: willShow)
            }
        )
    }
}

extension ValueCoding<JSONText> {
    /// The coding of JSON text that is neither read nor written anew.
    static var text: ValueCoding {
        ValueCoding(
            encode: { value throws(ClientError) in value },
            decode: { text throws(ClientError) in text },
            check: nil,
            show: { text, mirror, tag, rank, willShow throws(ClientError) in
                mirror.show(text, tag: tag, ifStillRanked: rank, willShow: willShow)
            }
        )
    }
}

extension ValueCoding {
    /// The nil of an optional type, which is `null` in a channel; nil for each other type.
    var absence: Value? {
        Value.self is any AbsenceHavingType.Type ? try? self.decode(.null) : nil
    }
}

/// A type whose nil is a value of its own.
private protocol AbsenceHavingType {}

extension Optional: AbsenceHavingType {}
