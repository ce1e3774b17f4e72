/** Sends raw bytes that no HTTP client would send. */
import { createConnection, type Socket } from 'node:net';

/** A connection to this machine that may be cut. `got` is what it received. */
export interface RawConnection {
  readonly socket: Socket;
  readonly got: () => string;
  /** Never rejects, unlike `once(socket, 'close')` on a reset connection. */
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

/** Opens a connection to this machine, writes `text`, and returns everything received until it closes. */
export const rawRequest = async (port: number, text: string): Promise<string> => {
  const { socket, got, closed } = rawConnection(port);
  socket.write(text);
  await closed;
  return got();
};
