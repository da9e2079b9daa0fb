import LoadGenerator

extension Work {
    static func http(_ options: RunOptions, spins: Bool) -> Work {
        let clients = 64
        var cells: [Cell] = []
        for bytes in options.isQuick ? [20] : [20, 256] {
            for (kind, name) in [(Requests.Kind.get, "GET"), (.put, "PUT")] {
                let requests = Requests(
                    kind,
                    clients: clients,
                    valueBytes: bytes,
                    seconds: options.duration,
                    spins: spins
                )
                let title = bytes == 20 ? "HTTP, \(name) over \(clients) connections" : nil
                cells.append(Cell("\(name), \(bytes) bytes", requests, chartTitle: title))
            }
        }
        return Work(
            name: "http",
            title: "HTTP: requests a second over \(clients) connections that are kept",
            explanation: [
                "One request under way on each, a value of its own. etcd syncs each change before",
                "it answers; racd writes it in the background, and webdis has a Redis behind it",
                "that keeps nothing on disk. webdis and Redis share one core.",
            ],
            figures: [
                Figure(name: "rate", title: "requests/s", decimals: 0, better: .more),
                Figure(name: "p50", title: "p50 ms", decimals: 2, better: .less),
                Figure(name: "p99", title: "p99 ms", decimals: 2, better: .less),
                Figure(name: "cpu", title: "CPU s/million", decimals: 1, better: .less),
                Figure(name: "server", title: "server %", decimals: 0, better: .neither),
                Figure(name: "generator", title: "generator %", decimals: 0, better: .neither),
            ],
            faults: [(name: "wrong", text: "answers had another value than the last one that was stored")],
            cells: cells
        )
    }
}

extension Work.Cell {
    fileprivate init(_ label: String, _ requests: Requests, chartTitle: String?) {
        self.init(label: label, purpose: .http, chartTitle: chartTitle) { starter in
            var result = try starter.with { try requests.measure($0) }
            return [
                "rate": Double(result.requests) / result.seconds,
                "p50": result.latency.microseconds(at: 0.5) / 1000,
                "p99": result.latency.microseconds(at: 0.99) / 1000,
                "cpu": result.serverCPUSeconds / Double(max(result.requests, 1)) * 1e6,
                "server": 100 * result.serverCPUSeconds / result.seconds,
                "generator": 100 * result.generatorCPUSeconds / result.seconds,
                "wrong": Double(result.wrong),
            ]
        }
    }
}
