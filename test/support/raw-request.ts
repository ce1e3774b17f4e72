/** Bytes sent as they are, which no HTTP client would send. */
import { once } from 'node:events';
import { createConnection } from 'node:net';

/** Opens a connection to this machine, writes, and answers with all that came once the other side has closed it. */
export const rawRequest = async (port: number, text: string): Promise<string> => {
  const socket = createConnection({ port, host: '127.0.0.1' });
  let got = '';
  socket.setEncoding('utf8').on('data', (part: string) => (got += part));
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return got;
};
