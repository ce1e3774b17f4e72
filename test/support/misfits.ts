/**
 * What of a page does not fit: it scrolls sideways, or a control is cut off or covered. Needs nothing from outside, because
 * journeys send the function into the page.
 */
export function misfits(): string[] {
  const out: string[] = [];
  const wide = document.documentElement;
  if (wide.scrollWidth > wide.clientWidth)
    out.push(`the window scrolls sideways: ${wide.scrollWidth}`);
  for (const element of document.querySelectorAll('button, a[href], input, select, textarea')) {
    if (!element.checkVisibility() || element.closest('.sr') || element.matches('.sr, .skip'))
      continue;
    element.scrollIntoView({ block: 'center', inline: 'nearest' });
    const box = element.getBoundingClientRect();
    if (box.width === 0) continue;
    const name = element.outerHTML.slice(0, 90);
    if (box.right > innerWidth + 1 || box.left < -1) out.push(`cut off: ${name}`);
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (top !== null && !element.contains(top) && !top.contains(element))
      out.push(`covered by ${top.outerHTML.slice(0, 60)}: ${name}`);
  }
  return out;
}
