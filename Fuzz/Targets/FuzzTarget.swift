/// A target of random input: it takes any bytes, and throws where a promise about them is broken.
enum FuzzTarget: String, CaseIterable, Sendable {
    case frames
    case clientMessages = "client-messages"
    case serverMessages = "server-messages"
    case json
    case names
    case options
    case arguments
    case expressions
    case wire
    case configuration
    #if TLS
    case tls
    case certificates
    #endif
    case hello
    case jwt
    case jwks
    case requests
    case exchanges
    case webSocket = "web-socket"

    func run(_ input: [UInt8]) throws {
        switch self {
        case .frames: try FrameTarget.run(input)
        case .clientMessages: try ClientMessageTarget.run(input)
        case .serverMessages: try ServerMessageTarget.run(input)
        case .json: try JSONTarget.run(input)
        case .names: try NameTarget.run(input)
        case .options: try OptionTarget.run(input)
        case .arguments: try ArgumentTarget.run(input)
        case .expressions: try ExpressionTarget.run(input)
        case .wire: try WireTarget.run(input)
        case .configuration: try ConfigurationTarget.run(input)
        #if TLS
        case .tls: try TLSTarget.run(input)
        case .certificates: try CertificateTarget.run(input)
        #endif
        case .hello: try HelloTarget.run(input)
        case .jwt: try JWTTarget.run(input)
        case .jwks: try JWKSTarget.run(input)
        case .requests: try RequestTarget.run(input)
        case .exchanges: try ExchangeTarget.run(input)
        case .webSocket: try WebSocketTarget.run(input)
        }
    }
}

/// A promise that an input broke.
struct Finding: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
