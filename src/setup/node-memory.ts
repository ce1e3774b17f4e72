/**
 * How the processes of the browser shell, host and service, keep house. On a large machine V8 lets what is young take 128 MB
 * before it looks; this keeps it to 16, so that a full queue costs memory by what it is and not by how fast it empties
 * (failures A29: +130 MB became +15, for a fifth more processor time). It can only be said at the start of a process.
 */
export const nodeMemory: readonly string[] = ['--max-semi-space-size=8'];
