/** What a contact's `data` may hold and how a caller's `data` is read (behaviour B2.1). */

import { isWrappedValue, reservedDataKeys } from '../../base/lib/data-values.rules.ts';
import { asLanguageTag } from '../../base/lib/locales.rules.ts';
import { hasControlCharacter, nameText } from '../../base/lib/names.rules.ts';

export type Primitive = string | number | boolean;

/** `/v1/send` and `/v1/track` accept values for the operation only; `POST` and `PATCH /contacts` store a value or refuse it. */
export type DataMode = 'transient-allowed' | 'stored-only';

/** One validation problem; `path` is relative to `data`. */
export interface DataIssue {
  path: string[];
  code: 'custom' | 'invalid_type' | 'too_big' | 'required';
  message: string;
  input: unknown;
}

/** A caller's `data`, parsed. Each key is in at most one of the three parts. */
export interface SplitData {
  /** written to the contact */
  set: Record<string, Primitive>;
  /** removed from the contact */
  unset: string[];
  /** used by this operation only, never stored on the contact; any JSON */
  transient: Record<string, unknown>;
}

/** 64 KiB of JSON (behaviour B8.3), counted in UTF-8. */
export const dataLimitBytes = 65_536;

/** Characters of a key of data. */
export const maxKeyLength = 100;

/** Whether a JSON text exceeds the limit. Bytes are counted only when its length does not decide. */
export function isTooLarge(json: string): boolean {
  if (json.length > dataLimitBytes) return true;
  // No UTF-16 unit takes more than three bytes.
  if (json.length * 3 <= dataLimitBytes) return false;
  return new TextEncoder().encode(json).length > dataLimitBytes;
}

/**
 * Sorts the keys of a caller's `data` into those to store, to remove and to use once.
 *
 * `null` removes, `''` is ignored, `{value, persistent: true}` is its value, `{value, persistent: false}` is
 * transient (without effect where transient values are not accepted), reserved keys are dropped, and a `locale` is stored
 * as a language tag if it has the form of one. Other problems are returned as `issues`; the parts are valid only when
 * there are none.
 */
export function splitContactData(
  data: Readonly<Record<string, unknown>>,
  mode: DataMode,
): SplitData & { issues: DataIssue[] } {
  const issues: DataIssue[] = [];
  const set: [string, Primitive][] = [];
  const unset: string[] = [];
  const transient: [string, unknown][] = [];
  const entries = Object.entries(data);
  if (entries.length > 0 && isTooLarge(JSON.stringify(data)))
    return { set: {}, unset: [], transient: {}, issues: [tooLarge(data)] };
  // Of two spellings of one key the later counts.
  for (const [key, given] of new Map(entries.map(([key, given]) => [nameText(key), given]))) {
    if (reservedDataKeys.has(key)) continue;
    const keyIssue = checkKey(key);
    if (keyIssue) {
      issues.push(keyIssue);
      continue;
    }
    const part = readValue(key, given, mode);
    if (part.kind === 'bad') issues.push(part.issue);
    if (part.kind === 'set') set.push([key, part.value]);
    if (part.kind === 'unset') unset.push(key);
    if (part.kind === 'transient') transient.push([key, part.value]);
  }
  // `fromEntries` defines own properties, so that a key such as `__proto__` stays a key.
  return { set: Object.fromEntries(set), unset, transient: Object.fromEntries(transient), issues };
}

type Part =
  | { kind: 'set'; value: Primitive }
  | { kind: 'unset' }
  | { kind: 'ignored' }
  | { kind: 'transient'; value: unknown }
  | { kind: 'bad'; issue: DataIssue };

function readValue(key: string, given: unknown, mode: DataMode): Part {
  if (!isWrappedValue(given)) return readPlain(key, given, mode === 'transient-allowed');
  if (typeof given.persistent !== 'boolean') {
    return bad([key], 'invalid_type', 'persistent must be true or false', given.persistent);
  }
  if (!Object.hasOwn(given, 'value')) return bad([key, 'value'], 'required', 'Required', undefined);
  if (given.persistent) return readPlain(key, given.value, false);
  return mode === 'transient-allowed' ? { kind: 'transient', value: given.value } : { kind: 'ignored' };
}

function readPlain(key: string, value: unknown, transientAllowed: boolean): Part {
  if (value === null || value === undefined) return { kind: 'unset' };
  if (value === '') return { kind: 'ignored' };
  // A locale is reported by other programs, so no spelling of it is worth losing an event or a row.
  if (key === 'locale' && typeof value === 'string') return { kind: 'set', value: asLanguageTag(value) };
  if (isPrimitive(value)) return { kind: 'set', value };
  if (transientAllowed && typeof value === 'object') return { kind: 'transient', value };
  return bad([key], 'invalid_type', 'Only strings, numbers and booleans can be stored on a contact', value);
}

function checkKey(key: string): DataIssue | null {
  const fits = key !== '' && (key.length <= maxKeyLength || [...key].length <= maxKeyLength);
  if (fits && !hasControlCharacter(key)) return null;
  const message = `A key of data must have 1 to ${maxKeyLength} characters and no control characters`;
  return { path: [key], code: 'custom', message, input: key };
}

const isPrimitive = (value: unknown): value is Primitive =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value));

const bad = (path: string[], code: DataIssue['code'], message: string, input: unknown): Part => ({
  kind: 'bad',
  issue: { path, code, message, input },
});

const tooLarge = (input: unknown): DataIssue => ({
  path: [],
  code: 'too_big',
  message: `At most ${dataLimitBytes / 1024} KiB of JSON`,
  input,
});

/** The change that one request makes to one contact. */
export interface ContactChange {
  /** normalised */
  email: string;
  /** null keeps the value of an existing contact; a new one gets the endpoint's default */
  subscribed: boolean | null;
  set: Record<string, Primitive>;
  unset: readonly string[];
}

/** A contact's change with its data as one object, where null removes the key. */
export interface ContactPatch {
  subscribed: boolean | null;
  patch: Record<string, Primitive | null>;
}

/**
 * One patch per address: the combined effect of several changes to one address, later ones winning per key. (`ON
 * CONFLICT` cannot update a row twice in one statement.)
 */
export function collapseChanges(changes: readonly ContactChange[]): Map<string, ContactPatch> {
  const patches = new Map<string, ContactPatch>();
  for (const { email, subscribed, set, unset } of changes) {
    const patch = { ...set, ...Object.fromEntries(unset.map((key) => [key, null])) };
    const before = patches.get(email);
    if (before) {
      patches.set(email, {
        subscribed: subscribed ?? before.subscribed,
        patch: { ...before.patch, ...patch },
      });
    } else {
      patches.set(email, { subscribed, patch });
    }
  }
  return patches;
}
