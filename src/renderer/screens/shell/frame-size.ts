/**
 * Chooses the navigation by the window's size: a rail with names on wide windows, a rail of icons on narrower or low
 * ones, a bar at the bottom of narrow ones. The style of each part uses the same widths.
 */
import { MediaQuery } from 'svelte/reactivity';

/** The rail has room for names, and for the project above them. */
export const named = new MediaQuery('(width >= 1181px) and (height >= 480px)');
/** The navigation is a bar at the bottom. */
export const bottom = new MediaQuery('(width < 861px) and (height >= 480px)');
