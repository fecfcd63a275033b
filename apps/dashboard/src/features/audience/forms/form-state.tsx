import type { SignUpForm } from '../../../lib/api.ts';
import { Chip } from '../../../ui/chip.tsx';

/** Whether a form takes sign-ups, and whether it is guarded. */
export function FormState({ form: { enabled, guardedUntil } }: { form: SignUpForm }) {
  if (!enabled) return <Chip tone="calm">Off</Chip>;
  return guardedUntil === null ? <Chip tone="good">On</Chip> : <Chip tone="warn">Guarded</Chip>;
}
