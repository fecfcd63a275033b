import type { StepType } from '../steps/steps.schema.ts';

/** The key of the TRIGGER step, which no other step may have. */
export const triggerKey = 'trigger';

const longestKey = 60;

export const isStepKey = (text: string): boolean =>
  text.length <= longestKey && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text);

/** Cuts to `most` characters, without a hyphen at the end. */
const cut = (key: string, most: number): string => key.slice(0, most).replace(/-$/, '');

/** What the key of a step is made from: its name in lower case, accents removed, everything else a hyphen; the type where no letter a to z is left. */
export function keyFromName(type: StepType, name: string): string {
  if (type === 'TRIGGER') return triggerKey;
  const plain = name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return /[a-z]/.test(plain) ? cut(plain, longestKey) : type.toLowerCase().replaceAll('_', '-');
}

/**
 * A key for a new step that no step has or has had: `welcome`, `welcome-2`.
 *
 * @param taken the keys that are in use, to which the new one is added
 */
export function takeKey(taken: Set<string>, type: StepType, name: string): string {
  const base = keyFromName(type, name);
  const isFree = (key: string) => !taken.has(key) && (key !== triggerKey || type === 'TRIGGER');
  let key = base;
  for (let n = 2; !isFree(key); n += 1) key = `${cut(base, longestKey - `-${n}`.length)}-${n}`;
  taken.add(key);
  return key;
}
