import { Autocomplete } from '@base-ui/react/autocomplete';
import { Popover } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { Link } from 'react-router';
import { Icon } from './icon.tsx';
import styles from './picker.module.css';
import popup from './popup.module.css';

export interface Choice {
  id: string;
  label: string;
  /** page to open */
  to: string;
  icon?: ReactNode;
  /** Whether it is the present one. */
  current?: boolean;
}

interface PickerProps {
  /** The accessible name of what opens. */
  label: string;
  /** The button that opens it. */
  trigger: ReactElement;
  /** The accessible name and placeholder of the search. */
  search: string;
  /** Shown when no choice matches. */
  empty: string;
  choices: readonly Choice[];
  open: boolean;
  onOpen: (open: boolean) => void;
  /** Below the choices. */
  children?: ReactNode;
}

/** A choice of one page among many, with a search. The arrow keys move, Enter opens, Escape closes. */
export const Picker = ({ label, trigger, search, empty, choices, open, onOpen, children }: PickerProps) => (
  <Popover.Root open={open} onOpenChange={onOpen}>
    <Popover.Trigger render={trigger} />
    <Popover.Portal>
      <Popover.Positioner className={popup.positioner} sideOffset={4} align="start">
        <Popover.Popup className={styles.popup} aria-label={label}>
          <Autocomplete.Root
            open
            inline
            items={choices}
            itemToStringValue={(choice: Choice) => choice.label}
            autoHighlight="always"
            keepHighlight
          >
            <Autocomplete.Input className={styles.input} aria-label={search} placeholder={search} />
            <Autocomplete.Empty className={styles.empty}>{empty}</Autocomplete.Empty>
            <Autocomplete.List className={styles.list}>
              {(choice: Choice) => (
                <Autocomplete.Item
                  key={choice.id}
                  value={choice}
                  className={styles.item}
                  render={<Link to={choice.to} tabIndex={-1} />}
                  onClick={() => onOpen(false)}
                >
                  {choice.icon}
                  <span className={styles.label}>{choice.label}</span>
                  {choice.current && <Icon name="check" size={14} />}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
          {children}
        </Popover.Popup>
      </Popover.Positioner>
    </Popover.Portal>
  </Popover.Root>
);
