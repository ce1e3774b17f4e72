/** An unreadable journal line is reported until a person acknowledges it, across restarts. */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { words } from '../../../src/renderer/words/words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { ScriptedHost } from '../../support/renderer-host.ts';
import { slow } from '../../support/slow.ts';

const t = words.app.unreadable;

slow(
  'A49: one report that the journal lost is told until it is dismissed, and what is left of it can be saved',
  async () => {
    const host = new ScriptedHost();
    host.answers.set('journal.list', () => ({
      operations: [],
      links: [],
      damaged: 1,
      unfinished: 0,
      records: [],
    }));
    host.answers.set('journal.unreadable', () => ({
      lines: ['{"t":"operation","description":"Board f'],
    }));
    await openApp({ host });
    await expect.element(page.getByText(t.title(1))).toBeVisible();
    await page.getByRole('button', { name: t.save }).click();
    await expect.poll(() => host.of('journal.unreadable')).toHaveLength(1);
    await page.getByRole('button', { name: t.dismiss }).click();
    await expect.poll(() => page.getByText(t.title(1)).elements()).toEqual([]);
  },
);
