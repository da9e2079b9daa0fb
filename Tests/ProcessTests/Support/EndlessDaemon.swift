import Foundation
import Glibc

/// A daemon whose lists have no end: each page has one name, and promises another page.
final class EndlessDaemon: Sendable {
    let url: String
    private let listener: Int32

    init() throws {
        let listener = try Loopback.socket()
        self.listener = listener
        self.url = "rac://127.0.0.1:\(try Loopback.listen(listener))"
        Thread.detachNewThread {
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { break }
                Thread.detachNewThread { Self.serve(client) }
            }
            close(listener)
        }
    }

    deinit {
        shutdown(self.listener, Int32(SHUT_RDWR))
    }

    private static func serve(_ client: Int32) {
        var pages = 0
        Loopback.readFrames(from: client) { frame in
            let message = try? JSONSerialization.jsonObject(with: Data(frame[4...])) as? [String: Any]
            let answer: String
            switch (message?["op"] as? String, message?["id"] as? Int) {
            case ("hello", _):
                let bounds = #""heartbeat":20000,"maxFrame":8388608,"deflate":false"#
                answer = #"{"op":"welcome","version":1,"server":"racd/1.0.0","epoch":"b0c2a95e",\#(bounds)}"#
            case ("list", let id?):
                pages += 1
                let name = "a\(100_000_000 + pages)"
                let channel = #"{"channel":"\#(name)","rev":1,"state":"open","mode":"shared","bound":0,"changes":1}"#
                answer = #"{"op":"reply","id":\#(id),"channels":[\#(channel)],"more":true}"#
            default: return
            }
            let bytes = withUnsafeBytes(of: UInt32(answer.utf8.count).bigEndian, Array.init) + Array(answer.utf8)
            _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
        close(client)
    }
}
