package import NIOCore
import NIOHTTP1
import RacProtocol

/// The body of a request to sign in: `{"token":"…"}`.
package enum SignIn {
    /// The token; nil for an empty body.
    package static func token(in body: ByteBuffer) throws(WebProblem) -> String? {
        guard body.readableBytes > 0 else { return nil }
        // The body has one key of a hello, whose codec reads it.
        var payload = ByteBuffer(string: #"{"op":"hello","version":1,"#)
        payload.writeBytes(body.readableBytesView.drop { $0 != UInt8(ascii: "{") }.dropFirst())
        guard case .hello(let hello)? = try? ClientMessage(payload: payload), let token = hello.token else {
            throw WebProblem(.badRequest, "bad-message", "the body is {\"token\":\"TOKEN\"}")
        }
        return token
    }
}
