/**
 * Moves the focus when the focused element is removed: a button replaced by a form, a deleted row, a closed toolbar, a dialog
 * that returns the focus to a removed button. Otherwise the focus falls to the page, and keyboard and screen reader users start
 * at the top again. The focus goes to the same position in the next row, else the previous row, else the nearest remaining
 * element, else the heading. An element that only moved keeps the focus.
 *
 * Uses a MutationObserver, because browsers send no `focusout` for a removed element.
 */
const STOPS =
  'a[href], button:not(:disabled), input:not(:disabled):not([type="hidden"]), select:not(:disabled), textarea:not(:disabled), summary';

const FIELDS =
  'input:not(:disabled):not([type="hidden"]), select:not(:disabled), textarea:not(:disabled)';

const stopsIn = (where: Element): HTMLElement[] =>
  [...where.querySelectorAll<HTMLElement>(STOPS)].filter((one) => one.checkVisibility());

/** The last focused element, and the surroundings that may replace it. */
interface Last {
  readonly element: HTMLElement;
  /**
   * Position among the focusable elements of its row, counted from the end. A row's buttons are at its end, whatever precedes
   * them.
   */
  readonly from_end: number;
  /** Ancestors, innermost first. */
  readonly around: readonly Element[];
  /** Its row, or the current row of the list if the element is in the detail pane. */
  readonly row: Element | null;
  readonly rows: readonly Element[];
  readonly list: Element | null;
  readonly in_form: boolean;
}

const rowsAround = (row: Element | null): Element[] =>
  row?.parentElement ? [...row.parentElement.children] : [];

const lastOf = (element: HTMLElement, container: Element): Last => {
  const around: Element[] = [];
  const own = element.closest('li');
  // From a row, search no further out than its list. The rest of the page is not a row.
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
    in_form: element.closest('form') !== null,
    around: [...around, container],
    from_end: stops.includes(element) ? stops.length - 1 - stops.indexOf(element) : 0,
  };
};

/** Candidate rows: its own, the following, the preceding. If all rows were recreated, the rows now at those places. */
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
    // In a list with roving tabindex, prefer its current item.
    const stop = one.querySelector<HTMLElement>('li [tabindex="0"]') ?? stopsIn(one)[0];
    if (stop) return stop;
  }
  const heading = container.querySelector<HTMLElement>('h1, h2');
  if (heading) heading.tabIndex = -1;
  return heading;
};

/**
 * Handles forms that replace a button and close back to it: the focus goes to the first field, or to the button. Null if
 * nothing took the element's place.
 */
const inPlaceOf = (last: Last, records: readonly MutationRecord[]): HTMLElement | null => {
  const nearest = last.around.find((one) => one.isConnected);
  const added = records
    .flatMap(({ addedNodes }) => [...addedNodes])
    .filter((node) => node instanceof Element)
    .filter((node) => node.isConnected && nearest?.contains(node));
  for (const node of added) {
    const form = node.matches('form') ? node : node.querySelector('form');
    const field = form?.querySelector<HTMLElement>(FIELDS);
    if (form && field) {
      form.scrollIntoView({ block: 'nearest' });
      return field;
    }
  }
  return last.in_form ? (added.flatMap(stopsIn)[0] ?? null) : null;
};

const holds = (nodes: NodeList, element: Element): boolean =>
  [...nodes].some((node) => node.contains(element));

/** Attachment for a container that holds a list, its heading and its actions. */
export const keepFocus = (container: HTMLElement): (() => void) => {
  let last: Last | null = null;
  const remember = (event: FocusEvent) => {
    const { target } = event;
    if (!(target instanceof HTMLElement)) return;
    if (container.contains(target)) last = lastOf(target, container);
    // Dialogs and menus return the focus. Any other focus target means the user left.
    else if (!target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]')) last = null;
  };
  const changed = (records: readonly MutationRecord[]) => {
    if (last === null) return;
    const { element, row } = last;
    const fallen = document.activeElement === document.body;
    if (element.isConnected) {
      // Browsers drop the focus of an element that moves within the list.
      if (fallen && records.some(({ removedNodes }) => holds(removedNodes, element)))
        element.focus({ preventScroll: true });
      if (row?.isConnected) last = { ...last, rows: rowsAround(row) };
      return;
    }
    if (!fallen) return;
    const next = inPlaceOf(last, records) ?? successor(last, container);
    last = null;
    next?.focus();
  };
  const observer = new MutationObserver(changed);
  observer.observe(container, { childList: true, subtree: true });
  // Dialogs are children of the body. Their removal drops the focus, too.
  observer.observe(document.body, { childList: true });
  document.addEventListener('focusin', remember);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', remember);
  };
};
