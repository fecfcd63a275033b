import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import styles from './tabs.module.css';

interface Tab {
  label: string;
  content: ReactNode;
}

/** The pattern "tabs with automatic activation" of the ARIA Authoring Practices: arrow keys move, Tab goes into the panel. */
export function Tabs({ label, tabs }: { label: string; tabs: [Tab, ...Tab[]] }) {
  const id = useId();
  const [index, setIndex] = useState(0);
  const shown = Math.min(index, tabs.length - 1);
  const move = (event: KeyboardEvent<HTMLButtonElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = (shown + step + tabs.length) % tabs.length;
    setIndex(next);
    document.getElementById(`${id}-tab-${next}`)?.focus();
  };
  return (
    <div>
      <div className={styles.list} role="tablist" aria-label={label}>
        {tabs.map((tab, position) => (
          <button
            key={tab.label}
            type="button"
            role="tab"
            id={`${id}-tab-${position}`}
            className={styles.tab}
            aria-selected={position === shown}
            aria-controls={`${id}-panel`}
            tabIndex={position === shown ? 0 : -1}
            onClick={() => setIndex(position)}
            onKeyDown={move}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-tab-${shown}`}>
        {tabs[shown]?.content}
      </div>
    </div>
  );
}
