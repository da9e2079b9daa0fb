import Expectations
import Foundation
import Glibc
import NIOCore
import Testing

@testable import RacServer

@Suite(.oneThreadAndThree, .timeLimit(.minutes(10))) struct ListenersTests {
    @Test("One daemon listens on TCP and a unix socket at once, and reports real ports")
    func both() async throws {
        let folder = try TestFolder()
        let path = folder.path + "/racd.sock"
        let change: (inout ServerConfiguration) -> Void = { $0.addresses.append(.unix(path: path)) }
        try await RunningDaemon.serving(change) { daemon in
            expect(daemon.addresses.last == .unix(path: path))
            guard case .tcp("127.0.0.1", let port) = daemon.addresses.first else { throw Surprise(what: "no TCP") }
            #expect(port > 0)
            let tcp = try await daemon.welcomed(at: 0)
            let unix = try await daemon.welcomed(at: 1)
            _ = try await tcp.bind("a")
            expect(try await unix.ask(#"{"op":"set","id":1,"channel":"a","value":1}"#).code == nil)
            expect(try await tcp.hear().value == "1")
        }
    }

    @Test("A socket file that nobody listens on is replaced")
    func stale() async throws {
        let folder = try TestFolder()
        let path = folder.path + "/racd.sock"
        try Self.leaveSocket(at: path)
        try await RunningDaemon.serving({ $0.addresses = [.unix(path: path)] }) { daemon in
            _ = try await daemon.welcomed()
        }
    }

    /// A socket file that a killed program has left.
    private static func leaveSocket(at path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { Glibc.close(descriptor) }
        let bound = try SocketAddress(unixDomainSocketPath: path).withSockAddr { bind(descriptor, $0, socklen_t($1)) }
        try #require(bound == 0 && listen(descriptor, 1) == 0)
    }

    @Test("A daemon that stops leaves the socket file of its successor alone, and removes its own")
    func successor() async throws {
        let folder = try TestFolder()
        let path = folder.path + "/racd.sock"
        let first = try await RunningDaemon { $0.addresses = [.unix(path: path)] }
        try FileManager.default.removeItem(atPath: path)
        try await RunningDaemon.serving({ $0.addresses = [.unix(path: path)] }) { second in
            try await first.stop()
            _ = try await second.welcomed()
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A name with several addresses is listened on at all of them, with one port")
    func name() async throws {
        let hosts = ["127.0.0.1", "127.0.0.2"]
        try await RunningLoops.listening(
            at: .tcp(host: "lab.example", port: 0),
            resolve: { _, port in hosts.compactMap { try? SocketAddress(ipAddress: $0, port: port) } }
        ) { addresses, _ in
            let port = try #require(addresses.first?.configured.place?.port)
            #expect(port > 0)
            expect(addresses.map(\.configured) == [.tcp(host: "lab.example", port: port)])
            expect(addresses.map(\.places) == [hosts.map { .tcp(host: $0, port: port) }])
            for place in addresses[0].places {
                let client = try SocketClient(place)
                #expect(try await client.ask(Wire.hello).isWelcome)
            }
        }
    }

    @Test("An address of a name that the machine does not have is left out")
    func missingAddress() async throws {
        // The block 192.0.2.0/24 is for documents.
        let hosts = ["192.0.2.1", "127.0.0.1"]
        try await RunningLoops.listening(
            at: .tcp(host: "lab.example", port: 0),
            resolve: { _, port in hosts.compactMap { try? SocketAddress(ipAddress: $0, port: port) } }
        ) { addresses, _ in
            expect(addresses[0].places.map { $0.place?.host } == ["127.0.0.1"])
            let client = try SocketClient(addresses[0].places[0])
            #expect(try await client.ask(Wire.hello).isWelcome)
        }
        let error = await #expect(throws: ServerError.self) {
            try await RunningDaemon { $0.addresses = [.tcp(host: "192.0.2.1", port: 0)] }
        }
        expect(error?.description == "cannot listen on 192.0.2.1:0: this machine does not have that address")
    }

    @Test("A star is all addresses of the machine, and a wildcard of IPv6 leaves IPv4 to an address with its port")
    func wildcards() async throws {
        try await RunningDaemon.serving({ $0.addresses = [.tcp(host: "*", port: 0)] }) { daemon in
            expect(daemon.addresses.first?.place?.host == "0.0.0.0")
            let port = try #require(daemon.addresses.first?.place?.port)
            let four = try SocketClient(.tcp(host: "127.0.0.1", port: port))
            #expect(try await four.ask(Wire.hello).isWelcome)
            guard daemon.addresses.count > 1 else { return }
            expect(daemon.addresses[1] == .tcp(host: "::", port: port))
            let six = try SocketClient(.tcp(host: "::1", port: port))
            #expect(try await six.ask(Wire.hello).isWelcome)
        }
        let (four, six) = (ListenAddress.tcp(host: "127.0.0.1", port: 7220), ListenAddress.tcp(host: "::", port: 7220))
        #expect(six.leavesIPv4(to: [six, four]))
        #expect(!six.leavesIPv4(to: [six, .tcp(host: "127.0.0.1", port: 7221)]))
        #expect(!six.leavesIPv4(to: [six]))
    }

    @Test("A name that stands for no address is reported in one line")
    func unknownName() async throws {
        let error = await #expect(throws: ServerError.self) {
            try await RunningLoops.listening(at: .tcp(host: "lab.example", port: 0), resolve: { _, _ in [] }) { _, _ in
            }
        }
        expect(error?.description == "cannot listen on lab.example:0: the name cannot be resolved")
    }

    @Test("A unix socket of another program is left alone")
    func live() async throws {
        let folder = try TestFolder()
        let address = ListenAddress.unix(path: folder.path + "/racd.sock")
        try await RunningDaemon.serving({ $0.addresses = [address] }) { daemon in
            let error = await #expect(throws: ServerError.self) { try await RunningDaemon { $0.addresses = [address] } }
            expect(error?.description.hasPrefix("cannot listen on \(address): another program listens there") == true)
            _ = try await daemon.welcomed()
        }
    }

    @Test("A file that is no socket is left alone")
    func noSocket() async throws {
        let folder = try TestFolder()
        let path = folder.path + "/notes.txt"
        try Data("notes".utf8).write(to: URL(filePath: path))
        let error = await #expect(throws: ServerError.self) {
            try await RunningDaemon { $0.addresses = [.unix(path: path)] }
        }
        expect(error?.description.contains("no socket") == true)
        expect(FileManager.default.contents(atPath: path) == Data("notes".utf8))
    }

    @Test("A taken port and a missing folder are reported in one line")
    func inUse() async throws {
        try await RunningDaemon.serving { daemon in
            let error = await #expect(throws: ServerError.self) {
                try await RunningDaemon { $0.addresses = [.tcp(host: "127.0.0.1", port: 0), daemon.addresses[0]] }
            }
            let line = "cannot listen on \(daemon.addresses[0]): another program listens there"
            expect(error?.description.hasPrefix(line) == true)
        }
        let error = await #expect(throws: ServerError.self) {
            try await RunningDaemon { $0.addresses = [.unix(path: "/nowhere/at/all.sock")] }
        }
        expect(error?.description.contains("the folder of the socket does not exist") == true)
    }

    @Test("A daemon that cannot listen frees its data folder")
    func freesFolder() async throws {
        let folder = try TestFolder()
        let storage = ServerConfiguration.Storage.folder(folder.path + "/data", .normal)
        await #expect(throws: ServerError.self) {
            try await RunningDaemon(storage: storage) { $0.addresses = [.unix(path: "/nowhere/at/all.sock")] }
        }
        try await RunningDaemon.serving(storage: storage) { _ = try await $0.welcomed() }
    }

    @Test("The system asks a silent client whether it is still there")
    func keepAlive() async throws {
        try await RunningDaemon.serving { daemon in
            let client = try await daemon.welcomed()
            guard case .tcp(_, let port) = daemon.addresses[0] else { throw Surprise(what: "no TCP") }
            expect(try await client.ask(#"{"op":"ping","id":1}"#).code == nil)
            // The daemon's end of the connection is a descriptor of this process.
            let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            expect(names.compactMap { Int32($0).flatMap { Self.asksSilentClient($0, on: port) } } == [true])
            expect(try await client.ask(#"{"op":"ping","id":2}"#).code == nil)
        }
    }

    @Test("Clients beyond the limit wait outside when a few have learnt why they are refused, and come in later")
    func gate() async throws {
        try await RunningDaemon.serving({ $0.maximumConnections = 2 }) { daemon in
            guard case .tcp(_, let port) = daemon.addresses[0] else { throw Surprise(what: "no TCP") }
            func accepted() throws -> Int {
                let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                return names.compactMap { Int32($0).flatMap { Self.asksSilentClient($0, on: port) } }.count
            }
            let known = [try await daemon.welcomed(), try await daemon.welcomed()]
            let most = known.count + Admission.refusedCount + 3
            var flood: [SocketClient] = []
            for _ in 0..<300 {
                flood.append(try daemon.client())
                #expect(try accepted() <= most)
            }
            expect(try await flood[0].hear().code == "limit")
            expect(try await known[1].ask(#"{"op":"ping","id":1}"#).code == nil)
            flood = []
            known[0].hangUp()
            var welcome: Heard?
            while welcome?.isWelcome != true { welcome = try? await daemon.client().ask(Wire.hello) }
        }
    }

    @Test("A client of a Unix socket gets a place when clients of TCP have all of them")
    func localPlaces() async throws {
        let folder = try TestFolder()
        let addresses = [ListenAddress.tcp(host: "127.0.0.1", port: 0), .unix(path: folder.path + "/s")]
        try await RunningDaemon.serving({
            $0.addresses = addresses
            $0.maximumConnections = 1
        }) { daemon in
            let client = try await daemon.welcomed()
            expect(try await daemon.client().hear().code == "limit")
            let local = try await daemon.welcomed(at: 1)
            expect(try await local.ask(#"{"op":"ping","id":1}"#).code == nil)
            expect(try await client.ask(#"{"op":"ping","id":1}"#).code == nil)
        }
    }

    /// Whether the system asks the client of a connection to a port; nil if the descriptor is no such connection.
    private static func asksSilentClient(_ descriptor: Int32, on port: Int) -> Bool? {
        // The family, in the order of the machine, and the port, in that of the network, begin an address of IPv4.
        var (own, other) = ([UInt8](repeating: 0, count: 128), [UInt8](repeating: 0, count: 128))
        // A call puts the length of the whole address here, which for a path is more than the room.
        var (ownLength, otherLength) = (socklen_t(own.count), socklen_t(other.count))
        let isConnected = own.withUnsafeMutableBytes { own in
            other.withUnsafeMutableBytes { other in
                getsockname(descriptor, own.assumingMemoryBound(to: sockaddr.self).baseAddress, &ownLength) == 0
                    && getpeername(descriptor, other.assumingMemoryBound(to: sockaddr.self).baseAddress, &otherLength)
                        == 0
            }
        }
        guard isConnected, own[0] == AF_INET, Int(own[2]) << 8 | Int(own[3]) == port else { return nil }
        var asks: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &asks, &length) == 0 && asks != 0
    }
}
