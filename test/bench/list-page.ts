/**
 * The in-page part of the list measurement (list.ts): times are taken where the person is, not across the debugger's
 * connection.
 */
import type { Page } from 'playwright';

export interface Measures {
  /** From the page's first byte to its first rows. */
  opened(): Promise<number>;
  /** From pressing the link to the first row on the screen. */
  first(link: string): Promise<number>;
  /** From the key to the matching rows. */
  search(text: string, fitting: number): Promise<number>;
  /** Scrolls from top to end and back in steps; the longest task, and the longest time a row was blank. */
  scroll(steps: number): Promise<{ longest_task_ms: number; longest_blank_ms: number }>;
  /** From pressing the link to the figures of every record. */
  insights(): Promise<number>;
  rawFirst(): Promise<number>;
  rawSearch(text: string): Promise<number>;
}
export type Global = {
  readonly bench: { cache(server: unknown, count: number): Promise<void> };
  readonly measures: Measures;
};

/** Injected into the page, so that times are taken where the person is. */
export const measures = (): void => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  /** A drawing is on screen one frame later. */
  const painted = async (holds: () => boolean): Promise<number> => {
    while (!holds()) await frame();
    await frame();
    return performance.now();
  };
  const rows = () => [...document.querySelectorAll<HTMLElement>('.scroller [aria-posinset]')];
  const told = () => rows().length > 0 && rows().every((row) => row.querySelector('b') !== null);
  const sought = () => document.querySelector<HTMLInputElement>('header input[type=search]');
  const open = () =>
    new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('spotter');
      request.onerror = () => reject(new Error('no database'));
      request.onsuccess = () => resolve(request.result);
    });
  const walk = (source: IDBIndex | IDBObjectStore, each: (row: unknown) => boolean) =>
    new Promise<void>((resolve, reject) => {
      const cursor = source.openCursor(null, 'prev');
      cursor.onerror = () => reject(new Error('the cursor broke'));
      cursor.onsuccess = () => {
        const at = cursor.result;
        if (at === null || !each(at.value)) resolve();
        else at.continue();
      };
    });
  const made: Measures = {
    opened: () => painted(told),
    async first(link) {
      const began = performance.now();
      document.querySelector<HTMLAnchorElement>(link)?.click();
      return (await painted(told)) - began;
    },
    async search(text, fitting) {
      const input = sought();
      if (input === null) throw new Error('there is no search');
      const began = performance.now();
      input.value = text;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      const fits = () => rows()[0]?.getAttribute('aria-setsize') === String(fitting) && told();
      return (await painted(fits)) - began;
    },
    async scroll(steps) {
      const scroller = document.querySelector<HTMLElement>('.scroller');
      if (scroller === null) throw new Error('there is no list');
      let longest_task_ms = 0;
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          longest_task_ms = Math.max(longest_task_ms, Math.round(entry.duration));
      });
      observer.observe({ type: 'longtask' });
      let longest_blank_ms = 0;
      const end = scroller.scrollHeight - scroller.clientHeight;
      for (let step = 0; step < steps; step += 1) {
        // Mostly wheel steps of a hundred pixels; sometimes a long drag of the thumb.
        const far = step % 20 === 19;
        scroller.scrollTop = far ? ((step * 7919) % 1000) * (end / 1000) : scroller.scrollTop + 100;
        const began = performance.now();
        await frame();
        if (!far) continue;
        while (!told()) await frame();
        longest_blank_ms = Math.max(longest_blank_ms, Math.round(performance.now() - began));
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
      observer.disconnect();
      scroller.scrollTop = 0;
      return { longest_task_ms, longest_blank_ms };
    },
    async insights() {
      const began = performance.now();
      document.querySelector<HTMLAnchorElement>('nav a[href$="/insights"]')?.click();
      return (await painted(() => document.querySelector('.insights .cards') !== null)) - began;
    },
    async rawFirst() {
      const db = await open();
      const began = performance.now();
      const index = db
        .transaction('near_misses')
        .objectStore('near_misses')
        .index('[account+project_id+bin+created_at]');
      let left = 50;
      await walk(index, () => (left -= 1) > 0);
      const ms = performance.now() - began;
      db.close();
      return ms;
    },
    async rawSearch(text) {
      const db = await open();
      const began = performance.now();
      const wanted = text.toLowerCase();
      let found = 0;
      await walk(db.transaction('near_misses').objectStore('near_misses'), (row) => {
        if ((row as { search: string }).search.includes(wanted)) found += 1;
        return true;
      });
      const ms = performance.now() - began;
      db.close();
      if (found === 0) throw new Error(`the cursor found nothing of ${text}`);
      return ms;
    },
  };
  Object.assign(globalThis, { measures: made });
};

export const call = <K extends keyof Measures>(
  page: Page,
  name: K,
  ...args: Parameters<Measures[K]>
) =>
  page.evaluate(
    ([which, given]) =>
      (
        (globalThis as unknown as Global).measures[which as K] as (
          ...all: unknown[]
        ) => ReturnType<Measures[K]>
      )(...given),
    [name as string, args as unknown[]] as const,
  );
