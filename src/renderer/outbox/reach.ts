/**
 * Does the server answer? Heard from every answer that passes, so that the header can say what a person has to know: no
 * connection, a server in trouble, or a Wi-Fi that wants a sign-in first. For showing; the queue judges for itself
 * (judge-problem.ts).
 */
import type { HostMethod } from '../../contract/host.ts';
import type { Problem, Result } from '../../contract/problem.ts';
import type { Host } from '../host/client.ts';

export type Reach = 'answers' | 'offline' | 'server' | 'portal';

/** Methods whose outcome says whether the server answers. */
const askServer: ReadonlySet<HostMethod> = new Set<HostMethod>([
  'reach.check',
  'photos.upload',
  'photos.deliver',
  'photos.attachment',
]);

/** What kind of trouble a problem is, where it is the way's or the server's; null: it is neither. */
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

/** Null where the outcome cannot tell. */
const reachOf = (answer: Result<unknown>, smallest: boolean): Reach | null => {
  if (answer.ok) return 'answers';
  const { problem } = answer;
  if (['refused', 'conflict', 'gone', 'busy'].includes(problem.kind)) return 'answers';
  if (problem.kind === 'timeout') return 'offline';
  const trouble = troubleOf(problem);
  // One request may fail by itself; when the smallest one does, there is no service behind the address.
  return trouble === 'server' && !smallest ? null : trouble;
};

/** Every answer tells the server's time, and whether there is a server. */
export const hearing = (
  host: Host,
  heard: (server_time: number | null) => void,
  reached: (reach: Reach) => void,
): Host => {
  const tell = (answer: Result<unknown>, smallest: boolean): void => {
    const reach = reachOf(answer, smallest);
    if (reach !== null) reached(reach);
  };
  return {
    ...host,
    async call(method, input, bytes) {
      const answer = await host.call(method, input, bytes);
      if (askServer.has(method)) tell(answer, method === 'reach.check');
      return answer;
    },
    async request(name, input, account) {
      const answer = await host.request(name, input, account);
      if (answer.ok) heard(answer.value.server_time);
      tell(answer, false);
      return answer;
    },
  };
};
