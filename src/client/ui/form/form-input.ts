const formsWithInput = new Set<HTMLFormElement>();

/** Starts recording which forms a person has typed in. */
export function trackFormInput(): void {
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof Element && target.closest('form');
    if (form) formsWithInput.add(form);
  });
}

/** Whether a form that a person has typed in is still on the page, even if its input was saved or cleared. */
export function hasFormInput(): boolean {
  for (const form of formsWithInput) if (!form.isConnected) formsWithInput.delete(form);
  return formsWithInput.size > 0;
}
