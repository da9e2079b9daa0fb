import NIOCore
import RacProtocol

/// The events of a history for people: a line each, without signs of life.
package final class Timeline {
    package private(set) var lines: [String] = []
    var now: Microseconds = 0
    private let plan: Plan

    init(_ plan: Plan) {
        self.plan = plan
    }

    func note(_ what: String) {
        let time = "t=\(Self.milliseconds(self.now))ms"
        let pad = String(repeating: " ", count: max(1, 14 - time.count))
        self.lines.append("\(time)\(pad)\(what)")
    }

    func step(_ step: Step) {
        self.note("\(step.number). \(step.action.description(in: self.plan))")
    }

    /// A message has come to the daemon.
    func arrived(_ message: ClientMessage, from link: Link) {
        guard message != .ping, message != .pong else { return }
        var bytes = ByteBuffer()
        message.write(to: &bytes)
        bytes.moveReaderIndex(forwardBy: FrameHeader.byteCount)
        self.note("   \(link.client.clientName) → D  \(Self.members(of: bytes))")
    }

    /// A message has come to a client.
    func arrived(_ payload: ByteBuffer, at link: Link) {
        let members = Self.members(of: payload)
        guard members != "ping", members != "pong" else { return }
        self.note("   D → \(link.client.clientName)  \(members)")
    }

    private static func milliseconds(_ time: Microseconds) -> String {
        let rest = String(time % 1_000)
        return "\(time / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }

    /// The members of a JSON object as `op key=value key=value`.
    private static func members(of payload: ByteBuffer) -> String {
        var members: [[UInt8]] = [[]]
        var depth = 0
        var isInText = false
        var isEscaped = false
        // Bytes and not characters: values can be long.
        for byte in payload.getBytes(at: payload.readerIndex, length: payload.readableBytes) ?? [] {
            if isInText {
                isInText = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInText = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
                if depth == 1, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "{") {
                    members.append([])
                    continue
                }
            }
            if depth > 0 { members[members.count - 1].append(byte) }
        }
        return members.filter { !$0.isEmpty }.map { Self.brief(String(decoding: $0, as: UTF8.self)) }
            .joined(separator: " ")
    }

    /// A member `"key":value` without its quotes; of the operation the value alone.
    private static func brief(_ member: String) -> String {
        guard let colon = member.firstIndex(of: ":") else { return member }
        let key = member[..<colon].filter { $0 != "\"" }
        let value = Self.short(member[member.index(after: colon)...])
        return key == "op" ? value.filter { $0 != "\"" } : "\(key)=\(value)"
    }

    /// Shortens a long value, which repeats one name.
    private static func short(_ value: Substring) -> String {
        value.utf8.count <= 200 ? String(value) : "\(value.prefix(30))…, \(value.utf8.count) bytes"
    }
}
