import LoadGenerator

/// Turns figures into tables and a chart.
struct Report {
    /// Whether anything was missing, out of order or not measured.
    private(set) var hasFaults = false
    private var panels: [BarChart.Panel] = []
    /// The promises that bars with a star lack.
    private var caveats: Set<String> = []

    /// The table of one work, and below it what was not as it should be.
    mutating func add(_ work: Work, _ results: [Workbench.CellResult], isRival: (String) -> Bool) -> String {
        var table = Table(
            work.title,
            explanation: work.explanation,
            columns: work.figures.map(\.title) + ["× best peer", "× racd"]
        )
        var notes: [String] = []
        for result in results {
            table.add("\(result.cell.label):", [])
            let best = self.best(of: work, result, isRival)
            for contender in result.contenders {
                table.add("  \(contender.name)", self.row(contender, of: work, result, best: best))
                notes += self.notes(contender, of: work, result).filter { !notes.contains($0) }
            }
            self.addPanel(work, result, isRival)
        }
        return table.description + notes.map { "\n  \($0)" }.joined() + (notes.isEmpty ? "" : "\n")
    }

    func chart(_ about: [String], transport: String) -> String {
        let caveats = self.caveats.sorted().map { "* \($0)" }
        let title = "racd beside others, over \(transport): the same work"
        return BarChart(title: title, footer: caveats + about, panels: self.panels).svg
    }

    /// The best result among those that racd is compared with and that promise the same.
    private func best(of work: Work, _ result: Workbench.CellResult, _ isRival: (String) -> Bool) -> Double? {
        let values = result.contenders
            .filter { isRival($0.name) && $0.caveat == nil && $0.failure == nil }
            .map { $0.series.median(work.figures[0].name) }
        return work.figures[0].better == .less ? values.min() : values.max()
    }

    private func row(
        _ contender: Workbench.Contender,
        of work: Work,
        _ result: Workbench.CellResult,
        best: Double?
    ) -> [String] {
        guard contender.failure == nil else { return ["failed"] }
        let cells = work.figures.map { figure in
            contender.series.has(figure.name)
                ? contender.series.median(figure.name).text(decimals: figure.decimals) : ""
        }
        let value = contender.series.median(work.figures[0].name)
        let racd = result.contenders.first { $0.name == "racd" }?.series.median(work.figures[0].name)
        return cells + [best, racd].map { $0.map { (value / $0).text(decimals: 2) } ?? "" }
    }

    /// The remarks on a contender that the table has no column for.
    private mutating func notes(
        _ contender: Workbench.Contender,
        of work: Work,
        _ result: Workbench.CellResult
    ) -> [String] {
        var notes: [String] = []
        for fault in work.faults {
            let most = contender.series.range(fault.name).upperBound
            guard most > 0 else { continue }
            self.hasFaults = true
            notes.append("\(result.cell.label), \(contender.name): up to \(most.text(decimals: 0)) \(fault.text)")
        }
        if let failure = contender.failure {
            self.hasFaults = true
            notes.append("\(result.cell.label), \(contender.name) failed: \(failure)")
        }
        if let caveat = contender.caveat { notes.append("\(contender.name) does not promise as much: \(caveat)") }
        return notes
    }

    private mutating func addPanel(_ work: Work, _ result: Workbench.CellResult, _ isRival: (String) -> Bool) {
        guard let title = result.cell.chartTitle else { return }
        let figure = work.figures[0]
        let bars = result.contenders
            .filter { $0.failure == nil && ($0.name == "racd" || isRival($0.name)) }
            .map { contender in
                BarChart.Bar(
                    label: contender.name + (contender.caveat == nil ? "" : " *"),
                    value: contender.series.median(figure.name),
                    text: contender.series.median(figure.name).text(decimals: figure.decimals),
                    isOurs: contender.name == "racd"
                )
            }
        for contender in result.contenders where isRival(contender.name) {
            if let caveat = contender.caveat { self.caveats.insert("\(contender.name): \(caveat)") }
        }
        let note = figure.title + (figure.better == .less ? ", shorter is better" : ", longer is better")
        self.panels.append(BarChart.Panel(title: title, note: note, bars: bars))
    }
}
