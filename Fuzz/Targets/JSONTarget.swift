import Foundation
import NIOCore
import RacProtocol

/// A text that is JSON to the scanner and to Foundation, or to neither, but for the differences that
/// JSONDifferentialTests has the reasons for.
enum JSONTarget {
    static func run(_ input: [UInt8]) throws {
        let fault = Self.fault(in: input)
        if fault == nil { try Self.checkKept(input) }
        // A byte order mark, or NUL bytes, and Foundation reads another text.
        guard !input.contains(0), !input.starts(with: [0xEF, 0xBB, 0xBF]) else { return }
        let foundation = (try? JSONSerialization.jsonObject(with: Data(input), options: .fragmentsAllowed)) != nil
        let text = String(decoding: input, as: UTF8.self)
        if fault == nil, !foundation {
            guard Self.mayBeRefusedByFoundation(text) else { throw Finding("only Foundation refuses it") }
        } else if let fault, foundation {
            // A carriage return and a line feed are one character, but two scalars.
            let hasLastComma = text.contains(/,[ \t\r\n]*[\]}]/.matchingSemantics(.unicodeScalar))
            guard fault.fault == .tooDeep || hasLastComma else { throw Finding("only Foundation accepts it: \(fault)") }
        }
    }

    private static func fault(in bytes: [UInt8]) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONScanner.soleValue(in: bytes.span)
            return nil
        } catch {
            return error
        }
    }

    /// A value is kept as it was written, and what a string stands for is written back as the same string.
    private static func checkKept(_ input: [UInt8]) throws {
        // A value may be one level less deep than a message.
        guard let value = try? JSONText(validating: ByteBuffer(bytes: input)) else { return }
        guard try JSONText(value.text) == value else { throw Finding("kept as \(value)") }
        guard value.text.first == "\"", value.byteCount >= 2 else { return }
        let inner = value.bytes.getSlice(at: value.bytes.readerIndex + 1, length: value.byteCount - 2) ?? ByteBuffer()
        guard let characters = JSONString.characters(of: inner) else { return }
        let again = JSONText.string(characters)
        guard
            (try JSONSerialization.jsonObject(with: Data(again.text.utf8), options: .fragmentsAllowed)) as? String
                != nil
        else { throw Finding("\(again) is no JSON string") }
        let written = again.bytes.getSlice(at: again.bytes.readerIndex + 1, length: again.byteCount - 2) ?? ByteBuffer()
        let reread = JSONString.characters(of: written)
        guard let reread, Array(reread.utf8) == Array(characters.utf8) else {
            throw Finding("\(value) is written as \(again)")
        }
    }

    private static func mayBeRefusedByFoundation(_ text: String) -> Bool {
        let hasSurrogate = text.contains(/\\u[dD][89a-fA-F]/)
        let hasLargeNumber = text.matches(of: /[0-9][0-9.]*(?:[eE][+\-]?[0-9]+)?/).contains { match in
            // Foundation refuses what is beyond a Double, and what is too near to nothing for one.
            guard let number = Double(match.output) else { return true }
            return number.isInfinite || number.magnitude < .leastNormalMagnitude
        }
        return hasSurrogate || hasLargeNumber
    }
}
