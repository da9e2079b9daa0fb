import Glibc
internal import LoadGenerator

/// A daemon of a few words: it welcomes one client, binds its one terminal and then sends values as fast as they fit.
///
/// The frames are made beforehand and only their revisions change, so the receiving client is what limits the rate.
struct ValueFeed: Sendable {
    /// One shared channel, or one side of a paired one.
    let mode: String
    /// The JSON texts that the values repeat.
    let texts: [String]

    private static let firstRevision = 1_000_000_000
    /// The number of frames in one write.
    private static let burst = 1024
    private let listener: Int32
    let port: Int

    init(mode: String, texts: [String]) throws {
        self.mode = mode
        self.texts = texts
        self.listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = self.listener
        let listens = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard listens else { throw FeedError.socket(errno) }
        self.port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Serves the one client until it hangs up.
    func serve() throws {
        let client = accept(self.listener, nil, nil)
        defer {
            close(client)
            close(self.listener)
        }
        var received: [UInt8] = []
        _ = try Self.request(#""op":"hello""#, from: client, &received)
        let welcome =
            #"{"op":"welcome","version":1,"server":"feed","epoch":"1","heartbeat":0,"maxFrame":8388608,"deflate":false}"#
        try Self.send(Self.frame(welcome), to: client)
        let id = try Self.request(#""op":"bind""#, from: client, &received)
        let bound = #"{"op":"reply","id":\#(id),"t":13,"rev":1,"state":"open","mode":"\#(self.mode)","n":0}"#
        try Self.send(Self.frame(bound), to: client)
        try self.sendValues(to: client)
    }

    /// Sends until the client hangs up, so that it lacks no value, however late it begins to observe.
    private func sendValues(to client: Int32) throws {
        var bytes: [UInt8] = []
        var places: [Int] = []
        for index in 0..<Self.burst {
            let start = #"{"op":"next","t":13,"rev":"#
            let rest = #","value":\#(self.texts[index % self.texts.count])}"#
            places.append(bytes.count + 4 + start.utf8.count)
            bytes += Self.frame("\(start)\(Self.firstRevision)\(rest)")
        }
        var revision = Self.firstRevision
        while true {
            for place in places {
                Self.write(revision, into: &bytes, at: place)
                revision += 1
            }
            try Self.send(bytes, to: client)
        }
    }

    /// Writes ten digits.
    private static func write(_ number: Int, into bytes: inout [UInt8], at place: Int) {
        var rest = number
        for digit in stride(from: place + 9, through: place, by: -1) {
            bytes[digit] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }

    private static func frame(_ text: String) -> [UInt8] {
        withUnsafeBytes(of: UInt32(text.utf8.count).bigEndian, Array.init) + Array(text.utf8)
    }

    /// Waits for a message with those words and returns its request's number, 0 if it has none.
    private static func request(_ words: String, from client: Int32, _ received: inout [UInt8]) throws -> Int {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            while received.count >= 4 {
                let length = received.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                guard received.count >= 4 + length else { break }
                let text = String(decoding: received[4..<4 + length], as: UTF8.self)
                received.removeFirst(4 + length)
                guard text.contains(words) else { continue }
                return text.split(separator: #""id":"#).dropFirst().first.flatMap { Int($0.prefix(while: \.isNumber)) }
                    ?? 0
            }
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { throw FeedError.socket(errno) }
            received += buffer.prefix(count)
        }
    }

    private static func send(_ bytes: [UInt8], to client: Int32) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                Glibc.send(client, all.baseAddress.map { $0 + sent }, all.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw FeedError.socket(errno) }
            sent += count
        }
    }
}

enum FeedError: Error {
    case socket(Int32)
}
