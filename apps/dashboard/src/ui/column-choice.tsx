import { Menu as Base } from '@base-ui/react/menu';
import { useState } from 'react';
import type { Columns } from '../lib/use-columns.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import popup from './popup.module.css';

/** Shows and hides columns of a list. The menu stays open, because several are often chosen. */
export function ColumnChoice({ options, shown, onChange }: Columns) {
  /** What is chosen while the menu is open: the list follows a moment later. */
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const now = chosen ?? shown;
  const toggle = (value: string, isShown: boolean) => {
    const next = new Set(now);
    if (isShown) next.add(value);
    else next.delete(value);
    setChosen(next);
    onChange(next);
  };
  return (
    <Base.Root modal={false} onOpenChange={() => setChosen(null)}>
      <Base.Trigger
        render={
          <Button small icon="columns">
            Columns
          </Button>
        }
      />
      <Base.Portal>
        <Base.Positioner className={popup.positioner} sideOffset={4} align="end">
          <Base.Popup className={popup.popup} aria-label="Columns">
            {options.map(({ value, label }) => (
              <Base.CheckboxItem
                key={value}
                className={popup.item}
                checked={now.has(value)}
                onCheckedChange={(isShown) => toggle(value, isShown)}
                closeOnClick={false}
              >
                {label}
                <Base.CheckboxItemIndicator>
                  <Icon name="check" size={14} />
                </Base.CheckboxItemIndicator>
              </Base.CheckboxItem>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
