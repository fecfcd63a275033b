import { Combobox as Base } from '@base-ui/react/combobox';
import { useState } from 'react';
import styles from './combobox.module.css';
import { Icon } from './icon.tsx';
import popup from './popup.module.css';
import select from './select.module.css';
import type { Option } from './select.tsx';

export interface OptionGroup {
  label: string;
  options: readonly Option[];
}

interface ComboboxProps {
  'aria-label': string;
  groups: readonly OptionGroup[];
  value: string;
  /** What is shown for the value; it need not be among the options. Empty shows the placeholder. */
  text: string;
  placeholder: string;
  onChange: (value: string) => void;
  /** Finds the options for a typed text, which then are all that `groups` holds; else those with the text are shown. */
  onSearch?: (text: string) => void;
  /** Options for a text that is typed and is no option yet. */
  create?: (text: string) => OptionGroup;
  /** As high as the fields of a form, rather than the controls of a toolbar. */
  isField?: boolean;
  /** The name by which a form finds the control of a refused field. Its value is not submitted. */
  name?: string;
  id?: string;
  className?: string | undefined;
  'aria-invalid'?: boolean | undefined;
  'aria-describedby'?: string | undefined;
}

/** The most options of a group that are shown at once; typing narrows them down. */
const shown = 50;

const search = (groups: readonly OptionGroup[], text: string) =>
  groups
    .map(({ label, options }) => ({
      label,
      items: options
        .filter((option) => option.label.toLowerCase().includes(text.toLowerCase()))
        .slice(0, shown),
    }))
    .filter(({ items }) => items.length > 0);

/** One of many options in groups, found by typing. Arrow keys and Enter select it; Escape closes the list. */
export function Combobox({
  groups,
  value,
  text,
  placeholder,
  onChange,
  onSearch,
  create,
  isField,
  name,
  className,
  ...aria
}: ComboboxProps) {
  const [query, setQuery] = useState('');
  const typed = query.trim();
  const isKnown = groups.some(({ options }) => options.some(({ label }) => label === typed));
  const all = [...groups, ...(create && typed !== '' && !isKnown ? [create(typed)] : [])];
  const found = search(all, onSearch ? '' : typed);
  const type = (next: string) => {
    setQuery(next);
    onSearch?.(next);
  };
  return (
    <Base.Root<Option>
      items={found.map(({ label, items }) => ({ value: label, items }))}
      filter={null}
      value={value === '' ? null : { value, label: text }}
      onValueChange={(next) => {
        if (next) onChange(next.value);
      }}
      isItemEqualToValue={(a, b) => a.value === b.value}
      inputValue={query}
      onInputValueChange={type}
      onOpenChange={() => type('')}
      autoHighlight
    >
      <Base.Trigger
        {...aria}
        data-field={name}
        className={[select.trigger, isField ? '' : select.small, styles.trigger, className]
          .filter(Boolean)
          .join(' ')}
      >
        <span className={`${select.value} ${text === '' ? select.empty : ''}`}>{text || placeholder}</span>
        <Icon name="updown" size={14} />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className={popup.positioner} sideOffset={4} align="start">
          <Base.Popup className={`${popup.popup} ${styles.popup}`} aria-label={aria['aria-label']}>
            <Base.Input
              className={styles.search}
              placeholder="Search"
              aria-label={`Search: ${aria['aria-label']}`}
            />
            <Base.Empty className={styles.none}>No matches</Base.Empty>
            <Base.List className={styles.list}>
              {({ value: label, items }: { value: string; items: Option[] }) => (
                <Base.Group key={label} items={items}>
                  <Base.GroupLabel className={styles.group}>{label}</Base.GroupLabel>
                  <Base.Collection>
                    {(option: Option) => (
                      <Base.Item key={option.value} value={option} className={popup.item}>
                        {option.label}
                        <Base.ItemIndicator>
                          <Icon name="check" size={14} />
                        </Base.ItemIndicator>
                      </Base.Item>
                    )}
                  </Base.Collection>
                </Base.Group>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
