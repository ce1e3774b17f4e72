/** A relay of bytes before one port of this machine, as Wi-Fi is: it cuts where it is told to, and may be gone for a while. */
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly port: number;
  /** Connections that it cut. */
  readonly cuts: () => number;
  /** Cuts whatever is open after so many bytes more towards the target, once for each number. */
  cutAfter(...bytes: readonly number[]): void;
  /** Cuts after so many bytes, and nobody gets through until `reachable(true)`. */
  loseAfter(bytes: number): void;
  /** Nobody gets through meanwhile. */
  reachable(is: boolean): void;
  close(): Promise<void>;
}

export const startCuttingProxy = async (target: () => number): Promise<CuttingProxy> => {
  const open = new Set<Socket>();
  const plan: { left: number; readonly lost: boolean }[] = [];
  let cuts = 0;
  let reachable = true;
  const cutAll = (): void => {
    for (const socket of open) socket.resetAndDestroy();
  };
  const server = createServer((near) => {
    if (!reachable) {
      near.resetAndDestroy();
      return;
    }
    const far = createConnection({ host: '127.0.0.1', port: target() });
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        open.delete(socket);
        (socket === near ? far : near).destroy();
      });
    }
    far.pipe(near);
    near.on('data', (bytes: Buffer) => {
      const [next] = plan;
      if (next !== undefined && bytes.length >= next.left) {
        plan.shift();
        cuts += 1;
        if (next.lost) reachable = false;
        // What was before the cut arrives: half of a message.
        far.write(bytes.subarray(0, next.left), cutAll);
        return;
      }
      if (next !== undefined) next.left -= bytes.length;
      far.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cuts: () => cuts,
    cutAfter: (...bytes) => void plan.push(...bytes.map((left) => ({ left, lost: false }))),
    loseAfter: (left) => void plan.push({ left, lost: true }),
    reachable: (is) => {
      reachable = is;
      if (!is) cutAll();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cutAll();
      }),
  };
};
