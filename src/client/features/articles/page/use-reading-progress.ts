import { type RefObject, useEffect, useState } from 'react';
import type { ArticleSection } from '../markdown/render-article.ts';

/** A section counts as being read once its heading is above this share of the window's height. */
const readingLine = 0.3;

/**
 * Follows the reader: scales `bar` from 0 to 1 as `text` scrolls by, and returns the id of the section being read
 * (undefined before the first one). The bar is changed without React, because rendering on every scroll event is too
 * slow on a phone.
 */
export function useReadingProgress(
  text: RefObject<HTMLElement | null>,
  bar: RefObject<HTMLElement | null>,
  sections: readonly ArticleSection[],
): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    let frame = 0;
    const measure = () => {
      frame = 0;
      if (text.current) bar.current?.style.setProperty('scale', `${shareRead(text.current)} 1`);
      setCurrent(sectionAt(lineOfReading(), sections));
    };
    const follow = () => {
      frame ||= requestAnimationFrame(measure);
    };
    measure();
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

/**
 * The lowest position of a heading whose section counts as being read, in px from the window's top. At the end of the
 * page it is the window's bottom, so that the last sections count too.
 */
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
