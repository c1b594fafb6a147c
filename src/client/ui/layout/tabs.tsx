import * as RadixTabs from '@radix-ui/react-tabs';
import type { FocusEvent, ReactNode, Ref } from 'react';
import styles from './tabs.module.css';

interface TabsProps<Name extends string> {
  label: string;
  tabs: readonly { name: Name; label: string; content: ReactNode }[];
  open: Name;
  /** The content of the open tab, so that the caller can focus it. */
  openPanel?: Ref<HTMLDivElement>;
  onOpen: (name: Name) => void;
}

/** Tabs that fill their container and scroll inside. Arrow keys move between them. */
export function Tabs<Name extends string>({
  label,
  tabs,
  open,
  openPanel,
  onOpen,
}: TabsProps<Name>) {
  return (
    <RadixTabs.Root
      className={styles.tabs}
      value={open}
      onValueChange={(value) => {
        const tab = tabs.find(({ name }) => name === value);
        if (tab) onOpen(tab.name);
      }}
    >
      <RadixTabs.List className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <RadixTabs.Trigger
            key={tab.name}
            className={styles.tab}
            value={tab.name}
            onFocus={openByArrowKeysOnly}
          >
            {tab.label}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content
          key={tab.name}
          ref={tab.name === open ? openPanel : undefined}
          className={styles.panel}
          value={tab.name}
        >
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}

/** By default a tab opens whenever it gets the focus, even if a closed dialog returns the focus to it. */
function openByArrowKeysOnly(event: FocusEvent<HTMLElement>): void {
  const isFromTab = event.currentTarget.parentElement?.contains(event.relatedTarget);
  if (!isFromTab) event.preventDefault();
}
