import type { ReactNode } from 'react';
import { SiteFooter } from './site-footer.tsx';
import styles from './site-frame.module.css';
import { SiteHeader } from './site-header.tsx';

/** The frame of all pages for visitors. `title`: for the browser. */
export function SiteFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.page}>
      <title>{title}</title>
      <SiteHeader />
      <main>{children}</main>
      <SiteFooter />
    </div>
  );
}
