/** For the ref of what appears because of a tap: work goes on there. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
