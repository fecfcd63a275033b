import { TextField } from '../../../ui/field.tsx';

export const CodeField = ({ hint }: { hint: string }) => (
  <TextField name="code" label="Code" autoComplete="one-time-code" hint={hint} required autoFocus />
);
