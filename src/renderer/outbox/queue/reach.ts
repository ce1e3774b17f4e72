/**
 * Derives from every response whether the server is reachable, for the header: no connection, a server in trouble, or a
 * captive portal. For display only; the queue classifies errors separately (classify-error.ts).
 */
import type { HostAnswer, HostMethod } from '../../../contract/host.ts';
import type { Problem, Result } from '../../../contract/problem.ts';
import type { Host } from '../../host/client.ts';

export type Reach = 'answers' | 'offline' | 'server' | 'portal';

/** Methods with an outcome that shows whether the server answers. */
const askServer: ReadonlySet<HostMethod> = new Set<HostMethod>([
  'reach.check',
  'photos.upload',
  'photos.deliver',
  'photos.attachment',
]);

/** The kind of trouble if the problem lies with the connection or the server; otherwise null. */
export const troubleOf = (problem: Problem): Exclude<Reach, 'answers'> | null => {
  switch (problem.kind) {
    case 'offline':
      return 'offline';
    case 'broken_reply':
      return ['html', 'redirect'].includes(problem.looks_like) ? 'portal' : 'server';
    case 'server_error':
    case 'timeout':
      return 'server';
    default:
      return null;
  }
};

/** Null if the outcome proves nothing. */
const reachOf = (answer: Result<unknown>, smallest: boolean): Reach | null => {
  if (answer.ok) return 'answers';
  const { problem } = answer;
  if (['refused', 'conflict', 'gone', 'busy'].includes(problem.kind)) return 'answers';
  if (problem.kind === 'timeout') return 'offline';
  const trouble = troubleOf(problem);
  // A single request may fail alone. If the smallest request fails, no service is behind the address.
  return trouble === 'server' && !smallest ? null : trouble;
};

/** Wraps the host so that every response reports the server's time and its reachability. */
export const hearing = (
  host: Host,
  heard: (server_time: number | null) => void,
  reached: (reach: Reach) => void,
): Host => {
  const noteReach = (answer: Result<unknown>, smallest: boolean): void => {
    const reach = reachOf(answer, smallest);
    if (reach !== null) reached(reach);
  };
  return {
    ...host,
    async call(method, input, bytes) {
      const answer = await host.call(method, input, bytes);
      if (askServer.has(method)) noteReach(answer, method === 'reach.check');
      // After a month offline the first answer corrects the clock before anything is sent.
      if (method === 'reach.check' && answer.ok)
        heard((answer.value as HostAnswer<'reach.check'>).server_time);
      return answer;
    },
    async request(name, input, account) {
      const answer = await host.request(name, input, account);
      if (answer.ok) heard(answer.value.server_time);
      noteReach(answer, false);
      return answer;
    },
  };
};
