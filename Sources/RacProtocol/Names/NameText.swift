/// A name or a pattern as a program has it: any text, or one that has been checked, such as the name of a listing.
///
/// The description is the text. A call of a client takes any of these, and refuses a faulty one with `bad-name`.
public protocol NameText: CustomStringConvertible, Sendable {}

extension String: NameText {}
extension Substring: NameText {}
extension ChannelName: NameText {}
extension ChannelPattern: NameText {}
extension CommandName: NameText {}
