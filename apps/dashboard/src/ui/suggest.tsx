import { Autocomplete } from '@base-ui/react/autocomplete';
import type { ComponentProps } from 'react';
import popup from './popup.module.css';

interface SuggestProps
  extends Omit<
    ComponentProps<'input'>,
    'value' | 'defaultValue' | 'onChange' | 'name' | 'required' | 'className' | 'list'
  > {
  suggestions: readonly string[];
  value?: string | undefined;
  defaultValue?: string | undefined;
  onChange?: ((value: string) => void) | undefined;
  name?: string | undefined;
  required?: boolean | undefined;
  className?: string | undefined;
}

/** The most suggestions that are shown at once; typing narrows them down. */
const shown = 50;

/** A text input with suggestions. Any text is accepted. */
export function Suggest({
  suggestions,
  value,
  defaultValue,
  onChange,
  name,
  required,
  ...input
}: SuggestProps) {
  return (
    <Autocomplete.Root
      items={suggestions}
      limit={shown}
      {...(value === undefined ? { defaultValue: defaultValue ?? '' } : { value })}
      onValueChange={(next) => onChange?.(next)}
      {...(name !== undefined && { name })}
      {...(required && { required })}
      openOnInputClick
    >
      <Autocomplete.Input
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        {...input}
        data-field={name}
      />
      <Autocomplete.Portal>
        <Autocomplete.Positioner className={popup.positioner} sideOffset={4}>
          <Autocomplete.Popup className={popup.popup} hidden={suggestions.length === 0}>
            <Autocomplete.List>
              {(each: string) => (
                <Autocomplete.Item key={each} value={each} className={popup.item}>
                  {each}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}

/** Whether Enter in a text input with suggestions takes the highlighted one. */
export const takesSuggestion = ({ currentTarget }: { currentTarget: Element }): boolean =>
  Boolean(currentTarget.getAttribute('aria-activedescendant'));
