import Expectations
import Foundation
import NIOCore
import NIOEmbedded
import RacProtocol
import RacTesting
import RacWeb
import Testing

@testable import RacServer

/// HTTP on the port of the protocol: requests become messages to the host, and its answers responses.
@Suite(.oneThreadAndThree) struct HTTPTests {
    @Test("The first byte separates a request of HTTP from a frame, and the page is there")
    func page() throws {
        let daemon = EmbeddedDaemon()
        let web = try WebClient(daemon)
        let page = try web.ask("GET /")
        expect(page.status == 200)
        #expect(page.body.hasPrefix("<!doctype html>"))
        expect(page.header("Content-Type") == "text/html; charset=utf-8")
        expect(try web.ask("GET /", ["If-None-Match: \(page.header("ETag") ?? "")"]).status == 304)
        let nothing = try web.ask("GET /nothing")
        #expect(nothing.status == 404 && nothing.body.contains(#""code":"unknown-op""#))
        let head = try web.ask("HEAD /")
        #expect(head.status == 200 && head.body == "")
        expect(head.header("Content-Length") == "\(page.body.utf8.count)")
        let zipped = try web.ask("HEAD /", ["Accept-Encoding: gzip"])
        #expect(zipped.status == 200 && zipped.body == "" && zipped.header("Content-Encoding") == "gzip")
        #expect(zipped.header("Content-Length") != head.header("Content-Length"))
        #expect(zipped.header("ETag") != page.header("ETag"))
        expect(try daemon.welcomed().ask(#"{"op":"ping","id":1}"#).text == #"{"op":"reply","id":1}"#)
    }

    @Test("Without HTTP a letter begins a frame that is too long")
    func off() throws {
        let client = try EmbeddedDaemon { $0.web = nil }.client()
        try client.sayBytes(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"))
        expect(try client.heard().first?.text.contains("too-large") == true)
    }

    @Test(
        "Every answer has the headers that keep other pages away",
        arguments: ["/", "/nothing", "/v1/channels", "/v1/session"]
    )
    func guards(path: String) throws {
        let answer = try WebClient(EmbeddedDaemon()).ask("GET \(path)")
        let policy = try #require(answer.header("Content-Security-Policy"))
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "))
        #expect(policy.contains("img-src 'self' data:") && policy.hasSuffix("frame-ancestors 'none'"))
        expect(answer.header("X-Content-Type-Options") == "nosniff")
        expect(answer.header("Access-Control-Allow-Origin") == nil)
        #expect(answer.header("Date") != nil)
    }

    @Test("A folder of the user's has a policy of its own, redirections to its folders, and the files that it lacks")
    func folder() throws {
        let folder = try TestFolder()
        let site = URL(filePath: folder.path)
        try FileManager.default.createDirectory(at: site.appending(path: "sub"), withIntermediateDirectories: false)
        for path in ["index.html", "m.mjs", "sub/index.html"] {
            try Data(path.utf8).write(to: site.appending(path: path))
        }
        let web = try WebClient(EmbeddedDaemon { $0.web = WebSettings(folder: folder.path) })
        for path in ["index.html", "m.mjs", "sub/index.html"] {
            let answer = try web.ask("GET /\(path)")
            expect(answer.body == path)
            expect(answer.header("Content-Security-Policy")?.hasPrefix("default-src 'self'; ") == true)
        }
        expect(try web.ask("GET /m.mjs").header("Content-Type") == "text/javascript; charset=utf-8")
        for (path, location) in [("sub", "./sub/"), ("examples", "./examples/")] {
            let answer = try web.ask("GET /\(path)")
            #expect(answer.status == 301 && answer.header("Location") == location)
        }
        expect(try web.ask("GET /sub/").body == "sub/index.html")
        let policy = try web.ask("GET /rac.js").header("Content-Security-Policy")
        expect(policy?.hasPrefix("default-src 'none'; ") == true)
        expect(try web.ask("GET /sub/nothing").status == 404)
    }

    @Test("A value is set, got, guarded by its tag and deleted")
    func values() throws {
        let web = try WebClient(EmbeddedDaemon())
        expect(try web.ask("GET /v1/channels/room/volume").status == 404)
        let set = try web.ask("PUT /v1/channels/room/volume", body: "1.50")
        expect(set.status == 200)
        let tag = try #require(set.header("ETag"))
        expect(set.body == "{\"rev\":\(tag.dropFirst().dropLast())}")
        let get = try web.ask("GET /v1/channels/room/volume")
        expect(get.body == "1.50")
        expect(get.header("ETag") == tag)
        #expect(get.header("Rac-State") == "open" && get.header("Rac-Mode") == "shared")
        expect(try web.ask("GET /v1/channels/room/volume", ["If-None-Match: \(tag)"]).status == 304)
        let conflict = try web.ask("PUT /v1/channels/room/volume", ["If-Match: \"1\""], body: "2")
        expect(conflict.status == 412)
        expect(conflict.header("Content-Type") == "application/problem+json")
        #expect(conflict.body.contains(#""code":"conflict""#) && conflict.body.contains(#""value":1.50"#))
        expect(try web.ask("PUT /v1/channels/room/volume", ["If-None-Match: *"], body: "2").status == 412)
        expect(try web.ask("PUT /v1/channels/room/volume", ["If-Match: \(tag)"], body: "2").status == 200)
        expect(try web.ask("DELETE /v1/channels/room/volume").status == 200)
        expect(try web.ask("GET /v1/channels/room/volume").status == 404)
    }

    @Test("An answer whose form `Accept` selects has the header `Vary` for caches, and no other answer has it")
    func variants() throws {
        let daemon = EmbeddedDaemon()
        let web = try WebClient(daemon)
        expect(try web.ask("GET /v1/channels/a").header("Vary") == "Accept")
        let set = try web.ask("PUT /v1/channels/a", body: "1")
        expect(set.header("Vary") == nil)
        for headers in [[], ["If-None-Match: \(set.header("ETag") ?? "")"]] {
            expect(try web.ask("GET /v1/channels/a", headers).header("Vary") == "Accept")
        }
        expect(try web.ask("POST /v1/commands/nothing", ["Accept: application/json"]).header("Vary") == "Accept")
        expect(try web.ask("GET /v1/channels").header("Vary") == nil)
        let stream = ["Accept: text/event-stream"]
        expect(try WebClient(daemon).ask("GET /v1/channels/a", stream).header("Vary") == "Accept")
        expect(try WebClient(daemon).ask("GET /v1/watch", stream).header("Vary") == nil)
    }

    @Test("Channels are made, listed, ended and opened again, and transactions are whole")
    func channels() throws {
        let web = try WebClient(EmbeddedDaemon())
        let made = try web.ask("POST /v1/channels", body: #"{"channel":"lab 2/é","value":1}"#)
        expect(made.status == 201)
        expect(made.header("Location") == "channels/lab%202/%c3%a9")
        expect(try web.ask("POST /v1/channels", body: #"{"channel":"lab 2/é"}"#).status == 409)
        #expect(try web.ask("GET /v1/channels?pattern=**").body.hasPrefix(#"{"channels":[{"channel":"lab 2/é","#))
        let put = try web.ask(
            "POST /v1/transactions",
            body: #"{"set":[{"channel":"a","value":1},{"channel":"b","value":2,"if":9}]}"#
        )
        expect(put.status == 412)
        #expect(put.body.contains(#""index":1"#))
        expect(try web.ask("GET /v1/channels/a").status == 404)
        expect(try web.ask("PUT /v1/channels/a", body: "1").status == 200)
        expect(try web.ask("POST /v1/channels/a/fail", body: #"{"code":"broken","message":"x"}"#).status == 200)
        expect(try web.ask("PUT /v1/channels/a", body: "2").status == 409)
        expect(try web.ask("GET /v1/channels/a").header("Rac-State") == "failed")
        expect(try web.ask("POST /v1/channels/a/reopen").status == 200)
        expect(try web.ask("POST /v1/channels/a/complete").status == 200)
    }

    @Test("A stream brings values with their revisions until the channel ends, and then the connection goes on")
    func stream() throws {
        let daemon = EmbeddedDaemon()
        let rac = try daemon.welcomed()
        let first = try rac.ask(#"{"op":"set","id":1,"channel":"a","value":{"x": 1}}"#)
        let revision = try #require(first.text.split(separator: ":").last?.dropLast())
        let web = try WebClient(daemon)
        let stream = try web.ask("GET /v1/channels/a", ["Accept: text/event-stream"])
        expect(stream.header("Content-Type") == "text/event-stream")
        #expect(stream.body.contains("event: value\nid: \(revision)\ndata: {\"x\": 1}\n\n"))
        _ = try rac.ask(#"{"op":"set","id":2,"channel":"a","value":2}"#)
        #expect(try web.heard().contains("data: 2\n\n"))
        _ = try rac.ask(#"{"op":"finish","id":3,"channel":"a"}"#)
        let end = try web.heard()
        #expect(end.contains("event: completed\n") && end.hasSuffix("0\r\n\r\n"))
        expect(try web.ask("GET /v1/channels/a").body == "2")
        _ = try rac.ask(#"{"op":"reopen","id":4,"channel":"a"}"#)
        let since = try WebClient(daemon).ask("GET /v1/channels/a", ["Accept: text/event-stream", "Last-Event-ID: 1"])
        #expect(since.body.contains("data: 2\n"))
    }

    @Test(
        "A browser that has got the end of a channel, and asks again, gets 204 and stops",
        arguments: [true, false]
    )
    func endedStream(fails: Bool) throws {
        let daemon = EmbeddedDaemon()
        let web = try WebClient(daemon)
        let value = try #require(try web.ask("PUT /v1/channels/a", body: "1").revision)
        let act = fails ? ("fail", #"{"code":"x"}"#) : ("complete", "")
        let end = try #require(try web.ask("POST /v1/channels/a/\(act.0)", body: act.1).revision)
        func stream(behind revision: Substring?) throws -> WebClient.Answer {
            let last = revision.map { ["Last-Event-ID: \($0)"] } ?? []
            return try WebClient(daemon).ask("GET /v1/channels/a", ["Accept: text/event-stream"] + last)
        }
        let data = fails ? #"{"code":"x","message":"","rev":\#(end)}"# : "{}"
        let event = "event: \(fails ? "error" : "completed")\nid: \(end)\ndata: \(data)\n\n"
        let first = try stream(behind: nil).body
        #expect(first.contains("id: \(value)\ndata: 1\n\n") && first.contains(event))
        let told = try stream(behind: value).body
        #expect(!told.contains("data: 1\n") && told.contains(event))
        let over = try stream(behind: end)
        #expect(over.status == 204 && over.body == "")
        expect(try web.ask("POST /v1/channels/a/reopen").status == 200)
        #expect(try stream(behind: end).body.contains("data: 1\n"))
    }

    @Test("The lines of an event give its value back, whichever ends its lines have")
    func lines() throws {
        let daemon = EmbeddedDaemon()
        let web = try WebClient(daemon)
        _ = try web.ask("PUT /v1/channels/a", body: "[1,\r\n2,\n3,\r4,\n\r\n5]")
        let stream = try WebClient(daemon).ask("GET /v1/channels/a", ["Accept: text/event-stream"])
        #expect(stream.body.contains("data: [1,\ndata: 2,\ndata: 3,\ndata: 4,\ndata: \ndata: 5]\n\n"))
    }

    @Test("The tag of an answer is that of the value, as `GET` returns it")
    func tags() throws {
        let web = try WebClient(EmbeddedDaemon())
        let made = try web.ask("POST /v1/channels", body: #"{"channel":"a","value":1}"#)
        expect(try web.ask("GET /v1/channels/a").header("ETag") == made.header("ETag"))
        #expect(made.header("ETag") != nil)
        expect(try web.ask("POST /v1/channels", body: #"{"channel":"b"}"#).header("ETag") == nil)
        for act in ["POST /v1/channels/a/complete", "POST /v1/channels/a/reopen", "DELETE /v1/channels/a"] {
            let answer = try web.ask(act)
            #expect(answer.status == 200 && answer.header("ETag") == nil)
        }
    }

    @Test("A watch brings the channels of its pattern, and a stream that nobody hears any more is gone")
    func watch() throws {
        let daemon = EmbeddedDaemon()
        let rac = try daemon.welcomed()
        _ = try rac.ask(#"{"op":"set","id":1,"channel":"a/b","value":1}"#)
        let web = try WebClient(daemon)
        let watch = try web.ask("GET /v1/watch?pattern=a/*")
        #expect(watch.body.contains(#"data: {"channel":"a/b","rev":"#))
        #expect(watch.body.contains("event: synced\ndata: {}\n\n"))
        web.client.endInput()
        #expect(
            !web.client.isConnected || daemon.shell.peer(web.client.handler.id)?.hosted == nil
                || web.client.handler.closing.isEnded
        )
    }

    @Test("A command is executed, its values come as events or its last one alone, and its state is observed")
    func commands() throws {
        let daemon = EmbeddedDaemon()
        let host = try daemon.welcomed()
        _ = try host.ask(#"{"op":"host","id":1,"command":"room/blink"}"#)
        let observer = try WebClient(daemon)
        #expect(
            try observer.ask("GET /v1/commands/room/blink").body.contains(#"data: {"enabled":true,"executing":false}"#)
        )
        let web = try WebClient(daemon)
        _ = try web.ask("POST /v1/commands/room/blink", ["Accept: application/json"], body: #"{"times":2}"#)
        let execute = try #require(try host.heard().first)
        #expect(execute.text.contains(#""input":{"times":2}"#))
        let x = try #require(execute.text.firstMatch(of: /"x":(\d+)/)?.1)
        try host.say(
            #"{"op":"next","x":\#(x),"value":1}"#,
            #"{"op":"next","x":\#(x),"value":2}"#,
            #"{"op":"completed","x":\#(x)}"#
        )
        #expect(try web.heard().hasSuffix("\r\n\r\n2"))
        #expect(try observer.heard().contains(#""executing":true"#))
        expect(try web.ask("POST /v1/commands/nothing", ["Accept: application/json"]).status == 404)
        #expect(try WebClient(daemon).ask("GET /v1/commands").body.hasPrefix(#"{"commands":[{"command":"room/blink""#))
    }

    @Test("The value of an execution that waits for its end counts as kept for the client")
    func keptValue() throws {
        let daemon = EmbeddedDaemon()
        let host = try daemon.welcomed()
        _ = try host.ask(#"{"op":"host","id":1,"command":"c"}"#)
        let web = try WebClient(daemon)
        let handler = web.client.handler
        let bytes = 1 << 20
        _ = try web.ask("POST /v1/commands/c", ["Accept: application/json"], body: JSONText.filler(bytes: 200_000))
        let x = try #require(try host.heard().first?.text.firstMatch(of: /"x":(\d+)/)?.1)
        #expect(handler.keptBytes < 4096)
        for _ in 1...3 { try host.say(#"{"op":"next","x":\#(x),"value":\#(JSONText.filler(bytes: bytes))}"#) }
        #expect(handler.keptBytes >= bytes && handler.keptBytes < 2 * bytes)
        try host.say(#"{"op":"completed","x":\#(x)}"#)
        #expect(try web.heard().hasSuffix(JSONText.filler(bytes: bytes)))
        expect(handler.keptBytes == 0)
    }

    @Test("Pipelined requests are answered in their order, and a half-closed client gets its answers")
    func pipelining() throws {
        let daemon = EmbeddedDaemon()
        let web = try WebClient(daemon)
        let requests = (0..<40).map { WebClient.request("PUT /v1/channels/c\($0)", body: "\($0)") }
        try web.client.sayInOnePiece(ByteBuffer(string: requests.joined() + WebClient.request("GET /v1/channels/c39")))
        web.client.endInput()
        let text = try web.heard()
        expect(text.ranges(of: "HTTP/1.1 200 OK").count == 41)
        #expect(text.hasSuffix("\r\n\r\n39"))
        let revisions = text.matches(of: /\{"rev":(\d+)\}/).compactMap { Int($0.1) }
        #expect(revisions == revisions.sorted() && revisions.count == 40)
    }

    @Test(
        "Requests behind an answer that waited for a full socket are answered at once, and not at the next sweep",
        arguments: [false, true]
    )
    func fullSocket(hasExit: Bool) throws {
        let daemon = EmbeddedDaemon()
        let web = try WebClient(daemon, behind: hasExit ? [ReadCount()] : [])
        let socket = FullSocket()
        try web.client.channel.pipeline.syncOperations.addHandler(socket, position: .first)
        let requests = ["/", "/openapi.json", "/rac.js"].map { WebClient.request("GET \($0)") }
        try web.client.sayBytes(ByteBuffer(string: requests.joined()))
        #expect(socket.hasWaiting)
        socket.empty()
        daemon.run()
        expect(try web.heard().ranges(of: "HTTP/1.1 200 OK").count == requests.count)
    }

    @Test("Behind a write that failed no answer is written", arguments: [false, true])
    func closedSocket(hasExit: Bool) throws {
        let daemon = EmbeddedDaemon()
        let web = try WebClient(daemon, behind: hasExit ? [ReadCount()] : [])
        let socket = FullSocket()
        try web.client.channel.pipeline.syncOperations.addHandler(socket, position: .first)
        try web.client.sayBytes(ByteBuffer(string: String(repeating: WebClient.request("GET /rac.js"), count: 3)))
        let before = socket.count
        socket.fail()
        daemon.run()
        #expect(before > 0 && socket.count == before)
    }

    @Test("A client that reads no answers is not read further, and ends in time, however much it sends")
    func unreadAnswers() throws {
        let daemon = EmbeddedDaemon { $0.heartbeat = 1_000 }
        let web = try WebClient(daemon, behind: [ReadCount()])
        let (channel, reads) = (web.client.channel, ReadCount())
        let socket = FullSocket()
        try channel.pipeline.syncOperations.addHandlers([reads, socket], position: .first)
        let requests = ByteBuffer(string: String(repeating: WebClient.request("GET /rac.js"), count: 100))
        try web.client.sayBytes(requests)
        #expect(socket.hasWaiting)
        let before = reads.count
        channel.read()
        expect(reads.count == before)
        for _ in 0..<8 {
            daemon.pass(milliseconds: 500)
            if web.client.isConnected { try web.client.sayBytes(requests) }
        }
        #expect(!web.client.isConnected)
    }

    @Test("The last answer of a connection waits for its client as any other does", arguments: [true, false])
    func lastAnswer(isRead: Bool) throws {
        let daemon = EmbeddedDaemon { $0.heartbeat = 2_000 }
        let web = try WebClient(daemon, behind: [ReadCount()])
        let socket = FullSocket()
        try web.client.channel.pipeline.syncOperations.addHandler(socket, position: .first)
        try web.say(WebClient.request("GET /rac.js", ["Connection: close"]))
        #expect(socket.hasWaiting)
        daemon.pass(milliseconds: 3_500)
        #expect(web.client.isConnected)
        guard isRead else {
            daemon.pass(milliseconds: 3_500)
            return #expect(!web.client.isConnected)
        }
        socket.empty()
        daemon.run()
        let answer = WebClient.Answer(text: try web.heard())
        expect(answer.header("Content-Length") == "\(answer.body.utf8.count)")
        daemon.pass(milliseconds: 3_500)
        #expect(!web.client.isConnected)
    }

    @Test("A client that reads its answers again is read again")
    func readAnswers() throws {
        let daemon = EmbeddedDaemon()
        let web = try WebClient(daemon, behind: [ReadCount()])
        let (channel, reads) = (web.client.channel, ReadCount())
        let socket = FullSocket()
        try channel.pipeline.syncOperations.addHandlers([reads, socket], position: .first)
        let request = WebClient.request("GET /rac.js")
        try web.client.sayBytes(ByteBuffer(string: request + request))
        channel.read()
        let before = reads.count
        socket.empty()
        daemon.run()
        expect(reads.count == before + 1)
        expect(try web.heard().ranges(of: "HTTP/1.1 200 OK").count == 2)
    }

    @Test(
        "A head whose beginning came with the end of the request before is not taken for one that may repeat",
        arguments: [
            [
                "GET /v1/channels/a HTTP/1.1\r\nHost: localhost\r\n\r",
                "\nGET /v1/channels/b HTTP/1.1\r\nHost: localhost\r\n", "\r\n",
            ],
            [
                "PUT /v1/channels/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
                "1\r\n1\r\n0\r\n\r\nGET /v1/channels/b HTTP/1.1\r\nHost: localhost\r\n", "\r\n",
            ],
        ]
    )
    func cutHeads(pieces: [String]) throws {
        let daemon = EmbeddedDaemon()
        _ = try WebClient(daemon).ask("PUT /v1/channels/a", body: "1")
        _ = try WebClient(daemon).ask("PUT /v1/channels/b", body: "2")
        let web = try WebClient(daemon)
        let texts = try (pieces + ["\r\n", "\r\n"]).map { try web.say($0).text }
        expect(texts.joined().ranges(of: "HTTP/1.1 200 OK").count == 2)
        expect(try web.ask("GET /v1/channels/a").body == "1")
        expect(try web.ask("GET /v1/channels/b").body == "2")
    }

    @Test("An expectation of 100 Continue ends with its request")
    func oldWish() throws {
        let web = try WebClient(EmbeddedDaemon())
        let wish = try web.ask("PUT /v1/channels/a", ["Expect: 100-continue"], body: "1")
        expect(wish.status == 200)
        expect(try web.ask("PUT /v1/channels/a", ["Content-Length: 1"]).text == "")
        expect(try web.say("2").status == 200)
    }

    @Test("Requests with one head are answered each by its own body, whatever pieces they come in")
    func repeatedHeads() throws {
        let daemon = EmbeddedDaemon()
        let (web, reader) = (try WebClient(daemon), try WebClient(daemon))
        func put(_ value: String) -> String { WebClient.request("PUT /v1/channels/a", body: value) }
        expect(try web.say(put("10")).status == 200)
        for count in 1..<put("10").utf8.count {
            let text = put("\(10 + count % 90)")
            let pieces = (text.utf8.prefix(count), text.utf8.dropFirst(count))
            expect(try web.say(String(decoding: pieces.0, as: UTF8.self)).text == "")
            expect(try web.say(String(decoding: pieces.1, as: UTF8.self)).status == 200)
            expect(try reader.ask("GET /v1/channels/a").body == "\(10 + count % 90)")
        }
        expect(try web.say(put("1x")).status == 400)
        expect(try web.say(put("100") + put("101") + put("11") + put("12")).text.ranges(of: "200 OK").count == 4)
        expect(try reader.ask("GET /v1/channels/a").body == "12")
        expect(try web.ask("PUT /v1/channels/b", body: "13").status == 200)
        expect(try reader.ask("GET /v1/channels/a").body == "12")
        expect(try web.ask("PUT /v1/channels/a", ["If-None-Match: *"], body: "14").status == 412)
        expect(try web.ask("PUT /v1/channels/a", ["If-None-Match: *"], body: "14").status == 412)
        expect(try web.ask("DELETE /v1/channels/a").status == 200)
        expect(try reader.ask("GET /v1/channels/a").status == 404)
    }

    @Test("A repeated head ends the connection, or asks for the body, as the first one did")
    func repeatedWords() throws {
        let daemon = EmbeddedDaemon()
        let web = try WebClient(daemon)
        for value in ["1", "2"] {
            let wish = try web.ask("PUT /v1/channels/a", ["Expect: 100-continue", "Content-Length: 1"])
            expect(wish.text == "HTTP/1.1 100 Continue\r\n\r\n")
            expect(try web.say(value).status == 200)
        }
        let last = WebClient.request("GET /v1/channels/a", ["Connection: close"])
        expect(try web.say(last + last).text.ranges(of: "HTTP/1.1 200 OK").count == 1)
    }

    @Test("A body comes in chunks, or after 100 Continue")
    func bodies() throws {
        let web = try WebClient(EmbeddedDaemon())
        let chunks = "3\r\n\"ab\r\n1;x=y\r\n\"\r\n0\r\nTrailer: x\r\n\r\n"
        let head = "PUT /v1/channels/a HTTP/1.1\r\nHost: localhost\r\n"
        expect(try web.say(head + "Transfer-Encoding: chunked\r\n\r\n" + chunks).status == 200)
        expect(try web.ask("GET /v1/channels/a").body == "\"ab\"")
        expect(
            try web.say(head + "Content-Length: 1\r\nExpect: 100-continue\r\n\r\n").text
                == "HTTP/1.1 100 Continue\r\n\r\n"
        )
        expect(try web.say("7").status == 200)
        let long = try web.say(head + "Content-Length: 99999999\r\nExpect: 100-continue\r\n\r\n")
        expect(long.status == 413)
        expect(long.header("Connection") == "close")
    }

    @Test("A request is read as RFC 9112 has it, with white space, an absolute target, or HTTP/1.0 without Host")
    func forms() throws {
        let daemon = EmbeddedDaemon()
        let web = try WebClient(daemon)
        let head = "PUT /v1/channels/a HTTP/1.1\r\nHost: localhost \r\nContent-Length: 1 \r\n\r\n"
        expect(try web.say(head + "5").status == 200)
        let tag = try #require(try web.ask("GET /v1/channels/a").header("ETag"))
        expect(try web.ask("GET /v1/channels/a", ["If-None-Match: \"0\", W/\(tag)"]).status == 304)
        expect(try web.ask("GET http://localhost/v1/channels/a", host: "evil.example").body == "5")
        expect(try WebClient(daemon).ask("GET http://evil.example/v1/channels/a", host: "localhost").status == 421)
        expect(try WebClient(daemon).say("OPTIONS / HTTP/1.0\r\n\r\n").status == 204)
        let preface = try WebClient(daemon).say("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        #expect(preface.status == 400 && preface.body.contains("HTTP/1.1"))
        expect(try WebClient(daemon).say("BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n").status == 501)
    }

    @Test("A request without a meaning for its body takes an empty one, and goes on behind another one")
    func unusedBodies() throws {
        let web = try WebClient(EmbeddedDaemon())
        expect(try web.ask("PUT /v1/channels/a", body: "1").status == 200)
        expect(try web.ask("GET /v1/channels/a", body: "{}").body == "1")
        expect(try web.ask("DELETE /v1/channels/a", body: #"{"if":1}"#).status == 400)
        expect(try web.ask("DELETE /v1/channels/a", body: "null").status == 200)
        expect(try web.ask("PUT /v1/channels/a", ["Content-Encoding: gzip"], body: "1").status == 415)
    }

    @Test("A stream asks proxies not to hold it back")
    func unbuffered() throws {
        let web = try WebClient(EmbeddedDaemon())
        let stream = try web.ask("GET /v1/watch")
        #expect(stream.status == 200 && stream.header("X-Accel-Buffering") == "no")
    }

    @Test("A foreign host or origin gets a refusal, and no header of CORS")
    func origins() throws {
        let daemon = EmbeddedDaemon { $0.web = WebSettings(origins: ["https://lab.example"]) }
        expect(try WebClient(daemon).ask("GET /", host: "evil.example").status == 421)
        let foreign = try WebClient(daemon).ask("PUT /v1/channels/a", ["Origin: https://evil.example"], body: "1")
        expect(foreign.status == 403)
        expect(foreign.header("Access-Control-Allow-Origin") == nil)
        expect(try WebClient(daemon).ask("OPTIONS /v1/channels/a", ["Origin: null"]).status == 403)
        let socket = try WebClient(daemon).ask("GET /rac", WebClient.upgrade + ["Origin: http://localhost:3000"])
        expect(socket.status == 403)
        let stream = ["Origin: https://evil.example", "Accept: text/event-stream"]
        expect(try WebClient(daemon).ask("GET /v1/channels/a", stream).status == 403)
        let image = try WebClient(daemon)
        expect(try image.ask("GET /v1/channels", []).status == 200)
        expect(try image.ask("GET /v1/watch", ["Sec-Fetch-Site: cross-site"]).status == 403)
        let own = try WebClient(daemon).ask("PUT /v1/channels/a", ["Origin: http://localhost"], body: "1")
        expect(own.status == 200)
        let allowed = try WebClient(daemon).ask("OPTIONS /v1/channels/a", ["Origin: https://lab.example"])
        expect(allowed.status == 204)
        expect(allowed.header("Access-Control-Allow-Origin") == "https://lab.example")
        expect(allowed.header("Access-Control-Allow-Methods")?.contains("PUT") == true)
    }

    @Test(
        "The log names the foreign host or origin of a request that is refused, and of a WebSocket",
        arguments: [
            (
                "PUT /v1/channels/a", ["Origin: https://evil.example"],
                "a page of 'https://evil.example' may not do this"
            ),
            (
                "GET /rac", WebClient.upgrade + ["Origin: http://localhost:3000"],
                "a page of 'http://localhost:3000' may"
            ),
            ("GET /", [], "the daemon is not called evil.example:"),
            ("GET /rac", WebClient.upgrade, "the daemon is not called evil.example:"),
        ]
    )
    func logged(line: String, headers: [String], reason: String) throws {
        let daemon = EmbeddedDaemon()
        let isOfPage = reason.hasPrefix("a page")
        let refused = try WebClient(daemon).ask(line, headers, host: isOfPage ? "localhost" : "evil.example")
        expect(refused.status == (isOfPage ? 403 : 421))
        let lines = daemon.log.entries
        expect(lines.count == 1)
        expect(lines.first?.hasPrefix("warning: a request was refused code=forbidden reason=\(reason)") == true)
    }

    @Test(
        "A text that is no request ends with a status",
        arguments: [
            (
                "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                400
            ),
            ("PUT /v1/channels/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12", 400),
            ("PUT /v1/channels/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1, 1\r\n\r\n1", 400),
            ("PUT /v1/channels/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: +1\r\n\r\n1", 400),
            ("PUT /v1/channels/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501),
            ("PUT /v1/channels/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
            ("GET /\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\r\n X: folded\r\n\r\n", 400),
            ("DANCE / HTTP/1.1\r\nHost: localhost\r\n\r\n", 501),
            ("GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", 400), ("hello\r\n\r\n", 501),
            ("GET /v1/../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
            ("GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
            ("GET /%2e%2e/etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
            ("GET /a%00b HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
            ("GET /%C3 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
            ("TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
            ("TRACE /v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}", 405),
            ("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 204),
            ("CONNECT a:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\n\r\n", 417),
            ("GET /rac HTTP/1.1\r\nHost: localhost\r\n\r\n", 426),
        ]
    )
    func noRequest(text: String, status: Int) throws {
        let daemon = EmbeddedDaemon()
        let web = try WebClient(daemon)
        let answer = try web.say(text)
        expect(answer.status == status)
        expect(answer.text.ranges(of: "HTTP/1.1 ").count == 1, "one answer: nothing was smuggled")
        expect(try daemon.welcomed().ask(#"{"op":"ping","id":1}"#).text == #"{"op":"reply","id":1}"#)
    }

    @Test("A number with a sign is none, in a header and in the query")
    func signs() throws {
        let web = try WebClient(EmbeddedDaemon())
        let revision = try #require(try web.ask("PUT /v1/channels/a", body: "1").text.firstMatch(of: /"rev":([0-9]+)/))
            .1
        expect(try web.ask("PUT /v1/channels/a", ["If-Match: \"+\(revision)\""], body: "2").status == 400)
        let stream = ["Accept: text/event-stream", "Last-Event-ID: +\(revision)"]
        expect(try web.ask("GET /v1/channels/a", stream).status == 400)
        expect(try web.ask("GET /v1/channels?limit=%2B1").status == 400)
        #expect(try web.ask("GET /v1/channels/a").text.hasSuffix("\r\n\r\n1"))
    }

    @Test("A long head is refused, and one that comes slowly ends with the time for a hello")
    func heads() throws {
        let daemon = EmbeddedDaemon { $0.helloTimeout = 1_000 }
        let web = try WebClient(daemon)
        expect(try web.ask("GET /", ["X: \(String(repeating: "x", count: 20_000))"]).status == 431)
        // A head that ends in the piece that crosses the limit.
        let start = "GET / HTTP/1.1\r\nHost: localhost\r\nX: "
        for (bytes, isTooLong) in [(16_384, false), (16_385, true), (17_000, true)] {
            let value = String(repeating: "x", count: bytes - start.utf8.count - 4)
            let status = try WebClient(daemon).say("\(start)\(value)\r\n\r\n").status
            expect((status == 431) == isTooLong, "\(bytes) bytes: \(status)")
        }
        let fields = try WebClient(daemon)
        expect(try fields.ask("GET /", (0..<257).map { "X\($0): 1" }).status == 431)
        let slow = try WebClient(daemon)
        try slow.say("GET / HTTP/1.1\r\nHost: local")
        for _ in 0..<20 {
            daemon.pass(milliseconds: 100)
            if slow.client.isConnected { try slow.client.sayBytes(ByteBuffer(string: "h")) }
        }
        #expect(try slow.heard().hasPrefix("HTTP/1.1 408 "))
    }

    @Test("An idle connection ends without a message, and a stream is kept alive")
    func idle() throws {
        let daemon = EmbeddedDaemon { $0.heartbeat = 1_000 }
        let web = try WebClient(daemon)
        _ = try web.ask("PUT /v1/channels/a", body: "1")
        let stream = try WebClient(daemon)
        _ = try stream.ask("GET /v1/channels/a", ["Accept: text/event-stream"])
        daemon.pass(milliseconds: 3_500)
        #expect(web.client.isConnected)
        daemon.pass(milliseconds: 4_500)
        expect(try web.heard() == "")
        #expect(!web.client.isConnected)
        #expect(try stream.heard().contains(":\n\n"))
        #expect(stream.client.isConnected)
    }

    @Test(
        "A daemon that ends says so to waiting clients, without a revision, which the end of a channel has",
        arguments: ["/v1/watch", "/v1/channels/a"]
    )
    func shutdown(path: String) throws {
        let daemon = EmbeddedDaemon()
        let stream = try WebClient(daemon)
        _ = try stream.ask("GET \(path)", ["Accept: text/event-stream"])
        daemon.stopListening()
        _ = daemon.sayGoodbye()
        let end = try stream.heard()
        #expect(end.contains("event: error\ndata: {\"code\":\"shutting-down\"") && end.hasSuffix("0\r\n\r\n"))
        #expect(!end.contains("rev"))
    }
}
