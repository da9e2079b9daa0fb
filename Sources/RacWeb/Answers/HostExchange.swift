import NIOCore
import NIOHTTP1
package import RacProtocol

/// The answer to one request of HTTP, made of the messages with which the host answers one request of the protocol.
///
/// Semantics: docs/web.md.
package struct HostExchange: Sendable {
    /// A part of the answer.
    package enum Part: Sendable {
        /// The whole answer.
        case whole(WebResponse)
        /// The head of a stream of events.
        case begin(WebResponse)
        case events(SplitText)
        /// The stream is over.
        case end
    }

    private let form: AnswerForm
    /// The channel that the request creates.
    private let created: ChannelName?
    /// The revision that the client of a stream has already.
    private let since: Revision?
    /// Whether the revision of the reply is that of the channel's value, which `ETag` stands for.
    private let isOfValue: Bool
    /// Whether the header `Accept` has selected the request or the form of its answer.
    private let variesByAccept: Bool
    private var hasBegun = false
    private var lastValue: JSONText?
    /// The beginning of the stream of a channel that has ended, until its end shows whether the client knows it.
    private var heldBeginning: [Part] = []

    package init(_ request: Request, _ form: AnswerForm) {
        self.form = form
        self.created = if case .create(let create) = request { create.channel } else { nil }
        self.since = if case .bind(let bind) = request { bind.since } else { nil }
        self.isOfValue =
            switch request {
            case .set: true
            case .create(let create): create.value != nil
            default: false
            }
        self.variesByAccept =
            switch request {
            case .get, .bind, .exec: true
            default: false
            }
    }

    /// Whether the head of a stream of events has been given.
    package var isStreaming: Bool { self.hasBegun }

    /// Whether the answer is a stream of events, which may not have begun.
    package var isOfEvents: Bool { self.form == .events }

    /// The bytes of the host that are kept until the answer is known.
    package var keptBytes: Int { self.lastValue?.byteCount ?? 0 }

    /// Whether a client that sends nothing more has given the answer up: a stream, or an execution, which is cancelled.
    package var endsWithInput: Bool { self.form == .events || self.form == .lastValue }

    /// The parts of the answer that follow from a message of the host.
    package mutating func received(_ message: ServerMessage) -> [Part] {
        switch message {
        case .reply(_, let reply): return self.replied(reply)
        case .refused(_, let refusal): return self.failed(refusal)
        case .ended(_, let end, let revision): return self.ended(end, revision)
        case .deleted: return [.events(.event("completed", SplitText(#"{"deleted":true}"#))), .end]
        case .progress(_, .next(let value)) where self.form == .lastValue:
            self.lastValue = value
            return []
        case .progress(_, .ended(let end)): return self.ended(end)
        default: return Self.event(of: message).map { [.events($0)] } ?? []
        }
    }

    /// The event that a message of the host is to each stream that has begun; nil if the message means anything else.
    package static func event(of message: ServerMessage) -> SplitText? {
        switch message {
        case .next(_, let valuation): .event("value", id: valuation.revision, SplitText(valuation.value))
        case .changed(let changed): .event("changed", changed.object)
        case .synced: .event("synced", SplitText("{}"))
        case .state(_, let state): .event("state", state.object)
        case .failed(_, _, let error): .event("failed", .error(error))
        case .progress(_, .next(let value)): .event("value", SplitText(value))
        default: nil
        }
    }

    /// The parts of the answer if the connection has to end for a reason.
    package mutating func failed(_ refusal: Refusal) -> [Part] {
        guard self.hasBegun else {
            var problem = WebProblem(refusal)
            // A condition that the client did not set is none that failed.
            if self.created != nil, problem.status == .preconditionFailed {
                problem = WebProblem(.conflict, refusal.error.code, refusal.error.message)
            }
            return [.whole(self.varied(WebResponse(problem)))]
        }
        return [.events(.event("error", .error(refusal.error))), .end]
    }

    /// The parts of the end of a channel or of an execution; a channel's end has a revision.
    ///
    /// A browser asks again when a stream is over. Only 204 stops it, once the end has been sent.
    private mutating func ended(_ end: ChannelEnd, _ revision: Revision? = nil) -> [Part] {
        if !self.heldBeginning.isEmpty {
            if self.since == revision { return [.whole(self.varied(WebResponse(.noContent)))] }
            self.hasBegun = true
        }
        defer { self.heldBeginning = [] }
        return self.heldBeginning + self.parts(of: end, revision)
    }

    private func parts(of end: ChannelEnd, _ revision: Revision?) -> [Part] {
        switch (end, self.form) {
        case (.completed, .lastValue):
            let answer = self.lastValue.map { WebResponse(json: SplitText($0)) } ?? WebResponse(.noContent)
            return [.whole(self.varied(answer))]
        case (.failed(let error), .lastValue): return [.whole(self.varied(WebResponse(WebProblem(Refusal(error)))))]
        case (.completed, _):
            return [.events(.event("completed", id: revision, SplitText("{}"))), .end]
        case (.failed(let error), _): return [.events(.event("error", id: revision, .error(error, revision))), .end]
        }
    }

    private mutating func replied(_ reply: Reply) -> [Part] {
        switch (self.form, reply) {
        case (.lastValue, _): return []
        case (.events, _): return self.begin(reply)
        case (_, .got(let got)): return [.whole(self.answer(got))]
        case (_, .revision(let revision)): return [.whole(self.answer(revision))]
        default: return [.whole(WebResponse(json: reply.object))]
        }
    }

    /// The answer to a request for a channel's value.
    private func answer(_ got: Got) -> WebResponse {
        guard case .value(let isWish, let known) = self.form else {
            return self.varied(Self.value(of: got, isWish: false))
        }
        return self.varied(Self.value(of: got, isWish: isWish, unless: known))
    }

    /// The answer to a change of one channel.
    private func answer(_ revision: Revision) -> WebResponse {
        let body = SplitText { $0.write(.rev, revision) }
        let tag = self.isOfValue ? revision : nil
        guard self.form == .created, let created else { return WebResponse(json: body, of: tag) }
        return WebResponse(.created, json: body, of: tag, [("Location", "channels/\(created.text.inPath)")])
    }

    private mutating func begin(_ reply: Reply) -> [Part] {
        // nginx holds an answer back until it is whole or fills a buffer, unless a header asks it not to.
        let head = WebResponse(
            .ok,
            [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")]
        )
        var parts = [Part.begin(self.varied(head))]
        var hasEnded = false
        switch reply {
        case .bound(let bound):
            if let value = bound.value { parts.append(.events(.event("value", id: bound.revision, SplitText(value)))) }
            hasEnded = bound.state != .open
        case .observing(_, let state): parts.append(.events(.event("state", state.object)))
        default: break
        }
        self.hasBegun = !hasEnded
        self.heldBeginning = hasEnded ? parts : []
        return hasEnded ? [] : parts
    }

    /// A whole answer, or the head of a stream, with the note for caches that `Accept` has selected its form.
    private func varied(_ response: WebResponse) -> WebResponse {
        var response = response
        response.variesByAccept = self.variesByAccept
        return response
    }

    private static func value(of got: Got, isWish: Bool, unless known: EntityTags? = nil) -> WebResponse {
        let revision = isWish ? got.wishRevision ?? .never : got.revision
        let channel = WebResponse.Channel(state: got.state.word, mode: got.mode)
        let headers = got.by.map { [("Rac-By", $0.inPath)] } ?? []
        if let known, known.contains(revision) {
            return WebResponse(.notModified, valueOf: channel, of: revision, headers)
        }
        guard let value = isWish ? got.wish : got.value else {
            return WebResponse(.noContent, valueOf: channel, of: revision, headers)
        }
        return WebResponse(.ok, valueOf: channel, value, of: revision, headers)
    }
}

extension SplitText {
    /// An event of a stream, as the HTML standard has it.
    static func event(_ name: String, id: Revision? = nil, _ data: SplitText) -> SplitText {
        var event = SplitText("event: \(name)\n\(id.map { "id: \($0.number)\n" } ?? "")data: ")
        for piece in data.pieces {
            switch piece {
            case .short(let text):
                event.append(text.withUnsafeReadableBytes { $0.hasLineEnd ? $0.asLinesOfData : text })
            case .long(let value):
                let lines = value.withBytes { $0.hasLineEnd ? $0.asLinesOfData : nil }
                if let lines { event.append(lines) } else { event.append(value) }
            }
        }
        event.append("\n\n")
        return event
    }

    /// A comment, which keeps a stream alive.
    package static let comment = SplitText(":\n\n")

    /// An error as the data of an event; that of a channel has the revision of its end, as in the protocol.
    fileprivate static func error(_ error: WireError, _ revision: Revision? = nil) -> SplitText {
        SplitText { object in
            object.write(.code, error.code)
            object.write(.message, error.message)
            object.write(.data, error.data)
            object.write(.rev, revision)
        }
    }
}

extension String {
    /// The text with percent signs for all bytes but those that a path and a header may have as they are.
    fileprivate var inPath: String {
        var text = ""
        for byte in self.utf8 {
            let isPlain =
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || "-._~/$@:".utf8.contains(byte)
            text += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }
}
