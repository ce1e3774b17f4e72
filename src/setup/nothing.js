// Stands in the window for Node's modules that a library names and never reaches there.
export {};
