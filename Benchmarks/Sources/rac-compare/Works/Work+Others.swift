import LoadGenerator

extension Work {
    static func pingPong(_ options: RunOptions) -> Work {
        let pingPong = PingPong(trips: options.isQuick ? 1000 : 10_000, valueBytes: 20)
        return Work(
            name: "pingpong",
            title: "Ping-pong: microseconds from a send until the other client has it",
            explanation: [
                "Two clients, a channel each way, one message at a time, 20 bytes. Everybody",
                "sleeps until something comes.",
            ],
            figures: [
                Figure(name: "p50", title: "p50 µs", decimals: 1, better: .less),
                Figure(name: "p99", title: "p99 µs", decimals: 1, better: .less),
                Figure(name: "p99.9", title: "p99.9 µs", decimals: 1, better: .less),
                Figure(name: "mean", title: "mean µs", decimals: 1, better: .less),
                Figure(name: "cpu", title: "CPU s/million", decimals: 1, better: .less),
            ],
            cells: [
                Cell(label: "2 clients", chartTitle: "Ping-pong, one pass, median") { starter in
                    var result = try starter.with { try pingPong.measure($0) }
                    return [
                        "p50": result.pass.microseconds(at: 0.5),
                        "p99": result.pass.microseconds(at: 0.99),
                        "p99.9": result.pass.microseconds(at: 0.999),
                        "mean": result.pass.meanMicroseconds,
                        "cpu": result.serverCPUSeconds / Double(result.passes) * 1e6,
                    ]
                }
            ]
        )
    }

    static func handshakes(_ options: RunOptions, spins: Bool) -> Work {
        let underWay = 64
        let handshakes = Handshakes(underWay: underWay, seconds: options.duration, spins: spins)
        return Work(
            name: "handshakes",
            title: "Handshakes: milliseconds of the server's processor for a new connection",
            explanation: [
                "A full handshake of TLS, until the server has answered the client's first",
                "message; then the connection ends, and another one begins. The generator needs",
                "more time for one than the servers, so their time is told and not the rate.",
            ],
            figures: [
                Figure(name: "cpu", title: "CPU ms each", decimals: 3, better: .less),
                Figure(name: "rate", title: "taken/s", decimals: 0, better: .neither),
                Figure(name: "p50", title: "p50 ms", decimals: 2, better: .less),
                Figure(name: "p99", title: "p99 ms", decimals: 2, better: .less),
                Figure(name: "server", title: "server %", decimals: 0, better: .neither),
                Figure(name: "generator", title: "generator %", decimals: 0, better: .neither),
            ],
            cells: [
                Cell(label: "\(underWay) under way", chartTitle: "Processor time of a TLS handshake, ms") { starter in
                    var result = try starter.with { try handshakes.measure($0) }
                    return [
                        "rate": Double(result.connections) / result.seconds,
                        "p50": result.latency.microseconds(at: 0.5) / 1000,
                        "p99": result.latency.microseconds(at: 0.99) / 1000,
                        "cpu": result.serverCPUSeconds / Double(max(result.connections, 1)) * 1e3,
                        "server": 100 * result.serverCPUSeconds / result.seconds,
                        "generator": 100 * result.generatorCPUSeconds / result.seconds,
                    ]
                }
            ]
        )
    }

    static func durable(_ options: RunOptions) -> Work {
        Work(
            name: "durable",
            title: "Durable sets: a second, on disk before they are answered",
            explanation: [
                "Each value is under way to a channel of its own, 20 bytes. Servers may use every",
                "core, except in the row for one core. SQLite: no server, one transaction of as",
                "many sets as are under way in all, WAL, synchronous=FULL.",
            ],
            figures: [
                Figure(name: "rate", title: "sets/s", decimals: 0, better: .more),
                Figure(name: "p50", title: "p50 ms", decimals: 3, better: .less),
                Figure(name: "p99", title: "p99 ms", decimals: 3, better: .less),
                Figure(name: "cpu", title: "CPU s/million", decimals: 1, better: .less),
            ],
            cells: [
                self.durable("1 client", clients: 1, underWay: 1, options),
                self.durable("64 clients", clients: 64, underWay: 1, options, isInChart: true),
                self.durable("64 clients, one core", clients: 64, underWay: 1, options, isOnAnyCore: false),
                self.durable("1 client, 64 under way", clients: 1, underWay: 64, options, isInChart: true),
            ]
        )
    }

    private static func durable(
        _ label: String,
        clients: Int,
        underWay: Int,
        _ options: RunOptions,
        isInChart: Bool = false,
        isOnAnyCore: Bool = true
    ) -> Cell {
        let sets = DurableSets(clients: clients, underWay: underWay, valueBytes: 20, seconds: options.duration)
        return Cell(
            label: label,
            purpose: .durable,
            isOnAnyCore: isOnAnyCore,
            chartTitle: isInChart ? "Durable sets, \(label)" : nil,
            measure: { starter in
                let result = try starter.with { try sets.measure($0) }
                var figures = Self.figures(result.setsPerSecond, result.latency)
                figures["cpu"] = result.serverCPUSecondsPerMillion
                return figures
            },
            yardstick: (
                name: "SQLite alone",
                measure: { folder in
                    let sets = clients * underWay
                    let loop = SQLiteLoop(path: "\(folder)/yardstick.sqlite", sets: sets, valueBytes: 20)
                    let commits = try loop.measure(seconds: options.duration)
                    return Self.figures(commits.perSecond * Double(sets), commits.latency)
                }
            )
        )
    }

    private static func figures(_ perSecond: Double, _ latency: Distribution) -> Figures {
        var latency = latency
        return [
            "rate": perSecond,
            "p50": latency.microseconds(at: 0.5) / 1000,
            "p99": latency.microseconds(at: 0.99) / 1000,
        ]
    }

    static func idle(_ options: RunOptions) -> Work {
        let count = options.isQuick ? 1000 : 10_000
        let idle = IdleConnections(connections: count, holdSeconds: options.isQuick ? 0.3 : 2)
        return Work(
            name: "idle",
            title: "Idle connections: KiB of the server's memory each",
            explanation: [
                "\(Double(count).text(decimals: 0)) connections bound to one channel, doing nothing. Memory is what is in RAM,",
                "without what the kernel keeps for sockets; private is what no other program shares.",
            ],
            figures: [
                Figure(name: "resident", title: "KiB each", decimals: 2, better: .less),
                Figure(name: "private", title: "private KiB each", decimals: 2, better: .less),
                Figure(name: "bind", title: "bound in s", decimals: 2, better: .less),
                Figure(name: "base", title: "without any MiB", decimals: 1, better: .less),
            ],
            cells: [
                Cell(label: "\(Double(count).text(decimals: 0)) bound", chartTitle: "Memory of an idle connection") {
                    starter in
                    let result = try starter.with { try idle.measure($0) }
                    return [
                        "resident": (result.after.residentKiB - result.before.residentKiB) / Double(count),
                        "private": (result.after.privateKiB - result.before.privateKiB) / Double(count),
                        "bind": result.bindSeconds,
                        "base": result.before.residentKiB / 1024,
                    ]
                }
            ]
        )
    }

    static func channels(_ options: RunOptions) -> Work {
        let count = options.isQuick ? 10_000 : 100_000
        let channels = ManyChannels(channels: count, valueBytes: 20)
        return Work(
            name: "channels",
            title: "Many channels: seconds to start with \(Double(count).text(decimals: 0)) of them",
            explanation: [
                "Each has a value of 20 bytes, stored by one client. Peers: retained messages and",
                "a subscription to all; a JetStream stream with one message a subject, and a",
                "consumer; keys, asked for by name with MGET: Redis has no like of a watch.",
            ],
            figures: [
                Figure(name: "start", title: "start s", decimals: 3, better: .less),
                Figure(name: "empty", title: "start empty s", decimals: 3, better: .less),
                Figure(name: "each", title: "bytes each", decimals: 0, better: .less),
                Figure(name: "watch", title: "all told in s", decimals: 3, better: .less),
                Figure(name: "fill", title: "stored in s", decimals: 2, better: .less),
            ],
            faults: [(name: "missing", text: "values were not there after the new start")],
            cells: [
                Cell(
                    label: "\(Double(count).text(decimals: 0)) channels",
                    purpose: .kept,
                    chartTitle: "Start with \(Double(count).text(decimals: 0)) channels"
                ) { starter in
                    let result = try channels.measure(starter.start)
                    return [
                        "start": result.startSeconds,
                        "empty": result.emptyStartSeconds,
                        "each": 1024 * (result.full.residentKiB - result.empty.residentKiB) / Double(count),
                        "watch": result.watchSeconds,
                        "fill": result.fillSeconds,
                        "missing": Double(result.missing),
                    ]
                }
            ]
        )
    }
}
