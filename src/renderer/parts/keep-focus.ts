/**
 * Where the focus goes when what has it is taken away: a row is deleted, a bar of choices ends, a dialog gives the focus back to a
 * button that is gone. Left alone it falls to the page, and a keyboard or a screen reader begins at the top again. It goes to
 * the same place in the next row, else the row before, else to what is left beside it, else to the heading. What is only moved keeps
 * it.
 *
 * Told by a mutation and not by `focusout`: browsers send none for an element that is removed.
 */
const STOPS =
  'a[href], button:not(:disabled), input:not(:disabled):not([type="hidden"]), select:not(:disabled), textarea:not(:disabled), summary';

const stopsIn = (where: Element): HTMLElement[] =>
  [...where.querySelectorAll<HTMLElement>(STOPS)].filter((one) => one.checkVisibility());

/** What had the focus last, and everything around it that may have to take its place. */
interface Last {
  readonly element: HTMLElement;
  /** The stop's place among those of its row, counted from the end: a row's buttons stand there, whatever stands before them. */
  readonly from_end: number;
  /** From the inside to the outside. */
  readonly around: readonly Element[];
  /** The row it was in, or the row of what is open beside the list. */
  readonly row: Element | null;
  readonly rows: readonly Element[];
  readonly list: Element | null;
}

const rowsAround = (row: Element | null): Element[] =>
  row?.parentElement ? [...row.parentElement.children] : [];

const lastOf = (element: HTMLElement, container: Element): Last => {
  const around: Element[] = [];
  const own = element.closest('li');
  // From a row it goes no further than its list: whatever else the page has there is no row.
  const end = own?.parentElement?.parentElement ?? container;
  for (let one = element.parentElement; one !== null && one !== end; one = one.parentElement)
    around.push(one);
  const row = own ?? container.querySelector('li:has([aria-current="true"])');
  const stops = row?.contains(element) ? stopsIn(row) : [];
  return {
    element,
    row,
    rows: rowsAround(row),
    list: row?.parentElement ?? null,
    around: [...around, container],
    from_end: stops.includes(element) ? stops.length - 1 - stops.indexOf(element) : 0,
  };
};

/** The rows to try: its own, those after it, those before it; where all were drawn anew, those that stand there now. */
const nearRows = ({ row, rows, list }: Last): readonly Element[] => {
  if (row === null) return [];
  const at = Math.max(0, rows.indexOf(row));
  const anew = list?.isConnected ? [...list.children] : [];
  return [
    row,
    ...rows.slice(at + 1),
    ...rows.slice(0, at).reverse(),
    ...anew.slice(at),
    ...anew.slice(0, at).reverse(),
  ];
};

const successor = (last: Last, container: Element): HTMLElement | null => {
  for (const row of nearRows(last)) {
    const stops = row.isConnected ? stopsIn(row) : [];
    const stop = stops.at(-1 - Math.min(last.from_end, stops.length - 1));
    if (stop) return stop;
  }
  for (const one of last.around) {
    if (!one.isConnected || one === container) continue;
    // A list with one tab stop has its place marked.
    const stop = one.querySelector<HTMLElement>('li [tabindex="0"]') ?? stopsIn(one)[0];
    if (stop) return stop;
  }
  const heading = container.querySelector<HTMLElement>('h1, h2');
  if (heading) heading.tabIndex = -1;
  return heading;
};

const holds = (nodes: NodeList, element: Element): boolean =>
  [...nodes].some((node) => node.contains(element));

/** An attachment for what holds a list, its heading and what is done to its rows. */
export const keepFocus = (container: HTMLElement): (() => void) => {
  let last: Last | null = null;
  const remember = (event: FocusEvent) => {
    const { target } = event;
    if (!(target instanceof HTMLElement)) return;
    if (container.contains(target)) last = lastOf(target, container);
    // A dialog gives the focus back; whoever goes anywhere else has left.
    else if (!target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]')) last = null;
  };
  const changed = (records: readonly MutationRecord[]) => {
    if (last === null) return;
    const { element, row } = last;
    const fallen = document.activeElement === document.body;
    if (element.isConnected) {
      // Moved to another place of the list: browsers take the focus from what moves.
      if (fallen && records.some(({ removedNodes }) => holds(removedNodes, element)))
        element.focus({ preventScroll: true });
      if (row?.isConnected) last = { ...last, rows: rowsAround(row) };
      return;
    }
    if (!fallen) return;
    const next = successor(last, container);
    last = null;
    next?.focus();
  };
  const observer = new MutationObserver(changed);
  observer.observe(container, { childList: true, subtree: true });
  // Dialogs hang from the page itself: the focus falls when they go.
  observer.observe(document.body, { childList: true });
  document.addEventListener('focusin', remember);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', remember);
  };
};
