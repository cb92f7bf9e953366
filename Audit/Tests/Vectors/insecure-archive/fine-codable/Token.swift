import Foundation

struct Token: Codable {
    let secret: Data
}

func read(_ data: Data) throws -> Token { try JSONDecoder().decode(Token.self, from: data) }
