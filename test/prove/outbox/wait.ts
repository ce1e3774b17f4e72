/** Bounded waiting, so that no run hangs. */
import type { Page } from 'playwright/test';

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/** @throws if `work` has not ended within `ms` */
export const within = async <T>(what: string, ms: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  work.catch(() => undefined);
  try {
    return await Promise.race([
      work,
      new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`not within ${ms} ms: ${what}`)), ms);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
};

/** Closes a page whose browser may be dying; the run continues even without a close event. */
export const shut = async (page: Page | null | undefined): Promise<void> => {
  if (page) await within('the page closes', 15_000, page.close()).catch(() => undefined);
};
