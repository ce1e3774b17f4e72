/**
 * Node flags for the browser shell's processes. On a large machine V8 lets its young generation grow to 128 MB before it
 * collects; this flag limits it to 16 MB, so that memory follows the size of the queue and not the speed at which it empties
 * (failures A29: +130 MB became +15, for a fifth more processor time). The flag works only at the start of a process.
 */
export const nodeMemory: readonly string[] = ['--max-semi-space-size=8'];
