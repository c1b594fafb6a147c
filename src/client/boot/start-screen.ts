import { getSession, subscribeSession } from '#client/session/session.ts';
import { untilReady } from './screen-ready.ts';

/**
 * Takes the picture that the page began with away once the screen itself stands, and minds the next one. The code for
 * that comes with a session: a visitor has nothing to keep.
 */
export function followStartScreen(root: HTMLElement): void {
  const picture = document.getElementById('first-paint');
  if (picture) void untilReady(root).then(() => picture.remove());
  let isMinded = false;
  const follow = () => {
    if (isMinded || getSession().status !== 'signed-in') return;
    isMinded = true;
    // Without it the next start is a little slower.
    import('./first-paint.ts').then(
      ({ mindFirstPaint }) => mindFirstPaint(root),
      () => undefined,
    );
  };
  follow();
  subscribeSession(follow);
}
