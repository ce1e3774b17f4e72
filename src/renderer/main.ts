/**
 * The window's operation point: loads the lockdown first, then everything else. Only a dynamic import keeps that order in the
 * built window, because shared chunks run before the file that imports them.
 */
import './lockdown.ts';

await import('./start.ts');
