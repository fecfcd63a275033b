import type { FormValues } from '../../../ui/form.tsx';

/** The choices that fields named `<prefix><key>` hold; undefined when each topic stays as it is. */
export function choicesIn(values: FormValues, prefix: string): Record<string, boolean> | undefined {
  const chosen = Object.entries(values).flatMap(([name, value]) =>
    name.startsWith(prefix) && value !== '' ? [[name.slice(prefix.length), value === 'yes'] as const] : [],
  );
  return chosen.length === 0 ? undefined : Object.fromEntries(chosen);
}
