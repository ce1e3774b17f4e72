/** The listener for the answer of an identity provider, which any program of this machine can reach (decisions §12.9). */
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { listenForAnswer } from '../../src/host/session/sign-in/loopback-answer.ts';

it('decisions §12.9: connections that say nothing keep no browser out: the oldest is closed for a new one', async () => {
  const listener = await listenForAnswer('the-state');
  onTestFinished(() => listener.close());
  const { hostname, port } = new URL(listener.redirect_uri);
  const silent = Array.from({ length: 20 }, () =>
    createConnection({ host: hostname, port: Number(port) }).on('error', () => undefined),
  );
  onTestFinished(() => silent.forEach((socket) => void socket.destroy()));
  await Promise.all(silent.map((socket) => once(socket, 'connect')));
  const address = `${listener.redirect_uri}?state=the-state&code=1`;
  expect((await fetch(address)).status).toBe(200);
  expect((await listener.answer).href).toBe(address);
});
