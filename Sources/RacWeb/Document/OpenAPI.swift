package import NIOCore
import NIOHTTP1
import RacProtocol

/// The description of the API for machines, as OpenAPI 3.1 has it, made from the endpoints that the router knows.
package enum OpenAPI {
    /// The document.
    package static let document: ByteBuffer = {
        var found: [(path: String, endpoints: [Endpoint])] = []
        for endpoint in Endpoint.all {
            if let index = found.firstIndex(where: { $0.path == endpoint.path }) {
                found[index].endpoints.append(endpoint)
            } else {
                found.append((endpoint.path, [endpoint]))
            }
        }
        let items = found.map { path, endpoints in
            let methods = endpoints.map { #""\#($0.method.rawValue.lowercased())":\#(Self.operation($0))"# }
            return #""\#(path)":{\#(methods.joined(separator: ","))}"#
        }
        let paths = #""paths":{\#(items.joined(separator: ","))}"#
        return ByteBuffer(string: "{\(Self.head),\(paths),\(Self.components)}\n")
    }()

    private static let head = #"""
        "openapi":"3.1.0","info":{"title":"racd","version":"1","description":"Named two-way channels. {name} is one or \#
        more segments with / between them, which may be written as %2F. A POST or a \#
        DELETE with If-Match or If-None-Match is refused, because it has no condition."}
        """#

    private static func operation(_ endpoint: Endpoint) -> String {
        let words = OperationWords(endpoint.operation)
        var parts = [
            #""operationId":"\#(endpoint.operation.rawValue)""#, #""summary":"\#(words.summary)""#,
        ]
        var parameters = words.parameters.map(\.text)
        if endpoint.path.contains("{name}") { parameters.insert(Parameter.name, at: 0) }
        if !parameters.isEmpty { parts.append(#""parameters":[\#(parameters.joined(separator: ","))]"#) }
        if let body = words.body {
            let required = words.needsBody
            parts.append(
                #""requestBody":{"required":\#(required),"content":{"application/json":{"schema":\#(body)}}}"#
            )
        }
        let answers = words.answers.map { status, text, content in
            let types = content.map { #""\#($0)":{"schema":\#(Schema.any)}"# }
            let body = types.isEmpty ? "" : #","content":{\#(types.joined(separator: ","))}"#
            return #""\#(status)":{"description":"\#(text)"\#(body)}"#
        }
        let problem = ##""default":{"$ref":"#/components/responses/problem"}"##
        parts.append(#""responses":{\#((answers + [problem]).joined(separator: ","))}"#)
        return "{\(parts.joined(separator: ","))}"
    }

    private static let components = #"""
        "components":{"securitySchemes":{"token":{"type":"http","scheme":"bearer"},"session":{"type":"apiKey",\#
        "in":"cookie","name":"rac_session_MARK","description":"Set-Cookie of the session has the name."}},"responses":{"problem":{"description":"The request is refused.",\#
        "content":{"application/problem+json":{"schema":{"$ref":"#/components/schemas/problem"}}}}},"schemas":{"problem":\#
        {"type":"object","required":["status","code","detail"],"properties":{"type":{"type":"string"},\#
        "title":{"type":"string"},"status":{"type":"integer"},"code":{"type":"string"},"detail":{"type":"string"},\#
        "rev":{"type":"integer"},"value":{},"index":{"type":"integer"},"applied":{"type":"boolean"},"data":{}}}}},\#
        "security":[{},{"token":[]},{"session":[]}]
        """#
}

/// The schemas of bodies.
private enum Schema {
    static let any = "true"
    static let text = #"{"type":"string"}"#
    /// A name in full, of at most 255 bytes; a segment has no control characters and no asterisk.
    static let name = #"{"type":"string","maxLength":255,"pattern":"^\#(segment)(/\#(segment))*$"}"#
    /// Names and `*` and `**` for segments.
    static let pattern = #"{"type":"string","maxLength":255,"pattern":"^\#(part)(/\#(part))*$"}"#
    private static let segment = #"[^/*\\u0000-\\u001f\\u007f-\\u009f]+"#
    private static let part = #"(\\*|\\*\\*|[^/*\\u0000-\\u001f\\u007f-\\u009f]+)"#
    static let error =
        #"{"type":"object","required":["code"],"additionalProperties":false,"properties":{"code":{"type":"string","minLength":1,"maxLength":255},"#
        + #""message":{"type":"string"},"data":true}}"#
    static let channel =
        #"{"type":"object","required":["channel"],"additionalProperties":false,"properties":{"channel":\#(name),"#
        + #""mode":{"enum":["shared","paired"]},"value":true,"sync":{"enum":[true,false,1,0]}}}"#
    static let transaction =
        #"{"type":"object","required":["set"],"additionalProperties":false,"properties":"#
        + #"{"set":{"type":"array","minItems":1,"maxItems":\#(Put.maximumEntries),"#
        + #""items":{"type":"object","required":["channel"],"anyOf":[{"required":["value"]},{"required":["if"]}],"#
        + #""additionalProperties":false,"properties":{"channel":\#(name),"value":true,"#
        + #""if":{"type":"integer","minimum":0,"maximum":9223372036854775807}}}},"sync":{"enum":[true,false,1,0]}}}"#
    static let signIn =
        #"{"type":"object","oneOf":[{"required":["token"]},{"required":["code"]}],"#
        + #""properties":{"token":{"type":"string"},"code":{"type":"string"}}}"#
}

/// A parameter of a request.
private enum Parameter {
    case side, sync, pattern, after, limit, interval
    case ifMatch, ifNoneMatch, ifNoneYet, lastEvent, lastEventKey

    static let name = #"{"name":"name","in":"path","required":true,"schema":\#(Schema.name)}"#

    var text: String {
        switch self {
        case .side: Self.query("side", #"{"enum":["value","wish"]}"#)
        case .sync: Self.query("sync", #"{"enum":["1","0","true","false",""]}"#)
        case .pattern: Self.query("pattern", Schema.pattern)
        case .after: Self.query("after", Schema.name)
        case .limit: Self.query("limit", #"{"type":"integer","minimum":0,"maximum":9223372036854775807}"#)
        case .interval: Self.query("interval", #"{"type":"integer","minimum":0,"maximum":86400000}"#)
        case .ifMatch: Self.header("If-Match", #"{"type":"string","pattern":"^\"[0-9]{1,18}\"$"}"#)
        case .ifNoneMatch: Self.header("If-None-Match", Schema.text)
        case .ifNoneYet: Self.header("If-None-Match", #"{"const":"*"}"#)
        case .lastEvent: Self.header("Last-Event-ID", #"{"type":"string","pattern":"^[0-9]{0,18}$"}"#)
        case .lastEventKey: Self.query(OperationReader.lastEventKey, #"{"type":"string","pattern":"^[0-9]{1,18}$"}"#)
        }
    }

    private static func query(_ name: String, _ schema: String) -> String { Self.parameter(name, "query", schema) }

    private static func header(_ name: String, _ schema: String) -> String { Self.parameter(name, "header", schema) }

    private static func parameter(_ name: String, _ place: String, _ schema: String) -> String {
        #"{"name":"\#(name)","in":"\#(place)","schema":\#(schema)}"#
    }
}

/// The words of the document about an operation.
private struct OperationWords {
    typealias Answer = (status: Int, text: String, content: [String])

    let summary: String
    var parameters: [Parameter] = []
    var body: String?
    var needsBody = true
    let answers: [Answer]

    private static let json = "application/json"
    private static let events = "text/event-stream"

    init(_ operation: Endpoint.Operation) {
        switch operation {
        case .list:
            self.init("The names of channels, in order", [.pattern, .after, .limit], "The names")
        case .create:
            self.init("Makes a channel", body: Schema.channel, answers: [(201, "The revision", [Self.json])])
        case .get:
            self.init(
                "The value of a channel, or a stream of its values",
                [.side, .interval, .ifNoneMatch, .lastEvent, .lastEventKey],
                answers: [
                    (200, "The value, or events value, completed and error", [Self.json, Self.events]),
                    (204, "There is no value, or the stream has sent its end", []),
                    (304, "The value is the one that the client has", []),
                ]
            )
        case .set: self.init("Gives a channel a value", [.side, .sync, .ifMatch, .ifNoneYet], body: Schema.any)
        case .delete: self.init("Deletes a channel", [.sync])
        case .complete: self.init("Completes a channel", [.sync])
        case .fail: self.init("Ends a channel with an error", [.sync], body: Schema.error)
        case .reopen: self.init("Opens a channel that has ended", [.sync])
        case .transact: self.init("Sets several channels, all or none", body: Schema.transaction)
        case .watch: self.init("Changes of all channels of a pattern", [.pattern], stream: "changed and synced")
        case .commands: self.init("The names of commands, in order", [.pattern, .after, .limit], "The names")
        case .exec:
            self.init(
                "Executes a command; the end of the request cancels it",
                body: Schema.any,
                answers: [
                    (200, "Events value, completed and error; or the last value", [Self.events, Self.json]),
                    (204, "The command completed without a value", []),
                ]
            )
            self.needsBody = false
        case .observe: self.init("The states of a command", stream: "state and failed")
        case .sessionState: self.init("Whether the daemon is closed, and who the client is", "The state")
        case .signIn:
            self.init(
                "Begins a session for a token or a one-time code, in a cookie",
                body: Schema.signIn,
                answers: [(204, "The session has begun", [])]
            )
            self.needsBody = false
        case .signOut: self.init("Ends the session of the cookie", answers: [(204, "There is no session", [])])
        case .makeCode:
            self.init(
                "Makes a one-time code with which a page signs in",
                answers: [
                    (200, "The code, and the seconds for which it works", [Self.json]),
                    (204, "The daemon is open: its page needs no code", []),
                ]
            )
        case .document: self.init("This document", "The document")
        case .webSocket:
            self.init("The protocol in messages of a WebSocket", answers: [(101, "The WebSocket begins", [])])
        }
    }

    private init(_ summary: String, _ parameters: [Parameter] = [], body: String? = nil, answers: [Answer]) {
        self.summary = summary
        self.parameters = parameters
        self.body = body
        self.answers = answers
    }

    private init(
        _ summary: String,
        _ parameters: [Parameter] = [],
        _ answer: String = "The revision",
        body: String? = nil
    ) {
        self.init(summary, parameters, body: body, answers: [(200, answer, [Self.json])])
    }

    private init(_ summary: String, _ answer: String) {
        self.init(summary, [], answer)
    }

    private init(_ summary: String, _ parameters: [Parameter] = [], stream events: String) {
        self.init(summary, parameters, answers: [(200, "Events \(events)", [Self.events])])
    }
}
