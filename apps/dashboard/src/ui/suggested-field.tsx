import { type ComponentProps, useId } from 'react';
import { TextField } from './field.tsx';

/** A text field with suggestions. */
export function SuggestedField({
  suggestions,
  ...field
}: Omit<ComponentProps<typeof TextField>, 'list'> & { suggestions: readonly string[] }) {
  const id = useId();
  return (
    <>
      <TextField autoComplete="off" autoCapitalize="off" spellCheck={false} {...field} list={id} />
      <datalist id={id}>
        {suggestions.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  );
}
