/**
 * The window's entry: locked down first, then everything else. Only a dynamic import keeps that order in the built window,
 * where modules that several entries share become files of their own and run before the file that imports them.
 */
import './lockdown.ts';

await import('./start.ts');
