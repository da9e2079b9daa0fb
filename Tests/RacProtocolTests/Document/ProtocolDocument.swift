import Foundation
import NIOCore
import RacProtocol
import Testing

/// protocol.md with its examples.
struct ProtocolDocument {
    enum Speaker: String {
        case client = "C "
        case daemon = "D "
    }

    struct Message: Equatable {
        let speaker: Speaker
        let payload: String
    }

    /// One fenced block.
    struct Block {
        let language: String
        let lines: [String]
    }

    let text: String
    let blocks: [Block]

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../protocol.md")
        self.text = try String(contentsOf: file, encoding: .utf8)
        // Every second part is between two fences; its first line is the language.
        let parts = self.text.components(separatedBy: "```").enumerated().filter { !$0.offset.isMultiple(of: 2) }
        self.blocks = parts.map { Self.block($0.element) }
    }

    private static func block(_ part: String) -> Block {
        let lines = part.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return Block(language: lines[0], lines: lines.dropFirst().filter { !$0.isEmpty })
    }

    /// The blocks of messages as text.
    var examples: [[Message]] {
        get throws { try self.blocks.filter { $0.language == "rac" }.map { try Self.messages(ofText: $0) } }
    }

    static func messages(ofText block: Block) throws -> [Message] {
        try block.lines.map { line in
            Message(speaker: try Self.speaker(of: line), payload: String(line.dropFirst(2)))
        }
    }

    /// The messages in a block of bytes; a line that begins with a space continues the frame before it.
    static func messages(ofBytes block: Block) throws -> [Message] {
        var frames: [(speaker: Speaker, bytes: ByteBuffer)] = []
        for line in block.lines {
            if !line.hasPrefix(" ") { frames.append((try Self.speaker(of: line), ByteBuffer())) }
            let bytes = try ByteBuffer(plainHexEncodedBytes: String(line.dropFirst(2).filter { $0 != " " }))
            frames[frames.count - 1].bytes.writeImmutableBuffer(bytes)
        }
        return try frames.map { frame in
            let payload = try Frames.sole { $0.writeImmutableBuffer(frame.bytes) }
            return Message(speaker: frame.speaker, payload: String(buffer: payload))
        }
    }

    private static func speaker(of line: String) throws -> Speaker {
        try #require(Speaker(rawValue: String(line.prefix(2))), "a line of an example begins with C or D: \(line)")
    }

    /// The rows of the table under a heading, each as its cells.
    func table(under heading: String) -> [[String]] {
        let section = self.text.components(separatedBy: "\n\(heading)\n").last ?? ""
        let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }
        return rows.dropFirst(2).map { String($0.dropFirst(2).dropLast(2)).components(separatedBy: " | ") }
    }
}
