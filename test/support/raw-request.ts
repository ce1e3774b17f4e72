/** Bytes sent as they are, which no HTTP client would send. */
import { createConnection, type Socket } from 'node:net';

/** A connection to this machine that may be cut: what it got, and when it is closed, in whichever way. */
export interface RawConnection {
  readonly socket: Socket;
  readonly got: () => string;
  /** Never rejects: `once(socket, 'close')` does where the connection was reset. */
  readonly closed: Promise<void>;
}

export const rawConnection = (port: number): RawConnection => {
  const socket = createConnection({ port, host: '127.0.0.1' });
  let got = '';
  socket.setEncoding('utf8').on('data', (part: string) => (got += part));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { socket, got: () => got, closed };
};

/** Opens a connection to this machine, writes, and answers with all that came once it is closed. */
export const rawRequest = async (port: number, text: string): Promise<string> => {
  const { socket, got, closed } = rawConnection(port);
  socket.write(text);
  await closed;
  return got();
};
