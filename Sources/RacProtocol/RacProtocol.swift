// RacProtocol
