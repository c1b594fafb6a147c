/** Whether the sidebar is open and covers the screen. The style sheet decides at which widths it does. */
export function isScreenCovered(): boolean {
  const sidebar = document.querySelector('#sidebar:not([inert])');
  return sidebar !== null && getComputedStyle(sidebar).getPropertyValue('--covers').trim() === '1';
}
