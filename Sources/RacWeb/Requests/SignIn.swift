package import NIOCore
import NIOHTTP1
import RacProtocol

/// The proof in the body of a request to sign in: `{"token":"…"}` or `{"code":"…"}`.
package enum SignIn: Equatable, Sendable {
    case token(String)
    /// A one-time code.
    case code(String)

    /// Reads a body; nil for an empty one.
    package init?(_ body: ByteBuffer) throws(WebProblem) {
        guard body.readableBytes > 0 else { return nil }
        let keys = try? Envelope(body)
        switch (try? keys?.string(.token), try? keys?.string(.code)) {
        case (let token?, nil): self = .token(token)
        case (nil, let code?): self = .code(code)
        default: throw WebProblem(.badRequest, "bad-message", #"the body is {"token":"TOKEN"} or {"code":"CODE"}"#)
        }
    }
}
