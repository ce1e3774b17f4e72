/**
 * A TCP relay to one port of this machine that behaves like bad Wi-Fi: it cuts connections on demand and can be unreachable for
 * a while.
 */
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly port: number;
  /** Number of connections cut so far. */
  readonly cuts: () => number;
  /** Cuts all open connections after that many more bytes towards the target, once per number. */
  cutAfter(...bytes: readonly number[]): void;
  /** Cuts after that many bytes and refuses connections until `reachable(true)`. */
  loseAfter(bytes: number): void;
  /** Accepts or refuses connections. */
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
        // The bytes before the cut still arrive, so the target gets half a message.
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
