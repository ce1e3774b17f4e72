/**
 * The detail of a near miss: formatted text, also offline; its history on this laptop; the printed page; and hostile
 * descriptions from the API, under the window's own policy.
 */
import { hostileDescriptions, hostileHtml } from '../support/hostile-html.ts';
import { expect, test } from './fixtures.ts';
import { axe, look } from './looks.ts';
import { paperOf } from './printing.ts';
import { connectToServer, drained, photoFile, pressMore, report } from './steps.ts';

test.use({ apart: false });

test('decisions §3.2: a description is formatted in the form, offline too, told in the history, alone on paper', async ({
  app,
  server,
  chaos,
  client,
  world,
  folder,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  const broken: string[] = [];
  page.on('console', (message) => {
    const said = message.text();
    // The HTML pasted below has inline handlers, which the policy refuses as soon as they are parsed.
    if (/Content Security Policy|Trusted/i.test(said) && !/inline event handler/.test(said))
      broken.push(said);
  });
  page.on('pageerror', (error) => broken.push(String(error)));
  await connectToServer(page, { url: chaos.url, first: server.first }, 'Harbour Bridge East');
  const photo = await photoFile(folder, 1, 200_000);
  await report(page, { text: 'Rail loose at the east slab edge', photos: [photo] });
  await drained(page);

  world.offline();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('button', { name: 'Format the text' }).click();
  const box = page.getByRole('textbox', { name: 'What happened?' });
  await expect(box).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('Two bolts missing');
  await page.keyboard.press('Control+b');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'List', exact: true }).click();
  // The editor regains the focus one frame after a button press.
  await expect(box).toBeFocused();
  await page.keyboard.type('tied off');
  await page.keyboard.press('Enter');
  await page.keyboard.type('see ');
  // The toolbar is one tab stop; arrow keys move inside it.
  await page.getByRole('button', { name: 'List', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('button', { name: 'Link', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  const address = page.getByLabel('Address of the link');
  await expect(address).toBeFocused();
  await address.fill('javascript:alert(1)');
  await page.keyboard.press('Enter');
  await expect(page.getByText('A link begins with https://')).toBeVisible();
  await address.fill('https://plans.example/7');
  await look(page, 'detail-editor');
  await address.focus();
  await page.keyboard.press('Enter');
  await expect(box).toBeFocused();
  // From the clipboard of Word and web pages it keeps words and their meaning, but neither styles nor origin.
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData(
      'text/html',
      '<p style="position:fixed" onclick="window.hit=1"><b>pasted</b> <img src="https://evil.invalid/x.png" onerror="window.hit=1"><script>window.hit=1</script></p>',
    );
    const editor = document.querySelector('.tiptap');
    if (editor === null) throw new Error('There is no editor to paste into.');
    editor.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  await expect(box.getByText('pasted')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Changes saved on this laptop.')).toBeVisible();
  const detail = page.getByRole('region', { name: /^Near miss/ });
  await expect(detail.getByRole('listitem').filter({ hasText: /^tied off$/ })).toBeVisible();
  await expect(detail.getByRole('strong').filter({ hasText: 'Two bolts missing' })).toBeVisible();
  await expect(detail.getByRole('link', { name: 'https://plans.example/7' })).toHaveAttribute(
    'href',
    'https://plans.example/7',
  );

  world.online();
  await drained(page);
  const stored = async () =>
    (
      (await client.get('~/incidents/near_misses?filters[query]=Rail%20loose')).json as {
        description: string;
      }[]
    )[0]?.description;
  await expect
    .poll(stored)
    .toMatch(
      /^<p>Rail loose at the east slab edge<\/p><p><strong>Two bolts missing<\/strong><\/p><ul><li><p>tied off<\/p><\/li><li><p>see <a href="https:\/\/plans\.example\/7" rel="noopener noreferrer nofollow">https:\/\/plans\.example\/7<\/a>.*pasted/,
    );
  await pressMore(page, 'History', 'More actions');
  const history = page.getByRole('region', { name: 'On this laptop' });
  await expect(history.getByText('Changes delivered to the server')).toBeVisible();
  await history.getByRole('button', { name: /^Show/ }).click();
  for (const step of ['Saved on this laptop', 'Photo IMG_1001.jpg delivered'])
    await expect(history.getByText(step, { exact: true })).toBeVisible();
  await expect(history.getByText(/^What happened\?: Rail loose .* → Rail loose/)).toBeVisible();
  await look(page, 'detail-history');
  await page.keyboard.press('Escape');
  await expect(history).toBeHidden();
  await look(page, 'detail');

  // The screen itself, as a shell prints it without asking the window first.
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  await expect(page.getByRole('navigation')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeHidden();
  await expect(page.getByRole('heading', { name: /^Rail loose/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Delivery receipt' })).toBeHidden();
  const paper = await paperOf(page, 'detail');
  expect(paper.pages).toBe(1);
  expect(paper.text).toMatch(/Printed \d/);
  await page.emulateMedia({ media: 'screen' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(broken).toEqual([]);
  expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
});

test('failures, Rich text: more than 200 hostile descriptions through create, API and window run nothing and ask for nothing', async ({
  app,
  server,
  chaos,
  client,
}) => {
  test.setTimeout(600_000);
  expect(hostileHtml.length).toBeGreaterThan(200);
  const catalog = (await client.get('~/catalog')).json as { incidents: { id: number }[] };
  const incident_id = catalog.incidents[0]?.id;
  for (let at = 0; at < hostileDescriptions.length; at += 20)
    await Promise.all(
      hostileDescriptions.slice(at, at + 20).map(async (html, n) => {
        const description = `<p>hostile ${at + n}</p>${html}`;
        const made = await client.post('~/incidents/near_misses', {
          near_miss: { incident_id, description },
        });
        expect(made.status, html).toBe(201);
      }),
    );
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  const outside: string[] = [];
  page.context().on('request', (request) => {
    // A thumbnail made by the window is a blob of its own origin.
    if (new URL(request.url()).origin !== new URL(page.url()).origin) outside.push(request.url());
  });
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await connectToServer(page, { url: chaos.url, first: server.first }, 'Harbour Bridge East');
  const answer = await page.evaluate(async () => {
    const violations: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) =>
      violations.push(`${event.effectiveDirective} ${event.blockedURI}`),
    );
    const open = indexedDB.open('spotter');
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      open.onsuccess = () => resolve(open.result);
      open.onerror = () => reject(open.error ?? new Error('no database'));
    });
    const rows = await new Promise<{ key: string; title: string }[]>((resolve) => {
      const all = db.transaction('near_misses').objectStore('near_misses').getAll();
      all.onsuccess = () => resolve(all.result as { key: string; title: string }[]);
    });
    db.close();
    const hostile = rows.filter(({ title }) => title.startsWith('hostile '));
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const missed: string[] = [];
    for (const { key, title } of hostile) {
      location.hash = `#/near-misses/${key}`;
      const end = performance.now() + 5_000;
      while (document.querySelector('h1[tabindex]')?.textContent !== title) {
        if (performance.now() > end) {
          missed.push(title);
          break;
        }
        await frame();
      }
      await frame();
      for (const node of document.querySelectorAll('.rich *'))
        node.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
    }
    return {
      shown: hostile.length,
      missed,
      violations,
      hit: (window as { hit?: number }).hit ?? null,
    };
  });
  expect(answer).toEqual({
    shown: hostileDescriptions.length,
    missed: [],
    violations: [],
    hit: null,
  });
  expect(dialogs).toEqual([]);
  expect(outside).toEqual([]);
  await axe(page, 'a hostile description');
});

test('decisions §4.5: a near miss of a private incident says that not everybody sees it, and so does the form', async ({
  app,
  server,
  client,
}) => {
  const opened = await client.post('~/incidents', {
    incident: { title: 'Ambulance at gate 2', private: true },
  });
  const { id } = opened.json as { readonly id: number };
  await client.post('~/incidents/near_misses', {
    near_miss: { incident_id: id, description: 'Told in confidence' },
  });
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await page.getByRole('link', { name: 'Told in confidence' }).click();
  await expect(page.getByText(/Ambulance at gate 2\s*Private/)).toBeVisible();
  await look(page, 'detail-private');
  await page.getByRole('link', { name: 'New near miss' }).click();
  const incident = page.getByRole('combobox', { name: /^Job or area/ });
  await incident.fill('Ambulance');
  await expect(page.getByRole('option', { name: /Ambulance at gate 2.*Private/ })).toBeVisible();
});
