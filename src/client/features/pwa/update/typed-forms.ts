const typed = new Set<HTMLFormElement>();

/** Notices in which forms something is typed, from now on. */
export function watchTyping(): void {
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof Element && target.closest('form');
    if (form) typed.add(form);
  });
}

/** Whether a form on the screen holds something that somebody typed: a reload would lose it. */
export function hasTypedForm(): boolean {
  for (const form of typed) if (!form.isConnected) typed.delete(form);
  return typed.size > 0;
}
