/** Marks an element that lies above dialogs without being part of one, e.g. the notices. */
export const aboveDialogs = { 'data-above-dialogs': '' };

/** For a dialog's onInteractOutside: a tap on such an element does not close the dialog. */
export function ignoreInteractionAbove(event: CustomEvent<{ originalEvent: Event }>): void {
  const { target } = event.detail.originalEvent;
  if (target instanceof Element && target.closest('[data-above-dialogs]')) event.preventDefault();
}
