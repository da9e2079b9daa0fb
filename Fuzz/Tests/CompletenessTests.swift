import Foundation
import RacProtocol
import Testing

/// Whether fuzzing begins with everything that the protocol has.
@Suite struct CompletenessTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: self.folder.appending(path: path), encoding: .utf8)
    }

    private static func kept(_ target: FuzzTarget) throws -> String {
        let path = "Corpus/\(target.rawValue)"
        let names = try FileManager.default.contentsOfDirectory(atPath: self.folder.appending(path: path).path)
        let files = try names.map { try Data(contentsOf: self.folder.appending(path: "\(path)/\($0)")) }
        return files.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }

    /// The operations that a side has in the examples of protocol.md.
    private static func operations(of side: String) throws -> Set<String> {
        let lines = try self.text("../protocol.md").split(separator: "\n").filter { $0.hasPrefix("\(side) {") }
        return Set(lines.compactMap { $0.firstMatch(of: /"op":"([a-z]+)"/).map { String($0.1) } })
    }

    @Test(
        "Every operation is in an input that is kept, and in the dictionary",
        arguments: [("C", FuzzTarget.clientMessages, 20), ("D", .serverMessages, 15)]
    )
    func operations(side: String, target: FuzzTarget, least: Int) throws {
        let operations = try Self.operations(of: side)
        #expect(operations.count >= least)
        let (kept, dictionary) = (try Self.kept(target), try Self.text("protocol.dict"))
        for operation in operations {
            #expect(kept.contains(#""op":"\#(operation)""#), "\(target)")
            #expect(dictionary.contains(#"\"\#(operation)\""#))
        }
    }

    @Test("Every key and table of the configuration file is in the dictionary")
    func configuration() throws {
        let (file, dictionary) = (try Self.text("../deploy/racd.toml"), try Self.text("protocol.dict"))
        let keys = file.matches(of: #/\n#([a-z-]+) = /#).map { "\"\($0.1) = \"" }
        let tables = file.matches(of: #/\n#(\[\[[a-z]+\]\])\n/#).map { "\"\($0.1)\"" }
        #expect(keys.count > 30 && tables.count == 4)
        for word in keys + tables { #expect(dictionary.contains("\n\(word)\n"), "\(word)") }
    }

    @Test("Every key is in an input that is kept, and in the dictionary", arguments: Key.allCases)
    func keys(key: Key) throws {
        let kept = try Self.kept(.clientMessages) + Self.kept(.serverMessages)
        #expect(kept.contains(#""\#(key.text)":"#))
        #expect(try Self.text("protocol.dict").contains(#"\"\#(key.text)\":"#))
    }
}
