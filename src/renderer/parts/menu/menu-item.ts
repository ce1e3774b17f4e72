/** One action or choice of Menu.svelte. */
import type { Component } from 'svelte';

export interface MenuItem {
  readonly label: string;
  readonly run: () => void;
  readonly danger?: boolean;
  /** For a choice: true if selected. */
  readonly checked?: boolean;
  /** Shown at the end of the line. */
  readonly note?: string;
  /** A second line. */
  readonly about?: string;
  readonly icon?: Component<{ size?: number; 'aria-hidden'?: 'true' }>;
  /** Adds a separator above. */
  readonly apart?: boolean;
  /** Begins a part of the menu, with this heading and explanation. */
  readonly heading?: string;
  readonly heading_about?: string;
  /** Shown in its place, but cannot be pressed now. */
  readonly disabled?: boolean;
  /** Keeps the menu open, for an action that is often repeated. */
  readonly stays?: boolean;
}

/**
 * The items of an open menu: those it was opened with, as they are now, so that none moves just before it is pressed. An item that
 * is gone is disabled. A new one is shown when the menu is opened again.
 */
export const lastingItems = (
  opened: readonly MenuItem[],
  now: readonly MenuItem[],
): readonly MenuItem[] => {
  const before = Map.groupBy(opened, ({ label }) => label);
  const after = Map.groupBy(now, ({ label }) => label);
  return opened.map((item) => {
    const old = before.get(item.label) ?? [];
    const same = after.get(item.label) ?? [];
    // Of several with one label nobody can tell which one is gone.
    const latest = same.length === old.length ? same[old.indexOf(item)] : undefined;
    return latest ?? { ...item, disabled: true };
  });
};
