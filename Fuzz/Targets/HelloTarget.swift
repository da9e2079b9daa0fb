import NIOCore
import RacAccess
import RacProtocol

@testable import RacServer

/// A payload as the first message to a closed daemon that knows one token.
///
/// A hello is welcomed if it has that token, byte for byte. Each other client gets one refusal, which does not show its token.
/// A token that is not known is refused only after a pause.
enum HelloTarget {
    private static let token = "rac_fuzz"

    static func run(_ input: [UInt8]) throws {
        let entrance = FuzzedEntrance(access: try Self.policy())
        defer { entrance.end() }
        let connection = try entrance.connection()
        defer { connection.close() }
        try connection.say(FuzzedEntrance.frame(input))
        entrance.run()
        let (hello, atOnce) = (Self.hello(in: input), try Self.messages(try connection.heard()))
        entrance.pass(1_100)
        let later = try Self.messages(try connection.heard())
        if let hello, Self.isGood(hello) {
            guard case .welcome? = atOnce.first, atOnce.count == 1, later.isEmpty else {
                throw Finding("a client that the rules know gets \(atOnce) and \(later)")
            }
        } else {
            guard case .refused(nil, let refusal)? = (atOnce + later).first, atOnce.count + later.count == 1 else {
                throw Finding("a client that the rules do not know gets \(atOnce) and \(later)")
            }
            try Self.check(refusal.error, of: hello, isAtOnce: !atOnce.isEmpty)
        }
        try entrance.checkServes(token: Self.token)
    }

    private static func check(_ error: WireError, of hello: Hello?, isAtOnce: Bool) throws {
        let isUnknown = error.code == ErrorCode.unauthenticated.rawValue
        guard isUnknown != isAtOnce else { throw Finding("the refusal \(error.code) comes at the wrong time") }
        guard isUnknown == (hello.map { $0.version == 1 && Self.hasGoodSession($0) } ?? false) else {
            throw Finding("\(error.code) is no answer to \(String(describing: hello))")
        }
        if let token = hello?.token, token.utf8.count > 8, error.message.contains(token) {
            throw Finding("the refusal shows a token: \(error.message)")
        }
    }

    private static func hello(in input: [UInt8]) -> Hello? {
        guard case .hello(let hello)? = try? ClientMessage(payload: ByteBuffer(bytes: input)) else { return nil }
        return hello
    }

    private static func isGood(_ hello: Hello) -> Bool {
        guard hello.version == 1, Self.hasGoodSession(hello), let token = hello.token else { return false }
        return token.utf8.elementsEqual(Self.token.utf8)
    }

    private static func hasGoodSession(_ hello: Hello) -> Bool { (1...64).contains(hello.session?.utf8.count ?? 1) }

    private static func messages(_ bytes: ByteBuffer) throws -> [ServerMessage] {
        var bytes = bytes
        let reader = FrameReader(maximumBytes: 1 << 20, inflates: true)
        var messages: [ServerMessage] = []
        while let payload = try reader.nextPayload(in: &bytes) {
            let message = try ServerMessage.read(payload: payload) { _ in nil }
            if let message { messages.append(message) }
        }
        guard bytes.readableBytes == 0 else { throw Finding("the daemon has said half a frame") }
        return messages
    }

    private static func policy() throws -> AccessPolicy {
        let role = AccessRole(name: "r", grants: [.read: [try RulePattern("**")]])
        let token = Principal.Token(hash: TokenHash(of: Self.token))
        let principal = Principal(name: try PrincipalName("p"), roles: ["r"], tokens: [token])
        return try AccessPolicy(roles: [role], principals: [principal])
    }
}
