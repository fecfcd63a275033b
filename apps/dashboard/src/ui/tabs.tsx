import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

interface Tab {
  label: string;
  content: ReactNode;
}

/** Arrow keys move between the tabs and show their content, Tab goes into it. */
export function Tabs({ label, tabs }: { label: string; tabs: [Tab, ...Tab[]] }) {
  return (
    <Base.Root defaultValue={tabs[0].label}>
      <Base.List className={styles.list} aria-label={label} activateOnFocus>
        {tabs.map((tab) => (
          <Base.Tab key={tab.label} value={tab.label} className={styles.tab}>
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.label} value={tab.label}>
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
