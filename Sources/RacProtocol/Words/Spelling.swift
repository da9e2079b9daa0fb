/// Finds the known word for which a person may have meant an unknown one.
package enum Spelling {
    /// The known word that is nearest to a word; nil if none is near.
    ///
    /// Near is a third of the word's letters, rounded up: added, left out, replaced, or swapped with their neighbour.
    package static func nearest(to word: String, among known: [String]) -> String? {
        let limit = (word.count + 2) / 3
        let distances = known.map { (word: $0, distance: self.distance(word, $0)) }
        return distances.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.word
    }

    /// The number of letters to add, leave out, replace or swap with their neighbour.
    package static func distance(_ one: String, _ other: String) -> Int {
        self.distance(Array(one), Array(other))
    }

    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var rows = [Array(0...other.count)]
        for row in one.indices {
            var next = [row + 1]
            for column in other.indices {
                let replaced = rows[row][column] + (one[row] == other[column] ? 0 : 1)
                var least = min(replaced, rows[row][column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    least = min(least, rows[row - 1][column - 1] + 1)
                }
                next.append(least)
            }
            rows.append(next)
        }
        return rows[one.count][other.count]
    }
}
