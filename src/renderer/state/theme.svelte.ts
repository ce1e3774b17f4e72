/** Sets <html data-theme> to light, dark, or the system's theme, which it follows. Printing always uses light. */
import type { Settings } from '../../contract/settings.ts';

const dark = () => window.matchMedia('(prefers-color-scheme: dark)');

/** Applies a theme. Returns a function that stops following the system. */
export const applyTheme = (theme: Settings['theme']): (() => void) => {
  const query = dark();
  const apply = () => {
    const wanted = theme === 'system' ? (query.matches ? 'dark' : 'light') : theme;
    document.documentElement.dataset['theme'] = wanted;
  };
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
