/** For the ref of what appears because of a tap: it is read out, and work goes on there. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
