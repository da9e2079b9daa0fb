// RacHost
