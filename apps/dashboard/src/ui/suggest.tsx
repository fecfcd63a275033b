import { Autocomplete } from '@base-ui/react/autocomplete';
import { type ComponentProps, useState } from 'react';
import popup from './popup.module.css';
import { matching } from './suggest.rules.ts';

interface SuggestProps
  extends Omit<
    ComponentProps<'input'>,
    'type' | 'value' | 'defaultValue' | 'onChange' | 'name' | 'required' | 'className' | 'list'
  > {
  suggestions: readonly string[];
  value?: string | undefined;
  defaultValue?: string | undefined;
  onChange?: ((value: string) => void) | undefined;
  name?: string | undefined;
  required?: boolean | undefined;
  className?: string | undefined;
}

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
  const [own, setOwn] = useState(defaultValue ?? '');
  const [isOpen, setOpen] = useState(false);
  const text = value ?? own;
  const matches = matching(suggestions, text);
  return (
    <Autocomplete.Root
      items={matches}
      filter={null}
      value={text}
      onValueChange={(next, { reason }) => {
        // Escape closes the suggestions, or what is around them; the text stays.
        if (reason === 'escape-key') return;
        setOwn(next);
        onChange?.(next);
      }}
      open={isOpen && matches.length > 0}
      onOpenChange={setOpen}
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
          <Autocomplete.Popup className={popup.popup}>
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
