import axe from 'axe-core';
import { emulateMedia } from './browser.ts';

/** Only violations are reported in full, because reporting all passed elements takes longer than the check itself. */
const options: axe.RunOptions = { resultTypes: ['violations'] };

/** Accessibility violations of the current screen, in the light and the dark theme. */
export async function violationsInBothThemes(): Promise<string[]> {
  await emulateMedia({ 'prefers-color-scheme': 'light' });
  finishTransitions();
  const inLight = await axe.run(document, options);
  await emulateMedia({ 'prefers-color-scheme': 'dark' });
  finishTransitions();
  // The themes differ in their colours and in nothing else.
  const inDark = await axe.run(document, { ...options, runOnly: ['color-contrast'] });
  return [...inLight.violations, ...inDark.violations].flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html}`),
  );
}

/** While a button changes to the colours of a theme, its contrast is that of neither theme. */
function finishTransitions(): void {
  for (const animation of document.getAnimations()) {
    if (animation instanceof CSSTransition) animation.finish();
  }
}
