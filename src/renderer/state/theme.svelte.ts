/** Light, dark or as the system: puts the answer on <html data-theme>, and follows the system while asked to. Light on paper. */
import type { Settings } from '../../contract/settings.ts';

const dark = () => window.matchMedia('(prefers-color-scheme: dark)');

/** Applies a theme until the answered function is called. */
export const applyTheme = (theme: Settings['theme']): (() => void) => {
  const query = dark();
  const apply = () => {
    const wanted = theme === 'system' ? (query.matches ? 'dark' : 'light') : theme;
    document.documentElement.dataset['theme'] = wanted;
  };
  // Paper is white.
  const onPaper = () => {
    document.documentElement.dataset['theme'] = 'light';
  };
  apply();
  window.addEventListener('beforeprint', onPaper);
  window.addEventListener('afterprint', apply);
  if (theme === 'system') query.addEventListener('change', apply);
  return () => {
    window.removeEventListener('beforeprint', onPaper);
    window.removeEventListener('afterprint', apply);
    query.removeEventListener('change', apply);
  };
};
