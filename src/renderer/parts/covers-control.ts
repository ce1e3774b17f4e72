/** Finds out whether an element that floats over a screen covers something that can be pressed or typed in. */

const CONTROLS =
  'a[href], button, input, select, textarea, summary, [tabindex="0"], [role="slider"]';

export function coversControl(floating: Element, screen: Element): boolean {
  const over = floating.getBoundingClientRect();
  return [...screen.querySelectorAll(CONTROLS)].some((control) => {
    if (floating.contains(control) || !control.checkVisibility({ visibilityProperty: true }))
      return false;
    const { left, right, top, bottom } = control.getBoundingClientRect();
    return left < over.right && right > over.left && top < over.bottom && bottom > over.top;
  });
}
