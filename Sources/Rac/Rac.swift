// Rac
