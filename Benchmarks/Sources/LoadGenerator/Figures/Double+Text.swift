extension Double {
    /// This number for people, with so many decimals and with a space between thousands: `12 345.7`.
    package func text(decimals: Int) -> String {
        guard self.isFinite, abs(self) < 1e15 else { return "–" }
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((abs(self) * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        let padded = String(repeating: "0", count: max(0, decimals - fraction.count)) + fraction
        let sign = self < 0 && scaled > 0 ? "-" : ""
        return sign + Self.grouped(scaled / scale) + (decimals > 0 ? "." + padded : "")
    }

    private static func grouped(_ number: Int) -> String {
        let digits = String(number)
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place).isMultiple(of: 3) { text += " " }
            text.append(digit)
        }
        return text
    }
}
