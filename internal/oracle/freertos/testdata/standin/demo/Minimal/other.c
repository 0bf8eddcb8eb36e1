#error a file that is no suite is not compiled
