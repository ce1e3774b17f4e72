/**
 * Every form of an address that is not public, and every answer of a name server that leads to one, sent to with the
 * real sender over both schemes (failures S15, decisions §9.6). What counts is connections as the system is asked for them.
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
