/** A print goes to the requested target: a failed PDF does not turn the next print into a PDF. */
import { afterEach, expect, it, vi } from 'vitest';
import { host } from '../../../src/renderer/host/client.ts';
import { paper, type PaperTo } from '../../../src/renderer/state/paper.svelte.ts';

afterEach(() => {
  paper.over();
  vi.restoreAllMocks();
});

it('a file is asked of the desktop program, a print of the browser, each as it was asked for', () => {
  const asked = vi
    .spyOn(host, 'call')
    .mockResolvedValue({ ok: false, problem: { kind: 'bug', detail: '' } });
  const printed = vi.fn();
  vi.stubGlobal('print', printed);
  const to: PaperTo[] = [];
  const leave = paper.offer((where) => {
    to.push(where);
    // An empty list makes no pages.
    if (to.length > 1) paper.print({ kind: 'report', key: 'a', names: false }, where);
  });
  paper.printScreen('pdf');
  expect(to).toEqual(['pdf']);
  // The print button, after a PDF that produced nothing.
  paper.print({ kind: 'report', key: 'a', names: false });
  paper.ready();
  expect(printed).toHaveBeenCalledTimes(1);
  expect(asked).not.toHaveBeenCalled();
  paper.over();
  paper.printScreen('pdf');
  paper.ready();
  expect(asked).toHaveBeenCalledWith('desktop.do', { what: 'save_pdf' });
  leave();
  paper.printScreen('printer');
  expect(printed).toHaveBeenCalledTimes(2);
});

it('what is ticked goes before the screen, also before one that is opened later, until nothing is ticked', () => {
  const asked: string[] = [];
  const offer = (name: string, ticked = false) =>
    paper.offer(() => void asked.push(name), { ticked });
  const leave = [offer('list'), offer('ticked', true), offer('record')];
  paper.printScreen('pdf');
  leave[1]?.();
  paper.printScreen('pdf');
  leave[2]?.();
  paper.printScreen('pdf');
  leave[0]?.();
  expect(asked).toEqual(['ticked', 'record', 'list']);
});
