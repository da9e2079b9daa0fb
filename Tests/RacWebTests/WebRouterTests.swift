import Expectations
import NIOCore
import NIOHTTP1
import RacProtocol
import RacWeb
import Testing

/// The way of a request: what it asks of the host, or why it is refused.
@Suite struct WebRouterTests {
    static func route(
        _ method: HTTPMethod,
        _ uri: String,
        _ headers: HTTPHeaders = [:],
        body: String = ""
    ) throws -> WebRoute {
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: headers)
        return try WebRouter.route(WebRequest(head, body: ByteBuffer(string: body)))
    }

    static func ask(
        _ method: HTTPMethod,
        _ uri: String,
        _ headers: HTTPHeaders = [:],
        body: String = ""
    ) throws -> Request? {
        guard case .host(let request, _) = try self.route(method, uri, headers, body: body) else { return nil }
        return request
    }

    @Test(
        "The way of a request is that of the next one with the same head, but for its body",
        arguments: ["/v1/channels/a", "/v1/channels/a/b?side=wish", "/v1/channels/a?side=value&sync=1"]
    )
    func repeated(uri: String) throws {
        let (first, second) = (try Self.route(.PUT, uri, body: "1"), try Self.route(.PUT, uri, body: "[2]"))
        let head = HTTPRequestHead(version: .http1_1, method: .PUT, uri: uri)
        let known = try #require(RepeatedRoute(first))
        guard case .set(let kept, _) = known else { throw WebProblem(.badRequest, "bad-message", "no set") }
        expect(kept.value == .null, "the first body is not kept")
        let again = try known.route(of: WebRequest(head, body: ByteBuffer(string: "[2]")))
        expect("\(again)" == "\(second)")
        #expect(throws: WebProblem.self) { try known.route(of: WebRequest(head, body: ByteBuffer(string: "[2"))) }
    }

    @Test("The way of a stream, and of a request whose body is more than a value, is found each time")
    func unrepeated() throws {
        #expect(RepeatedRoute(try Self.route(.GET, "/v1/channels/a", ["Accept": "text/event-stream"])) == nil)
        #expect(RepeatedRoute(try Self.route(.POST, "/v1/channels", body: #"{"channel":"a"}"#)) == nil)
        #expect(RepeatedRoute(try Self.route(.GET, "/v1/session")) == nil)
    }

    /// The text of a refusal.
    static func reason(_ method: HTTPMethod, _ uri: String, body: String) -> String? {
        do {
            _ = try self.route(method, uri, body: body)
            return nil
        } catch {
            return (error as? WebProblem)?.refusal.error.message
        }
    }

    static func problem(
        _ method: HTTPMethod,
        _ uri: String,
        _ headers: HTTPHeaders = [:],
        body: String = ""
    ) -> String? {
        do {
            _ = try self.route(method, uri, headers, body: body)
            return nil
        } catch {
            guard let problem = error as? WebProblem else { return "\(error)" }
            return "\(problem.status.code) \(problem.refusal.error.code)"
        }
    }

    @Test("A name is the rest of the path, with percent signs where it needs them")
    func names() throws {
        expect(try Self.ask(.GET, "/v1/channels/room/volume") == .get(ChannelName("room/volume")))
        expect(try Self.ask(.GET, "/v1/channels/lab%202/%E6%B8%A9%E5%BA%A6") == .get(ChannelName("lab 2/温度")))
        expect(try Self.ask(.GET, "/v1/channels/a+b/../..%3f") == .get(ChannelName("a+b/../..?")))
        expect(try Self.ask(.GET, "/v1/channels/lab%2F2%2fa/b") == .get(ChannelName("lab/2/a/b")))
        expect(
            try Self.ask(.PUT, "/v1/channels/a%2Fcomplete", body: "1")
                == .set(SetValue(channel: ChannelName("a/complete"), value: JSONText(unchecked: "1")))
        )
        expect(try Self.ask(.GET, "/v1/channels/$sys/version") == .get(ChannelName("$sys/version")))
        expect(try Self.ask(.GET, "/v1/channels/a/complete") == .get(ChannelName("a/complete")))
        expect(try Self.ask(.POST, "/v1/channels/a/complete/complete").map { "\($0)" }?.contains("a/complete") == true)
    }

    @Test(
        "A path that names nothing is refused",
        arguments: [
            ("/v1%2Fchannels/a", "400 bad-name"), ("/page%2fmain.js", "400 bad-name"),
            ("/v1/channels/a%2F%2Fb", "400 bad-name"), ("/v1/session%2Fcode", "400 bad-name"),
            ("/v1/channels/%FF", "400 bad-name"), ("/v1/channels/%00", "400 bad-name"),
            ("/v1/channels/a//b", "400 bad-name"), ("/v1/channels/", "400 bad-name"),
            ("/v1/channels/a/", "400 bad-name"),
            ("/v1/channels/*", "400 bad-name"), ("/v1/channels/a%", "400 bad-message"),
            ("/v1/channels/a%4", "400 bad-message"),
            ("/v1/channels/a%zz", "400 bad-message"), ("/v1/channels/é", "400 bad-name"),
            ("/v1/nothing", "404 unknown-op"), ("/v1", "404 unknown-op"),
            ("v1/channels", "400 bad-message"), ("http://localhost/v1/channels", "400 bad-message"),
            ("/v1/channels/a#b", "400 bad-message"), ("/v1/channels/a?side=left", "400 bad-message"),
            ("/v1/channels/a?sied=wish", "400 bad-message"), ("/v1/channels?limit=-1", "400 bad-message"),
            ("/v1/channels?limit=1&limit=2", "400 bad-message"), ("/v1/channels?pattern=a*", "400 bad-name"),
        ]
    )
    func refusedPath(uri: String, problem: String) {
        expect(Self.problem(.GET, uri) == problem)
    }

    @Test("A value is the body, with the conditions of the headers")
    func set() throws {
        var set = SetValue(channel: try ChannelName("a"), value: JSONText(unchecked: "1.50"))
        expect(try Self.ask(.PUT, "/v1/channels/a", body: " 1.50\n") == .set(set))
        set.sync = true
        expect(try Self.ask(.PUT, "/v1/channels/a?sync", body: "1.50") == .set(set))
        set.sync = false
        set.condition = Revision(41)
        expect(try Self.ask(.PUT, "/v1/channels/a", ["If-Match": "\"41\""], body: "1.50") == .set(set))
        set.condition = .never
        expect(try Self.ask(.PUT, "/v1/channels/a", ["If-None-Match": "*"], body: "1.50") == .set(set))
        set.condition = nil
        set.role = .leading
        expect(try Self.ask(.PUT, "/v1/channels/a?side=value", body: "1.50") == .set(set))
    }

    @Test("A wrong body or condition is refused")
    func refusedBodies() {
        expect(Self.problem(.PUT, "/v1/channels/a", body: "") == "400 bad-message")
        expect(Self.problem(.PUT, "/v1/channels/a", body: "1 2") == "400 bad-message")
        expect(Self.problem(.PUT, "/v1/channels/a", ["If-Match": "41"], body: "1") == "400 bad-message")
        expect(Self.problem(.PUT, "/v1/channels/a", ["If-Match": "\"41\", \"42\""], body: "1") == "400 bad-message")
        expect(Self.problem(.PUT, "/v1/channels/a", ["If-None-Match": "\"4\""], body: "1") == "400 bad-message")
        expect(Self.problem(.POST, "/v1/channels", body: "[]") == "400 bad-message")
        expect(Self.problem(.POST, "/v1/channels", body: "{}") == "400 bad-message")
        expect(Self.problem(.POST, "/v1/channels", body: #"{"op":"set","channel":"a"}"#) == "400 bad-message")
        expect(Self.problem(.POST, "/v1/channels", body: #"{"channel":"a*"}"#) == "400 bad-name")
        expect(Self.problem(.POST, "/v1/channels/a/fail", body: #"{"message":"x"}"#) == "400 bad-message")
        expect(Self.problem(.POST, "/v1/transactions", body: #"{"set":[]}"#) == "400 bad-message")
    }

    @Test(
        "A condition is refused where the write has none, so that nothing is lost",
        arguments: [
            (HTTPMethod.DELETE, "/v1/channels/a", ""), (.POST, "/v1/channels/a/complete", ""),
            (.POST, "/v1/channels/a/fail", #"{"code":"x"}"#), (.POST, "/v1/channels/a/reopen", ""),
            (.POST, "/v1/channels", #"{"channel":"a"}"#), (.POST, "/v1/commands/a", ""),
            (.POST, "/v1/transactions", #"{"set":[{"channel":"a","value":1}]}"#),
        ]
    )
    func noCondition(method: HTTPMethod, uri: String, body: String) {
        expect(Self.problem(method, uri, body: body) == nil)
        expect(Self.problem(method, uri, ["If-Match": "\"1\""], body: body) == "400 bad-message")
        expect(Self.problem(method, uri, ["If-None-Match": "*"], body: body) == "400 bad-message")
    }

    @Test(
        "A body with a key that it does not take is refused, as a query is",
        arguments: [
            ("/v1/channels", #"{"channel":"a","mod":"paired"}"#, "channel, mode, sync, value, not 'mod'"),
            ("/v1/channels", #" { "channel" : "a" , "x\u0041" : [ {} ] } "#, "not 'xA'"),
            ("/v1/transactions", #"{"set":[{"channel":"a","value":1}],"snyc":true}"#, "set, sync, not 'snyc'"),
            ("/v1/transactions", #"{"set":[{"channel":"a","value":1,"iff":7}]}"#, "channel, if, value, not 'iff'"),
            ("/v1/channels/a/fail", #"{"code":"x","mesage":"y"}"#, "code, data, message, not 'mesage'"),
        ]
    )
    func unknownKeys(uri: String, body: String, reason: String) throws {
        expect(Self.problem(.POST, uri, body: body) == "400 bad-message")
        expect(Self.reason(.POST, uri, body: body)?.hasSuffix(reason) == true)
    }

    @Test(
        "The refusal of a body names what it takes",
        arguments: [
            (
                "/v1/channels", #"{"channel":"a","mode":"mono"}"#,
                #"the key "mode" must be "shared" or "paired", not "mono""#
            ),
            ("/v1/channels/a/fail", "", #"the body is the error: {"code":"CODE","message":"TEXT"}"#),
            ("/v1/channels/a/fail", "{}", #"the key "code" is missing: it must be a string"#),
            (
                "/v1/transactions", #"{"set":[]}"#,
                #"the key "set" must be an array with at least one {channel, value?, if?}"#
            ),
        ]
    )
    func reasons(uri: String, body: String, reason: String) {
        expect(Self.reason(.POST, uri, body: body) == reason)
    }

    @Test("Bodies of objects have the keys of the protocol")
    func objects() throws {
        var create = Create(channel: try ChannelName("heater"))
        create.mode = .paired
        let body = #" {"channel":"heater", "mode":"paired"} "#
        expect(try Self.ask(.POST, "/v1/channels", body: body) == .create(create))
        let put = Put(entries: [Put.Entry(channel: try ChannelName("a"), value: JSONText(unchecked: "1"))])
        expect(try Self.ask(.POST, "/v1/transactions", body: #"{"set":[{"channel":"a","value":1}]}"#) == .put(put))
        let error = WireError(code: "broken", message: "no signal", data: JSONText(unchecked: "7"))
        let fail = #"{"code":"broken","message":"no signal","data":7}"#
        let finish = Finish(channel: try ChannelName("a/b"), end: .failed(error))
        expect(try Self.ask(.POST, "/v1/channels/a/b/fail", body: fail) == .finish(finish))
    }

    @Test("A stream is asked for by its type, and goes on behind the last event")
    func streams() throws {
        var bind = Bind(channel: try ChannelName("a"))
        bind.replay = true
        bind.since = Revision(41)
        bind.interval = 100
        let headers: HTTPHeaders = ["Accept": "text/event-stream", "Last-Event-ID": "41"]
        expect(try Self.ask(.GET, "/v1/channels/a?interval=100", headers) == .bind(bind))
        expect(try Self.ask(.GET, "/v1/watch?pattern=a/**") == .watch(ChannelPattern("a/**")))
        let ofScript: HTTPHeaders = ["Accept": "text/event-stream"]
        expect(try Self.ask(.GET, "/v1/channels/a?interval=100&lastEventId=41", ofScript) == .bind(bind))
        for headers in [ofScript, [:]] {
            expect(Self.problem(.GET, "/v1/channels/a?lastEventId=x", headers) == "400 bad-message")
        }
        expect(try Self.ask(.HEAD, "/v1/channels/a", headers) == .get(ChannelName("a")))
    }

    @Test("A method that a path does not have is refused with those that it has")
    func methods() throws {
        expect(Self.problem(.PATCH, "/v1/channels/a") == "405 bad-message")
        expect(Self.problem(.RAW(value: "DANCE"), "/v1/channels") == "405 bad-message")
        expect(Self.problem(.POST, "/index.html") == "405 bad-message")
        #expect(throws: WebProblem.self) { try Self.route(.POST, "/v1/watch") }
        let problem = WebProblem(.methodNotAllowed, "bad-message", "", methods: [.GET, .OPTIONS])
        #expect(WebResponse(problem).headers.contains { $0 == ("Allow", "GET, OPTIONS") })
        guard case .options(let methods) = try Self.route(.OPTIONS, "/v1/channels/a") else {
            Issue.record("no answer to OPTIONS")
            return
        }
        expect(methods == [.GET, .HEAD, .PUT, .DELETE, .OPTIONS])
    }

    @Test(
        "A stream has no HEAD, neither in the answer to OPTIONS nor in a refusal",
        arguments: [
            ("/v1/watch", [HTTPMethod.GET, .OPTIONS]), ("/v1/commands/a/b", [HTTPMethod.POST, .GET, .OPTIONS]),
        ]
    )
    func headOfStream(uri: String, methods: [HTTPMethod]) throws {
        guard case .options(let listed) = try Self.route(.OPTIONS, uri) else {
            Issue.record("no answer to OPTIONS")
            return
        }
        expect(listed == methods)
        let problem = #expect(throws: WebProblem.self) { try Self.route(.HEAD, uri) }
        #expect(problem?.status == .methodNotAllowed && problem?.methods == methods)
    }

    @Test(
        "A stream is sent if its weight is not below that of JSON, and is not 0",
        arguments: [
            ("text/event-stream", true), ("text/event-stream, application/json", true), ("*/*", false),
            ("text/event-stream;q=0", false), ("text/event-stream; q=0.5, application/json", false),
            ("application/json;q=0.2, TEXT/EVENT-STREAM ; Q=0.9", true), ("text/event-stream;q=0.000, */*", false),
            ("text/event-stream;q=0.5, */*", false), ("text/event-stream, */*", true),
            ("text/event-stream;q=0.5, application/*;q=0.6, */*;q=0.1", false),
            ("text/event-stream;q=0.5, application/json;q=0.1, */*", true),
        ]
    )
    func weights(accept: String, isStream: Bool) throws {
        guard case .host(_, let form) = try Self.route(.GET, "/v1/channels/a", ["Accept": accept]) else {
            Issue.record("no request of the host")
            return
        }
        expect((form == .events) == isStream)
    }

    @Test(
        "An execution is answered by its last value if JSON is named or outweighs a stream, and else by a stream",
        arguments: [
            ("*/*", true), ("text/event-stream", true), ("text/event-stream;q=0.5, */*;q=0.1", true),
            ("application/json", false), ("application/json, text/plain, */*", false), ("application/*", false),
            ("text/event-stream;q=0.5, */*", false), ("text/event-stream;q=0, */*", false),
        ]
    )
    func weightsOfExecution(accept: String, isStream: Bool) throws {
        guard case .host(_, let form) = try Self.route(.POST, "/v1/commands/c", ["Accept": accept]) else {
            Issue.record("no request of the host")
            return
        }
        expect(form == (isStream ? .events : .lastValue))
    }

    @Test(
        "A request whose body means nothing may have an empty one",
        arguments: [("", true), ("{}", true), (" null\n", true), ("\"\"", true), ("{\"if\":5}", false), ("0", false)]
    )
    func unusedBody(body: String, isFine: Bool) {
        for method in [HTTPMethod.GET, .DELETE, .OPTIONS] {
            expect(Self.problem(method, "/v1/channels/a", body: body) == (isFine ? nil : "400 bad-message"))
        }
    }

    @Test(
        "A body in a coding, or with a part of a value, is refused",
        arguments: [
            ("Transfer-Encoding", "gzip, chunked", 501), ("Content-Encoding", "gzip", 415),
            ("Content-Range", "bytes 0-1/9", 400), ("Transfer-Encoding", "Chunked", 0),
            ("Content-Encoding", "identity", 0),
        ]
    )
    func codings(name: String, value: String, status: UInt) {
        let head = HTTPRequestHead(version: .http1_1, method: .PUT, uri: "/v1/channels/a", headers: [name: value])
        do {
            try WebRouter.checkBody(head)
            expect(status == 0)
        } catch {
            expect(error.status.code == status)
        }
    }

    @Test("Each endpoint is found by its path, with the name in it")
    func endpoints() throws {
        for endpoint in Endpoint.all {
            let path = endpoint.path.replacing("{name}", with: "a/b")
            let head = HTTPRequestHead(version: .http1_1, method: endpoint.method, uri: path)
            expect(try WebRouter.place(head)?.operation == endpoint.operation)
        }
    }

    @Test("The document lists exactly the keys of the query that the value of a channel takes")
    func keys() throws {
        let reason = try #require(Self.reason(.GET, "/v1/channels/a?none=1", body: ""))
        let taken = try #require(reason.firstMatch(of: /the keys (.*), not 'none'/)).output.1
        let text = String(buffer: OpenAPI.document)
        let operation = try #require(text.split(separator: #""operationId":"get","#).dropFirst().first)
        let parameters = operation.split(separator: #""responses""#)[0]
        let listed = parameters.matches(of: /"name":"(\w+)","in":"query"/).map { String($0.output.1) }
        #expect(listed.sorted().joined(separator: ", ") == taken)
    }

    @Test("The document lists exactly the paths and the methods of the router")
    func document() throws {
        let text = String(buffer: OpenAPI.document)
        #expect(throws: Never.self) { try JSONText(text) }
        for endpoint in Endpoint.all {
            let item = try #require(text.split(separator: #""\#(endpoint.path)":{"#).dropFirst().first)
            let paths = item.split(separator: #""/"#).first ?? ""
            #expect(
                paths.contains(#""\#(endpoint.method.rawValue.lowercased())":{"operationId":"\#(endpoint.operation)""#)
            )
        }
        expect(text.ranges(of: "\"operationId\"").count == Endpoint.all.count)
    }
}
