import LoadGenerator
import Testing

@Suite struct FigureTests {
    @Test("A percentile is the smallest duration that this share did not exceed")
    func percentiles() {
        var distribution = Distribution()
        for microseconds in (1...1000).reversed() { distribution.add(nanoseconds: microseconds * 1000) }
        #expect(distribution.microseconds(at: 0.5) == 500)
        #expect(distribution.microseconds(at: 0.99) == 990)
        #expect(distribution.microseconds(at: 0.999) == 999)
        #expect(distribution.microseconds(at: 1) == 1000)
        #expect(distribution.meanMicroseconds == 500.5)
    }

    @Test("Where nothing was measured every figure is 0")
    func nothing() {
        var distribution = Distribution()
        #expect(distribution.microseconds(at: 0.5) == 0)
        #expect(distribution.meanMicroseconds == 0)
        #expect(Series().median("rate") == 0)
    }

    @Test("A median of rounds is the middle one, or lies between the middle two")
    func medians() {
        var series = Series()
        for rate in [5.0, 1, 4] { series.add(["rate": rate]) }
        #expect(series.median("rate") == 4)
        series.add(["rate": 3])
        #expect(series.median("rate") == 3.5)
        #expect(series.range("rate") == 1...5)
    }

    @Test("A number is written with its decimals, and with a space between thousands")
    func numbers() {
        #expect(1_234_567.891.text(decimals: 1) == "1 234 567.9")
        #expect(0.046.text(decimals: 2) == "0.05")
        #expect(12.0.text(decimals: 0) == "12")
        #expect((-1.5).text(decimals: 1) == "-1.5")
        #expect((-0.001).text(decimals: 1) == "0.0")
        #expect(0.999.text(decimals: 2) == "1.00")
        #expect(Double.nan.text(decimals: 2) == "–")
    }

    @Test("Columns of a table are as wide as their widest cell, numbers to the right")
    func table() {
        var table = Table("Title", explanation: ["Why."], columns: ["a", "long"])
        table.add("one", ["1.0", "2"])
        table.add("three", ["10.0"])
        #expect(
            table.description == """
                Title
                Why.

                            a  long
                  one     1.0     2
                  three  10.0

                """
        )
    }

    @Test("An endpoint is an IPv4 address and a port")
    func endpoint() {
        #expect(Endpoint("127.0.0.1:4700")?.description == "127.0.0.1:4700")
        for text in ["127.0.0.1", "localhost:1", "127.0.0.1:65536", "127.0.0.1:1:2", ":1", ""] {
            #expect(Endpoint(text) == nil)
        }
    }
}
