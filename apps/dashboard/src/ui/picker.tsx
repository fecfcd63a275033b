import { Autocomplete } from '@base-ui/react/autocomplete';
import { Popover } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';
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

export interface ChoiceGroup {
  label: string;
  items: readonly Choice[];
}

interface PickerProps {
  /** The accessible name of what opens. */
  label: string;
  /** The button that opened it: below it the picker is shown, and to it the focus returns. */
  anchor: RefObject<HTMLElement | null>;
  /** The accessible name and placeholder of the search. */
  search: string;
  /** Shown when no choice matches. */
  empty: string;
  /** One group is shown without its label. */
  groups: readonly [ChoiceGroup, ...ChoiceGroup[]];
  onClose: () => void;
  /** Below the choices. */
  children?: ReactNode;
}

/**
 * A choice of one page among many, with a search, for as long as it is rendered. The arrow keys move, Enter opens, Escape closes.
 * Its button is outside, so that this file is loaded when the picker is opened.
 */
export const Picker = ({ label, anchor, search, empty, groups, onClose, children }: PickerProps) => (
  <Popover.Root
    open
    onOpenChange={(open, { event }) => {
      // A press of the button closes the picker by itself.
      const isButton = event.target instanceof Node && anchor.current?.contains(event.target);
      if (!open && !(isButton && event.type !== 'keydown')) onClose();
    }}
  >
    <Popover.Portal>
      <Popover.Positioner className={popup.positioner} anchor={anchor} sideOffset={4} align="start">
        <Popover.Popup className={styles.popup} aria-label={label} finalFocus={anchor}>
          <Autocomplete.Root
            open
            inline
            items={groups}
            itemToStringValue={(choice: Choice) => choice.label}
            autoHighlight="always"
            keepHighlight
          >
            <Autocomplete.Input className={styles.input} aria-label={search} placeholder={search} />
            <Autocomplete.Empty className={styles.empty}>{empty}</Autocomplete.Empty>
            <Autocomplete.List className={styles.list}>
              {(group: ChoiceGroup) => (
                <Autocomplete.Group key={group.label} items={group.items}>
                  <Autocomplete.GroupLabel className={groups.length > 1 ? styles.title : 'visually-hidden'}>
                    {group.label}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(choice: Choice) => (
                      <Autocomplete.Item
                        key={choice.id}
                        value={choice}
                        className={styles.item}
                        render={<Link to={choice.to} tabIndex={-1} />}
                        onClick={onClose}
                      >
                        {choice.icon}
                        <span className={styles.label}>{choice.label}</span>
                        {choice.current && <Icon name="check" size={14} />}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
          {children}
        </Popover.Popup>
      </Popover.Positioner>
    </Popover.Portal>
  </Popover.Root>
);
