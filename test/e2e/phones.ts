/** Phones of journeys: a mobile Chromium that reads a code from the laptop's screen, on a Wi-Fi that can be cut. */
import { join } from 'node:path';
import { type Browser, chromium, devices, type Page } from 'playwright/test';
import decodeQR from 'qr/decode.js';
import sharp from 'sharp';
import { chromiumFlags, findChromium } from '../../src/setup/chromium.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts';
import { expect } from './fixtures.ts';
import { axe } from './looks.ts';

/** The only address of the laptop. */
export const env = { SPOTTER_PHONE_ADDRESS: '127.0.0.1' };

/** Reads the code from the screen, as a phone's camera does. */
export const scan = async (page: Page): Promise<URL> => {
  const code = page.getByRole('img', { name: /^(QR code|Código QR)/ });
  await expect(code).toBeVisible();
  const { data, info } = await sharp(await code.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return new URL(decodeQR({ width: info.width, height: info.height, data }, { timeLimit: 10_000 }));
};

/** Waits until nobody listens at this address. */
export const isClosed = (origin: string): Promise<void> =>
  expect(async () => expect(fetch(origin)).rejects.toThrow()).toPass({ timeout: 60_000 });

interface Phone {
  readonly page: Page;
  readonly wifi: CuttingProxy;
  close(): Promise<void>;
}

/** A phone on the same Wi-Fi that has opened the scanned address. */
export const phoneWith = async (
  address: URL,
  device: 'iPhone 13' | 'Pixel 7' = 'iPhone 13',
  locale = 'en-GB',
  /** What its console may say. */
  allowed = /net::ERR_/,
): Promise<Phone> => {
  const wifi = await startCuttingProxy(() => Number(address.port));
  const browser: Browser = await chromium.launch({
    executablePath: findChromium(),
    args: [...chromiumFlags(), `--host-resolver-rules=MAP ${address.host} 127.0.0.1:${wifi.port}`],
  });
  const { defaultBrowserType: _none, ...phone } = devices[device];
  const context = await browser.newContext({ ...phone, locale });
  const page = await context.newPage();
  // The phone requests only the page and its messages, and only from the laptop.
  page.on('request', (request) => expect.soft(new URL(request.url()).host).toBe(address.host));
  page.on('console', (message) => {
    if (message.type() === 'error' && !allowed.test(message.text()))
      expect.soft(message.text(), 'the phone’s console').toBe('');
  });
  await page.goto(address.href);
  return {
    page,
    wifi,
    close: async () => {
      await browser.close();
      await wifi.close();
    },
  };
};

export const shots = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['SPOTTER_LOOKS'];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await axe(page, `${name}, ${colorScheme}`);
    if (folder) await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
  }
};
