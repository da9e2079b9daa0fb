package import Foundation
package import RacSimulation

/// A file that keeps a plan as JSON, with each channel, client and step on one line.
package enum PlanFile {
    package static func read(_ file: URL) throws -> Plan {
        try JSONDecoder().decode(Plan.self, from: Data(contentsOf: file))
    }

    /// The text of the file, which is the same for equal plans.
    package static func text(of plan: Plan) throws -> String {
        let parts = try JSONSerialization.jsonObject(with: JSONEncoder().encode(plan)) as? [String: Any] ?? [:]
        let lines = try parts.sorted { $0.key < $1.key }.map { try "\"\($0.key)\":\(Self.text(ofPart: $0.value))" }
        return "{\n\(lines.joined(separator: ",\n"))\n}\n"
    }

    private static func text(ofPart part: Any) throws -> String {
        guard let records = part as? [[String: Any]], !records.isEmpty else { return try Self.line(part) }
        return try "[\n\(records.map(Self.line).joined(separator: ",\n"))\n]"
    }

    private static func line(_ json: Any) throws -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
        return String(decoding: try JSONSerialization.data(withJSONObject: json, options: options), as: UTF8.self)
    }
}
