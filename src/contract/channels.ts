/** The two IPC channels of the Electron shell, shared by both ends. */
export const CALL_CHANNEL = 'spotter:call';
export const EVENT_CHANNEL = 'spotter:event';
