/**
 * The peer of `webhooks`, on the service's core: posts bodies in sequence over a persistent connection. It signs, records and
 * remembers nothing.
 */
import { createInterface } from 'node:readline';

console.log(JSON.stringify({ ready: true }));
for await (const line of createInterface({ input: process.stdin })) {
  const { url, body, count } = JSON.parse(line);
  for (let n = 0; n < count; n += 1) {
    const answer = await fetch(url, { method: 'POST', body });
    await answer.text();
  }
  console.log(JSON.stringify({ sent: count }));
}
