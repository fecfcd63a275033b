import type { ComponentProps } from 'react';
import { type FieldProps, useField } from './field.tsx';
import { Suggest } from './suggest.tsx';

/** A text field with suggestions. */
export function SuggestedField({
  name,
  label,
  hint,
  failure,
  onChange,
  ...rest
}: FieldProps &
  Omit<ComponentProps<typeof Suggest>, 'className' | 'id' | 'name' | 'onChange'> & {
    onChange?: (event: { target: { value: string } }) => void;
  }) {
  const { control, frame } = useField({ name, label, hint, failure });
  return frame(<Suggest {...rest} {...control} onChange={(value) => onChange?.({ target: { value } })} />);
}
