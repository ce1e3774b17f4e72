/**
 * The real sender sends to every form of a non-public address, and to every DNS answer that leads to one, over both schemes
 * (failures S15, decisions §9.6). The proof counts connections requested from the system.
 */
import { createHook } from 'node:async_hooks';
import { connections, send } from '../../src/service/webhooks/send.ts';
import { ANSWERS, LITERALS } from '../support/addresses.ts';
import type { Case } from './run.ts';

const targets = [
  ...LITERALS.map((host) => ({ host, answer: null })),
  ...ANSWERS.map((answer) => ({ host: 'hooks.example', answer })),
].flatMap((target) => ['http', 'https'].map((scheme) => ({ scheme, ...target })));

export const addresses: Case = {
  name: 'service',
  title: 'webhook addresses that are not public: no connection is asked for',
  run: async () => {
    let asked = 0;
    const counter = createHook({
      init: (_id, type) => {
        if (type === 'TCPCONNECTWRAP') asked += 1;
      },
    }).enable();
    const failures: string[] = [];
    for (const { scheme, host, answer } of targets) {
      const before = asked;
      const over = connections();
      const outcome = await send(
        { url: `${scheme}://${host}/x`, headers: {}, body: '{}' },
        {
          timeout: 1000,
          max_response: 65_536,
          allow_private: false,
          ports: 'all',
          resolve: () =>
            answer ? Promise.resolve(answer) : Promise.reject(new Error('no name is to be asked')),
        },
        over,
      );
      over.end();
      if (asked > before || outcome.error === null)
        failures.push(`${scheme}://${host} ${answer?.join(', ') ?? ''}`);
    }
    counter.disable();
    return { runs: targets.length, failures };
  },
};
