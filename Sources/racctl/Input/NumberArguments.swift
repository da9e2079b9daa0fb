/// Numbers below zero among the arguments, which look like options.
enum NumberArguments {
    /// Subcommands with a VALUE and without an option that begins with a minus and a digit.
    private static let subcommands: Set<String> = ["set", "wait", "exec"]

    /// Moves such numbers to the end, behind `--`, where they are taken for what they are.
    static func protected(_ arguments: [String]) -> [String] {
        guard let subcommand = arguments.first, Self.subcommands.contains(subcommand), !arguments.contains("--") else {
            return arguments
        }
        let numbers = arguments.filter(Self.isNegative)
        return numbers.isEmpty ? arguments : arguments.filter { !Self.isNegative($0) } + ["--"] + numbers
    }

    private static func isNegative(_ argument: String) -> Bool {
        argument.utf8.first == UInt8(ascii: "-") && argument.dropFirst().first?.isWholeNumber == true
    }
}
