/** Two processes on one PostgreSQL send mail: one conditional update gives a mail to one of them (decisions §16.3). */
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/service/store/engine/open.ts';
import { claimMail, insertMails, settleMail } from '../../../src/service/store/mail/mail-queue.ts';
import { after, databaseMoment } from '../../../src/service/store/webhooks/webhook-queue.ts';
import { startTestService } from '../../support/service.ts';
import { addPerson } from '../mail/support.ts';

const MAILS = 20;

it('decisions §16.3: of two processes that claim a mail at once, one gets it, and only it may record the outcome', async () => {
  const t = await startTestService();
  onTestFinished(() => t.stop());
  const { store, options, now } = t.service.app;
  const other = await openStore(options);
  onTestFinished(() => other.close());
  const { company_id } = t.demo;
  const { id: user_id } = await addPerson(t.demo);
  const about = { company_id, user_id, near_miss_id: 1, kind: 'severe', due: null };
  const mails = Array.from({ length: MAILS }, (_, at) => ({
    ...about,
    event: `severe/1/${at}`,
    created_at: now(),
  }));
  await store.write((tx) => insertMails(tx, mails), company_id);
  // The same events again are the same mails.
  await other.write((tx) => insertMails(tx, mails), company_id);
  const rows = await store.read.selectFrom('mails').select(['company_id', 'id']).execute();
  expect(rows).toHaveLength(MAILS);
  const leaseOf = (owner: string) => ({ owner, until: after(databaseMoment, 60_000) });
  for (const key of rows) {
    const claims = await Promise.all(
      [store, other].map((one, at) =>
        one.write((tx) => claimMail(tx, key, leaseOf(String(at)), databaseMoment), company_id),
      ),
    );
    expect(claims.filter((row) => row !== undefined)).toHaveLength(1);
    const winner = claims[0] === undefined ? 1 : 0;
    const sent = { outcome: 'sent', ended_at: now(), error: null };
    for (const owner of [1 - winner, winner]) {
      const settled = owner === winner ? sent : { ...sent, outcome: 'refused' };
      await store.write(
        (tx) => settleMail(tx, key, leaseOf(String(owner)), settled, null),
        company_id,
      );
    }
  }
  const outcomes = await store.read.selectFrom('mails').select('outcome').distinct().execute();
  expect(outcomes).toEqual([{ outcome: 'sent' }]);
}, 120_000);
