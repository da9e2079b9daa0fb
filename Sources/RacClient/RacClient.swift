// RacClient
