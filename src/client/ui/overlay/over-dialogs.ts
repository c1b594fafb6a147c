/** Marks what lies over dialogs and is no part of any: a tap on it is no tap outside of the dialog. */
export const overDialogs = { 'data-over-dialogs': '' };

/** For a dialog's onInteractOutside. */
export function keepOpenBelow(event: CustomEvent<{ originalEvent: Event }>): void {
  const { target } = event.detail.originalEvent;
  if (target instanceof Element && target.closest('[data-over-dialogs]')) event.preventDefault();
}
