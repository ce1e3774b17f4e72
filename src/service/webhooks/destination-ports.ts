/**
 * Allows ports for notifications: the web's, and ports above 1024 without a well-known service, so that a hook cannot
 * reach a mail server, a database or a cache (decisions §9.6). `--webhook-ports` allows more.
 */

/** Databases, caches, queues, remote control and cluster tools. */
const SERVICES = new Set([
  1080, 1099, 1194, 1433, 1434, 1521, 1723, 1883, 2049, 2181, 2375, 2376, 2377, 2379, 2380, 3128,
  3260, 3306, 3389, 4222, 4369, 4444, 4505, 4506, 4789, 5060, 5061, 5432, 5433, 5555, 5671, 5672,
  5900, 5901, 5984, 5985, 5986, 6000, 6379, 6380, 6432, 6443, 6660, 6667, 7000, 7001, 7199, 7474,
  7687, 8125, 8500, 8600, 8686, 9000, 9042, 9092, 9100, 9160, 9200, 9300, 9418, 10250, 10255, 11211,
  15672, 25565, 25672, 26257, 27017, 27018, 27019, 28015,
]);

const WEB = new Set([80, 443]);

/** Additional ports from the operator. */
export type MorePorts = ReadonlySet<number> | 'all';

/** Parses `25,8025` or `all`; null if invalid. */
export const readMorePorts = (text: string): MorePorts | null => {
  if (text.trim() === 'all') return 'all';
  const ports = text.split(',').flatMap((one) => (one.trim() === '' ? [] : [Number(one)]));
  return ports.every((port) => Number.isInteger(port) && port > 0 && port < 65_536)
    ? new Set(ports)
    : null;
};

export const isPortAllowed = (url: URL, more: MorePorts): boolean => {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (more === 'all' || more.has(port) || WEB.has(port)) return true;
  return port > 1024 && !SERVICES.has(port);
};
