import LoadGenerator

extension Work {
    private static let trafficFigures = [
        Figure(name: "rate", title: "million/s", decimals: 3, better: .more),
        Figure(name: "cpu", title: "CPU s/million", decimals: 3, better: .less),
        Figure(name: "server", title: "server %", decimals: 0, better: .neither),
        Figure(name: "generator", title: "generator %", decimals: 0, better: .neither),
    ]
    private static let trafficFaults = [
        (name: "missing", text: "deliveries never came"),
        (name: "disorder", text: "deliveries came twice or out of order"),
    ]

    static func fanOut(_ options: RunOptions, spins: Bool) -> Work {
        var cells: [Cell] = []
        for bytes in options.isQuick ? [20] : [20, 256] {
            for (readers, window) in [(100, 1), (100, 32), (1000, 1), (1000, 32)] {
                let sends = window == 1 ? "one send" : "\(window) sends"
                let label = "1 : \(Double(readers).text(decimals: 0)), \(sends) under way, \(bytes) bytes"
                let topology = Topology(writers: 1, channels: 1, readers: readers, bindingsEach: 1)
                let traffic = options.traffic(topology, window: window, valueBytes: bytes, spins: spins)
                let isShown = readers == 1000 && bytes == 20
                let title = "Fan-out, 1 writer, 1 000 readers, \(sends) under way"
                cells.append(Cell(label, traffic, chartTitle: isShown ? title : nil))
            }
        }
        return Work(
            name: "fanout",
            title: "Fan-out: million deliveries a second of one channel",
            explanation: [
                "1 writer, each reader on a connection of its own. A send is under way until",
                "every reader has it. Peers: a core subject, a topic with QoS 0, PUBLISH.",
            ],
            figures: Self.trafficFigures,
            faults: Self.trafficFaults,
            cells: cells
        )
    }

    static func pairs(_ options: RunOptions, spins: Bool) -> Work {
        let topology = Topology(writers: 100, channels: 100, readers: 100, bindingsEach: 1)
        let traffic = options.traffic(topology, window: 32, valueBytes: 20, spins: spins)
        return Work(
            name: "pairs",
            title: "Pairs: million deliveries a second, 100 writers with a reader each",
            explanation: ["Each pair has a channel of its own; 32 sends of each writer under way, 20 bytes."],
            figures: Self.trafficFigures,
            faults: Self.trafficFaults,
            cells: [Cell("100 pairs", traffic, purpose: .pairs(100), chartTitle: "100 pairs of writer and reader")]
        )
    }

    static func random(_ options: RunOptions, spins: Bool) -> Work {
        let topology = Topology(writers: 10, channels: 1000, readers: 1000, bindingsEach: 10)
        let traffic = options.traffic(topology, window: 32, valueBytes: 20, spins: spins)
        return Work(
            name: "random",
            title: "Random writes: million deliveries a second, 1 000 readers of 10 channels each",
            explanation: [
                "1 000 channels with 10 readers each; 10 writers send to their 100 channels by",
                "chance, 32 sends of each under way, 20 bytes.",
            ],
            figures: Self.trafficFigures,
            faults: Self.trafficFaults,
            cells: [
                Cell(
                    "1 000 × 10 bindings",
                    traffic,
                    purpose: .routed,
                    chartTitle: "Random writes to 1 000 channels, 10 readers each"
                )
            ]
        )
    }

    static func stalled(_ options: RunOptions, spins: Bool) -> Work {
        let topology = Topology(writers: 1, channels: 1, readers: 9, bindingsEach: 1)
        let stalled = StalledReader(options.traffic(topology, window: 32, valueBytes: 256, spins: spins))
        return Work(
            name: "stalled",
            title: "A stalled reader among ten",
            explanation: [
                "1 writer, 32 sends under way to nine readers, 256 bytes; the tenth reads, then",
                "does not, then reads again when the writer has stopped: what it got of how many",
                "that were sent meanwhile, whether the newest (1), or the server had ended it (1).",
            ],
            figures: [
                Figure(name: "kept", title: "others' rate", decimals: 2, better: .more),
                Figure(name: "before", title: "before million/s", decimals: 3, better: .more),
                Figure(name: "grown", title: "memory + MiB", decimals: 1, better: .less),
                Figure(name: "got", title: "got", decimals: 0, better: .neither),
                Figure(name: "skipped", title: "skipped", decimals: 0, better: .neither),
                Figure(name: "newest", title: "newest", decimals: 0, better: .neither),
                Figure(name: "lost", title: "ended", decimals: 0, better: .neither),
            ],
            faults: [(name: "faults", text: "deliveries to the other nine were missing or out of order")],
            cells: [
                Cell(label: "1 of 10 stalled") { starter in
                    try starter.with { server in Self.figures(try stalled.measure(server)) }
                }
            ]
        )
    }

    private static func figures(_ result: StalledReader.Result) -> Figures {
        [
            "kept": result.meanwhile / result.before,
            "before": result.before / 1e6,
            "grown": result.grownKiB / 1024,
            "got": Double(result.got),
            "skipped": Double(result.skipped),
            "newest": result.hasNewest ? 1 : 0,
            "lost": result.isLost ? 1 : 0,
            "faults": Double(result.faults),
        ]
    }
}

extension Work.Cell {
    fileprivate init(_ label: String, _ traffic: Traffic, purpose: Peer.Purpose = .broadcast, chartTitle: String?) {
        self.init(label: label, purpose: purpose, chartTitle: chartTitle) { starter in
            let result = try starter.with { try traffic.measure($0) }
            let millions = Double(result.deliveries) / 1e6
            return [
                "rate": millions / result.seconds,
                "cpu": result.serverCPUSeconds / millions,
                "server": 100 * result.serverCPUSeconds / result.seconds,
                "generator": 100 * result.generatorCPUSeconds / result.seconds,
                "missing": Double(result.missing),
                "disorder": Double(result.disorder),
            ]
        }
    }
}

extension RunOptions {
    fileprivate func traffic(_ topology: Topology, window: Int, valueBytes: Int, spins: Bool) -> Traffic {
        Traffic(topology, window: window, valueBytes: valueBytes, seconds: self.duration, spins: spins)
    }
}
