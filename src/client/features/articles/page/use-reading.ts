import { type RefObject, useEffect, useState } from 'react';
import type { ArticleSection } from '../markdown/render-article.ts';

/** How far down the window (as a share of its height) a section begins to be the one that is read. */
const readingLine = 0.3;

/**
 * Follows the reader: moves `bar` from 0 to 1 as `text` passes by, and says which section is read. The bar is moved
 * directly, since a scrolling phone has no time for a rendering.
 */
export function useReading(
  text: RefObject<HTMLElement | null>,
  bar: RefObject<HTMLElement | null>,
  sections: readonly ArticleSection[],
): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      if (text.current) bar.current?.style.setProperty('scale', `${shareRead(text.current)} 1`);
      setCurrent(sectionAt(lineOfReading(), sections));
    };
    const follow = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    window.addEventListener('scroll', follow, { passive: true });
    window.addEventListener('resize', follow);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', follow);
      window.removeEventListener('resize', follow);
    };
  }, [text, bar, sections]);
  return current;
}

function shareRead(text: HTMLElement): number {
  const { top, height } = text.getBoundingClientRect();
  const passed = window.innerHeight - top;
  return Math.min(1, Math.max(0, (passed - window.innerHeight) / (height - window.innerHeight)));
}

/** In pixels from the window's top. At the end of the page nothing scrolls any higher: all of the window is read. */
function lineOfReading(): number {
  const { scrollHeight } = document.documentElement;
  const isAtEnd = window.scrollY > 0 && window.scrollY + window.innerHeight >= scrollHeight - 1;
  return window.innerHeight * (isAtEnd ? 1 : readingLine);
}

function sectionAt(line: number, sections: readonly ArticleSection[]): string | undefined {
  return sections.findLast(({ id }) => {
    const heading = document.getElementById(id);
    return heading !== null && heading.getBoundingClientRect().top <= line;
  })?.id;
}
