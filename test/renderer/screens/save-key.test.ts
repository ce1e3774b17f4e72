/** Ctrl+Enter in the rich text editor saves its content: it neither replaces a selection nor inserts a line break. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { ScriptedHost } from '../../support/renderer-host.ts';
import { slow } from '../../support/slow.ts';

const DESCRIPTION = [
  '<p>Board fell from level 3</p>',
  '<ul><li><p>Cover refitted</p></li></ul>',
  '<table><tbody><tr><td colspan="1" rowspan="1"><p>Depth</p></td><td colspan="1" rowspan="1"><p>deep</p></td></tr></tbody></table>',
].join('');

const SAVE = '{Control>}{Enter}{/Control}';

const openEditor = async () => {
  const host = new ScriptedHost();
  const { id } = host.add({ description: DESCRIPTION });
  await openApp({ host });
  await page.getByRole('link', { name: /Board fell from level 3/ }).click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  const box = page.getByRole('textbox', { name: 'What happened?' });
  await expect.element(box.getByText('Cover refitted')).toBeVisible();
  return { box, saved: () => host.near_misses.get(id)?.description };
};

for (const [test, where, text, word] of [
  [it, 'a paragraph', 'Board fell from level 3', 'level'],
  [slow, 'a list', 'Cover refitted', 'refitted'],
  [slow, 'a table cell', 'deep', 'deep'],
] as const)
  test(`A38: Ctrl+Enter with a selection in ${where} saves the text unchanged`, async () => {
    const { box, saved } = await openEditor();
    const line = box.getByText(text);
    const paragraph = line.element();
    await line.click();
    await userEvent.keyboard('{End}!');
    const words = paragraph.firstChild as Text;
    const at = words.data.indexOf(word);
    getSelection()?.setBaseAndExtent(words, at, words, at + word.length);
    await userEvent.keyboard(SAVE);
    await expect.poll(saved).toBe(DESCRIPTION.replace(text, `${text}!`));
  });

slow('A38: Ctrl+Enter with the caret in the middle breaks no line, Shift+Enter does', async () => {
  const { box, saved } = await openEditor();
  await box.getByText('Cover refitted').click();
  await userEvent.keyboard('{End}{Shift>}{Enter}{/Shift}and locked');
  await userEvent.keyboard(SAVE);
  await expect
    .poll(saved)
    .toBe(DESCRIPTION.replace('Cover refitted', 'Cover refitted<br>and locked'));
});
