/** Where the focus goes when its element is removed, in a real browser: rows, their neighbours, a dialog on the page. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepFocus } from '../../../src/renderer/parts/keep-focus.ts';
import { eventually } from '../../support/eventually.ts';

let stop: () => void;
let root: HTMLElement;
const row = (name: string): string =>
  `<li id="${name}"><input type="checkbox" /><a href="#">${name}</a><button id="${name}-go"></button></li>`;

beforeEach(() => {
  root = document.createElement('section');
  root.innerHTML = `<h1>Title</h1><div id="bar"><button id="first">a</button><span id="end"><button id="last">b</button></span></div>
    <ul>${row('one')}${row('two')}${row('three')}</ul>`;
  document.body.append(root);
  stop = keepFocus(root);
});
afterEach(() => {
  stop();
  root.remove();
});

const get = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no ${id}`);
  return found;
};
const focusOn = async (element: Element): Promise<void> => {
  await eventually(() => expect(document.activeElement).toBe(element));
};

it('to the same place in the next row, from the last to the one before, at last to the heading', async () => {
  get('two-go').focus();
  get('two').remove();
  await focusOn(get('three-go'));
  get('three').remove();
  await focusOn(get('one-go'));
  get('one').remove();
  await focusOn(root.querySelector('h1') as HTMLElement);
});

it('the last row goes with its list: to the heading, whatever else stands around the list', async () => {
  const column = document.createElement('section');
  column.append(...root.children);
  root.append(column);
  get('two-go').focus();
  root.querySelector('ul')?.remove();
  await focusOn(root.querySelector('h1') as HTMLElement);
});

it('a row that moves among the others keeps it', async () => {
  get('one-go').focus();
  get('three').after(get('one'));
  expect(document.activeElement).toBe(document.body);
  await focusOn(get('one-go'));
});

it('a button that another takes the place of leaves it to that one, and its row to the next when it goes at last', async () => {
  get('one-go').focus();
  const undo = document.createElement('button');
  get('one-go').replaceWith(undo);
  await focusOn(undo);
  get('one').remove();
  await focusOn(get('two-go'));
});

it('rows that are drawn anew: to the one that stands there now', async () => {
  get('three-go').focus();
  const list = root.querySelector('ul') as HTMLElement;
  list.innerHTML = `${row('four')}${row('five')}`;
  await focusOn(get('five-go'));
});

it('beside the rows: to what is left there; of a list with one tab stop, to that', async () => {
  get('last').focus();
  get('end').remove();
  await focusOn(get('first'));
});

it('a row that goes while a dialog is open: the focus falls with the dialog, and goes to the next row then', async () => {
  get('one-go').focus();
  const dialog = document.createElement('div');
  dialog.setAttribute('role', 'dialog');
  dialog.innerHTML = '<button id="yes">yes</button>';
  document.body.append(dialog);
  get('yes').focus();
  get('one').remove();
  await focusOn(get('yes'));
  dialog.remove();
  await focusOn(get('two-go'));
});

it('whoever has gone elsewhere is left there; the open record’s row counts for what stands beside the list', async () => {
  const elsewhere = document.createElement('button');
  document.body.append(elsewhere);
  get('one-go').focus();
  elsewhere.focus();
  get('one').remove();
  await Promise.resolve();
  expect(document.activeElement).toBe(elsewhere);
  elsewhere.remove();

  const detail = document.createElement('div');
  detail.innerHTML = '<button id="delete">delete</button>';
  root.append(detail);
  root.querySelector('#two a')?.setAttribute('aria-current', 'true');
  get('delete').focus();
  get('two').remove();
  detail.remove();
  await focusOn(get('three-go'));
});

it('a form that opens in the place of its button has the focus in its first field, and gives it back to the button', async () => {
  const detail = document.createElement('section');
  const deed = '<div><button id="add">Add</button></div>';
  detail.innerHTML = deed;
  root.append(detail);
  root.querySelector('#two a')?.setAttribute('aria-current', 'true');
  get('add').focus();
  detail.innerHTML =
    '<form><label>What <input id="what" /></label><button id="cancel">Cancel</button></form>';
  await focusOn(get('what'));
  get('cancel').focus();
  detail.innerHTML = deed;
  await focusOn(get('add'));
});
