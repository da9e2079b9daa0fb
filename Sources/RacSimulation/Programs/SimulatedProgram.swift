import NIOCore
import Rac
import RacClient
import RacProtocol
import RacTesting

/// A program that uses the daemon through `RacClient`, from its public face down to its channel handler.
final class SimulatedProgram: Participant {
    let number: Int
    let plan: ClientPlan
    unowned let world: World
    /// Nil before the beginning, and while the program is away.
    var client: Client?
    var views: [SimulatedView] = []
    var commands: ProgramCommands
    private(set) var watch: SimulatedWatch?
    private var tie: ChannelLink?
    /// The observation of the client's connection.
    private var state: Subscription?
    /// The number of clients that it has had.
    private var lives: UInt64 = 0
    /// The number of requests without an answer.
    private var waiting = 0

    private(set) var link: Link?
    /// The ends of a channel before this program first ended it; all its views of a channel end together.
    private(set) var endsBefore: [ChannelName: Int] = [:]
    /// The number of the newest connection that was open.
    private(set) var lastLink = 0
    private var channel: SimulatedChannel?
    private var tap = Wiretap()
    var stalledUntil: Microseconds = 0
    var extraDelay: Microseconds = 0
    var awayUntil: Microseconds = 0

    init(number: Int, world: World) {
        self.number = number
        self.plan = world.plan.clients[number]
        self.world = world
        self.commands = ProgramCommands(count: world.plan.commands.count)
    }

    private var isReady: Bool { self.client?.connection.value.isLive ?? false }

    /// A view of the program ends a channel.
    func ends(_ channel: ChannelName) {
        guard self.endsBefore[channel] == nil else { return }
        self.endsBefore[channel] = self.world.ledger.truth.ends[channel, default: 0]
    }
}

// MARK: Its life

extension SimulatedProgram {
    func connects() {
        self.lives += 1
        let me = NIOLoopBound(self, eventLoop: self.world.loop)
        let surroundings = ClientSurroundings(
            session: "session \(self.number + 1).\(self.lives)",
            random: SeededRandom(seed: self.world.plan.seed ^ UInt64(self.number) ^ self.lives << 32)
        ) { _, _, initialize in me.value.dials(initialize) }
        var configuration = Self.configuration
        let token = self.plan.principal.flatMap { try? AccessToken(PrincipalPlan.token(of: $0)) }
        configuration.token = token.map { .token($0) }
        let client = Client(.local, configuration: configuration, on: self.world.loop, in: surroundings)
        self.client = client
        self.state = client.connection.signal.observe { event in
            guard case .value(.refused(let error)) = event, error.code == .unauthenticated else { return }
            me.value.world.loop.execute { me.value.isRefused() }
        }
        self.views = self.plan.isLink ? [] : self.plan.terminals.map { SimulatedView($0, of: self) }
        for view in self.views { view.binds(client) }
        if self.plan.observes { self.observesAll(client) }
        if self.plan.watches { self.watch = SimulatedWatch(client, self) }
        if self.plan.isLink { self.tie = self.ties(client) }
    }

    private static let configuration = {
        var configuration = ClientConfiguration()
        configuration.connectTimeout = .milliseconds(1_500)
        configuration.closeTimeout = .milliseconds(200)
        configuration.longestPause = .seconds(1)
        return configuration
    }()

    private func ties(_ client: Client) -> ChannelLink? {
        let names = self.plan.terminals.map { self.world.plan.channels[$0.channel].name.text }
        return try? client.link(names[0], names[1])
    }

    /// The daemon has turned the client away, which has ended for good; another one comes when the rules allow it.
    private func isRefused() {
        guard case .refused = self.client?.connection.value else { return }
        self.client = nil
        self.commands = ProgramCommands(count: self.world.plan.commands.count)
        self.watch = nil
        self.world.turnsAway(self.number)
    }

    /// Says bye, and comes back later as another client.
    func leaves() {
        guard let client = self.client else { return }
        self.client = nil
        self.commands = ProgramCommands(count: self.world.plan.commands.count)
        self.watch = nil
        self.begin {
            await client.close()
        } whenDone: { program in
            let me = NIOLoopBound(program, eventLoop: program.world.loop)
            _ = program.world.loop.scheduleTask(in: .milliseconds(50)) { me.value.connects() }
        }
    }

    /// Begins a task; the history waits for its end.
    func begin(
        _ work: @escaping @Sendable () async throws -> Void,
        whenDone: @escaping @Sendable (SimulatedProgram) -> Void = { _ in }
    ) {
        self.waiting += 1
        let me = NIOLoopBound(self, eventLoop: self.world.loop)
        Task(executorPreference: self.world.executor) {
            try? await work()
            me.value.waiting -= 1
            whenDone(me.value)
        }
    }

    func goes() {
        self.channel?.lost()
        self.client = nil
        self.views = []
        self.commands = ProgramCommands(count: self.world.plan.commands.count)
        self.watch = nil
        self.tie = nil
        self.state = nil
    }

    func checkRest() throws(Violation) {
        try hold(.rest, self.isReady || self.isTurnedAway, "\(self.name) never came back to the daemon")
        try hold(.rest, self.waiting == 0, "\(self.name) waits for \(self.waiting) answers that nobody gives")
        for view in self.views { try view.checkRest() }
        if self.isTurnedAway { return }
        try self.watch?.checkRest()
        try self.checkPlaces()
    }
}

// MARK: Its connections

extension SimulatedProgram {
    private func dials(
        _ initialize: ClientSurroundings.Initialize
    ) -> EventLoopFuture<any NIOCore.Channel> {
        let dialing = self.world.loop.makePromise(of: (any NIOCore.Channel).self)
        let channel = SimulatedChannel(self, on: self.world.loop, dialing)
        // A link that is impossible fails at once, before it sends anything.
        _ = initialize(channel)
        if let link = self.world.connect(self) {
            self.link = link
            self.channel = channel
        } else {
            self.world.loop.execute { channel.lost() }
        }
        return dialing.futureResult
    }

    func opened(_ link: Link) {
        self.lastLink = link.number
        self.tap = Wiretap()
        self.channel?.opened()
    }

    func couldNotConnect() {
        self.channel?.lost()
    }

    func received(_ bytes: ByteBuffer) throws(Violation) {
        guard let link = self.link, let channel = self.channel else { return }
        for heard in try self.tap.heard(bytes) {
            self.world.timeline?.arrived(heard.payload, at: link)
            try self.world.ledger.told(heard.message, link.number, answering: heard.request)
            for view in self.views { view.overhears(heard.message, heard.request) }
        }
        channel.read(bytes)
    }

    func closed() {
        self.channel?.lost()
    }

    func hangUp() {
        self.channel?.lost()
    }

    /// The client has written something.
    func says(_ bytes: ByteBuffer, over channel: SimulatedChannel) {
        guard channel === self.channel, let link = self.link else { return }
        do {
            let messages = try self.tap.said(bytes)
            let isActivity = messages.contains { $0 != .ping && $0 != .pong }
            self.world.carry(self.altered(messages) ?? bytes, .up, on: link, isActivity: isActivity)
        } catch {
            self.world.broken = error
        }
    }

    /// The client's message after a mistake on purpose.
    private func altered(_ messages: [ClientMessage]) -> ByteBuffer? {
        guard let sabotage = self.world.sabotage else { return nil }
        var bytes = ByteBuffer()
        for message in messages where !(sabotage == .forgottenPlace && self.asksForPlace(message)) {
            sabotage.alteredByClient(message).write(to: &bytes)
        }
        return bytes
    }

    /// Whether the client asks again for the place of another host.
    private func asksForPlace(_ message: ClientMessage) -> Bool {
        guard case .request(_, .host(let host)) = message else { return false }
        return zip(self.world.plan.commands, self.commands.hosted).contains { command, hosting in
            command == host.command && hosting?.hosted.problem.value?.code == .alreadyHosted
        }
    }

    /// The client has closed its connection, or has found it closed.
    func closed(_ channel: SimulatedChannel) {
        guard channel === self.channel, let link = self.link else { return }
        self.channel = nil
        self.link = nil
        self.world.hangUp(link, by: .client)
        if self.world.sabotage == .lossIsEnd { for view in self.views { view.heard(.completed) } }
    }
}
