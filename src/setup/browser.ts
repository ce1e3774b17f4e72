/** Finds a Chromium on this machine, otherwise installs one, otherwise explains how to. */
import { existsSync } from 'node:fs';
import { findChromium } from './chromium.ts';
import { aptInstall, canUseApt, runQuietly } from './system.ts';

export type Brought =
  { readonly ok: true; readonly path: string } | { readonly ok: false; readonly sentence: string };

/** The Chromium that `playwright install` downloaded, if any. */
const playwrightChromium = async (): Promise<string | undefined> => {
  try {
    const { chromium } = await import('playwright');
    const path = chromium.executablePath();
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
};

const known = async () => findChromium() ?? (await playwrightChromium());

/** @param say called with each step before it begins */
export const bringChromium = async (say: (text: string) => void): Promise<Brought> => {
  const there = await known();
  if (there !== undefined) return { ok: true, path: there };
  if (canUseApt()) {
    say('There is no Chromium here: installing the package chromium (apt-get).');
    await aptInstall(['chromium', 'fonts-liberation']);
  } else {
    say('There is no Chromium here: fetching one with playwright (about 170 MB).');
    await runQuietly(process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium'], {
      timeout_ms: 900_000,
    });
  }
  const brought = await known();
  if (brought !== undefined) return { ok: true, path: brought };
  return {
    ok: false,
    sentence:
      process.platform === 'linux'
        ? 'Spotter found no Chromium and could not bring one: install the package chromium, or name a browser in SPOTTER_CHROMIUM.'
        : 'Spotter found no Chromium and could not bring one: install Chrome, or name a browser in SPOTTER_CHROMIUM.',
  };
};
