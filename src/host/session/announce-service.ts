/** Prints the address of the embedded service and its documentation each time it starts. Used by both shells. */
import type { HostApi } from '../../contract/carrier.ts';

export const announceService = (
  host: Pick<HostApi, 'listen'>,
  print: (line: string) => void,
): (() => void) => {
  let last = '';
  return host.listen((event) => {
    if (event.kind !== 'service.state' || !event.running || event.detail === last) return;
    last = event.detail;
    print(`Service on this laptop: ${last}  (its documentation: ${last}/docs)`);
  });
};
