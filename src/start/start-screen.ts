import { getSession, subscribeSession } from '#session/session.ts';

/** Minds the picture of the start screen. Its code comes with a session: a visitor has nothing to keep. */
export function followStartScreen(root: HTMLElement): void {
  let isMinded = false;
  const follow = () => {
    const picture = document.getElementById('first-paint');
    if (isMinded || (getSession().status !== 'signed-in' && !picture)) return;
    isMinded = true;
    import('./first-paint.ts')
      .then(({ handOverFirstPaint }) => handOverFirstPaint(root))
      .catch(() => picture?.remove());
  };
  follow();
  subscribeSession(follow);
}
