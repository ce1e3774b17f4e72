/** Says where the service on this laptop is, each time it comes up: both shells print it, and its documentation is there. */
import type { HostDoor } from '../contract/carrier.ts';

export const tellService = (
  host: Pick<HostDoor, 'listen'>,
  print: (line: string) => void,
): (() => void) => {
  let last = '';
  return host.listen((event) => {
    if (event.kind !== 'service.state' || !event.running || event.detail === last) return;
    last = event.detail;
    print(`Service on this laptop: ${last}  (its documentation: ${last}/docs)`);
  });
};
