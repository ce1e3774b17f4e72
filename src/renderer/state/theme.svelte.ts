/** Light, dark or as the system: puts the answer on <html data-theme>, and follows the system while asked to. */
import type { Settings } from '../../contract/host.ts';

const dark = () => window.matchMedia('(prefers-color-scheme: dark)');

/** Applies a theme until the answered function is called. */
export const applyTheme = (theme: Settings['theme']): (() => void) => {
  const query = dark();
  const apply = () => {
    const wanted = theme === 'system' ? (query.matches ? 'dark' : 'light') : theme;
    document.documentElement.dataset['theme'] = wanted;
  };
  apply();
  if (theme !== 'system') return () => {};
  query.addEventListener('change', apply);
  return () => query.removeEventListener('change', apply);
};
