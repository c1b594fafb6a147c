import { Menu } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { IconButton } from '../form/button.tsx';
import { isPopoverOpen } from '../overlay/popover.tsx';
import { useRememberedFlag } from '../use-remembered-flag.ts';
import { isScreenCovered } from './covered-screen.ts';
import styles from './frame.module.css';

/** The frame of the signed-in screens: header, sidebar (docked where there is room) and main area. */
export function Frame({
  logo,
  tools,
  navigation,
  children,
}: {
  logo: ReactNode;
  tools: ReactNode;
  navigation: ReactNode;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useRememberedFlag('sprig.sidebar-open', true);
  const toggle = useRef<HTMLButtonElement>(null);
  const screen = useRef<HTMLElement>(null);

  /** Closes the sidebar if it covers the screen. `next` gets the focus then. */
  function leaveSidebar(next: HTMLElement | null): void {
    if (!isScreenCovered()) return;
    setOpen(false);
    next?.focus({ preventScroll: true });
  }

  /** For the header and the sidebar. A sidebar that covers the screen is closed when the focus moves to the screen. */
  function closeOnEscape({ key }: KeyboardEvent): void {
    // The browser closes an open menu after this event.
    if (key === 'Escape' && !isPopoverOpen()) leaveSidebar(toggle.current);
  }

  return (
    <div className={styles.frame} data-sidebar={isOpen ? 'open' : 'closed'}>
      <a className={styles.skip} href="#screen">
        Skip to content
      </a>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles a key of the controls in the header */}
      <header className={styles.header} onKeyDown={closeOnEscape}>
        <IconButton
          ref={toggle}
          label="Toggle sidebar"
          aria-expanded={isOpen}
          aria-controls="sidebar"
          onClick={() => setOpen(!isOpen)}
        >
          <Menu aria-hidden />
        </IconButton>
        {logo}
        <div className={styles.tools}>{tools}</div>
      </header>
      <nav
        id="sidebar"
        className={styles.sidebar}
        aria-label="Main"
        inert={!isOpen}
        onClick={(event) => {
          const isLink = event.target instanceof Element && event.target.closest('a') !== null;
          if (isLink) leaveSidebar(screen.current);
        }}
        onKeyDown={closeOnEscape}
      >
        {navigation}
      </nav>
      <button
        type="button"
        className={styles.overlay}
        aria-label="Close sidebar"
        tabIndex={-1}
        onClick={() => setOpen(false)}
      />
      <main
        id="screen"
        ref={screen}
        className={styles.screen}
        tabIndex={-1}
        // The sidebar would cover the focused element.
        onFocus={() => leaveSidebar(null)}
      >
        {children}
      </main>
    </div>
  );
}

/** The screen's only h1. Also sets the document's title. */
export function PageTitle({
  title,
  subtitle,
  children,
}: {
  title: string;
  subtitle: string;
  children?: ReactNode;
}) {
  return (
    <header className={styles.pageTitle}>
      <title>{`${title} · Sprig`}</title>
      <div>
        <h1>{title}</h1>
        <p>{subtitle}</p>
      </div>
      {children}
    </header>
  );
}
