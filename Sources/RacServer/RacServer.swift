// RacServer
