/**
 * The host's door as the carriers' suite needs it: the contract's parsing, and methods whose outcome a test chooses.
 * The carriers are what is tested; the real host behind them has its own tests and the end-to-end suite.
 */
import type { CarrierReply, HostApi } from '../../src/contract/carrier.ts';
import { type HostEvent, type HostMethod, hostMethods } from '../../src/contract/host.ts';
import { fail, fieldsOf, ok } from '../../src/contract/problem.ts';

interface Heard {
  readonly method: string;
  readonly input: unknown;
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
}

export interface TestDoor extends HostApi {
  /** Every call that reached the host, parsed or not. */
  readonly heard: Heard[];
  /** What a method answers from now on. */
  answer(method: HostMethod, reply: CarrierReply | (() => Promise<CarrierReply>)): void;
  emit(event: HostEvent): void;
  readonly listeners: () => number;
}

export const testDoor = (): TestDoor => {
  const heard: Heard[] = [];
  const answers = new Map<string, CarrierReply | (() => Promise<CarrierReply>)>();
  const listeners = new Set<(event: HostEvent) => void>();
  return {
    heard,
    listeners: () => listeners.size,
    answer: (method, reply) => void answers.set(method, reply),
    emit: (event) => listeners.forEach((hear) => hear(event)),
    async call(method, input, bytes) {
      heard.push({ method, input, bytes });
      if (!Object.hasOwn(hostMethods, method))
        return { result: fail({ kind: 'bad_input', messages: ['no such method'], fields: {} }) };
      const parsed = hostMethods[method as HostMethod].input.safeParse(input);
      if (!parsed.success)
        return {
          result: fail({ kind: 'bad_input', messages: [], fields: fieldsOf(parsed.error) }),
        };
      const reply = answers.get(method) ?? { result: ok({}) };
      return typeof reply === 'function' ? reply() : reply;
    },
    listen(hear) {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
    stop: async () => undefined,
  };
};
