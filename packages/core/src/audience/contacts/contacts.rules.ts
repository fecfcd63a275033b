/** What a contact's `data` may hold and how a caller's `data` is read (behaviour B2.1). */

import { isWrappedValue, reservedDataKeys } from '../../base/lib/data-values.rules.ts';
import { asLanguageTag } from '../../base/lib/locales.rules.ts';
import { changedList, isListChange, joinedChanges, type ListChange } from './fields/lists.rules.ts';

export { isListChange, readItems } from './fields/lists.rules.ts';

import { hasControlCharacter, nameText } from '../../base/lib/names.rules.ts';

export type Primitive = string | number | boolean;

/** A value in the data of a contact; a list only under a key that is defined as one. */
export type StoredValue = Primitive | string[];

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
  /** lists and changes of lists, which the definition of their field decides about; absent without any */
  structured?: StructuredValue[];
}

export interface StructuredValue {
  key: string;
  value: unknown;
  /** without a definition, it is used by this operation; otherwise it is refused */
  once: boolean;
}

const notStorable = 'Only strings, numbers and booleans can be stored on a contact';

/** How a list or an object is refused whose field is not defined as a list. */
export const notList = (key: string, input: unknown): DataIssue => ({
  path: [key],
  code: 'invalid_type',
  message: notStorable,
  input,
});

/** 64 KiB of JSON (behaviour B8.3), counted in UTF-8. */
export const dataLimitBytes = 65_536;

/** Characters of a key of data. */
export const maxKeyLength = 100;

/** Characters (code points) of an external id. */
export const maxExternalId = 255;

export interface ExternalIdProblem {
  code: 'required' | 'too_big' | 'custom';
  message: string;
}

/** What keeps a trimmed text from being an external id; null if it is one. */
export function externalIdProblem(text: string): ExternalIdProblem | null {
  if (text === '') return { code: 'required', message: 'Required' };
  // A code point has at most two UTF-16 units.
  if (text.length > 2 * maxExternalId || [...text].length > maxExternalId)
    return { code: 'too_big', message: `At most ${maxExternalId} characters` };
  if (hasControlCharacter(text)) return { code: 'custom', message: 'Must not contain control characters' };
  return null;
}

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
  /** issues, and what is one unless its field is defined as a list */
  const possible: DataIssue[] = [];
  const set: [string, Primitive][] = [];
  const unset: string[] = [];
  const transient: [string, unknown][] = [];
  const structured: StructuredValue[] = [];
  const entries = Object.entries(data);
  if (entries.length > 0 && isTooLarge(JSON.stringify(data)))
    return { set: {}, unset: [], transient: {}, issues: [tooLarge(data)] };
  // Of two spellings of one key the later counts.
  for (const [key, given] of new Map(entries.map(([key, given]) => [nameText(key), given]))) {
    if (reservedDataKeys.has(key)) continue;
    const keyIssue = checkKey(key);
    if (keyIssue) {
      issues.push(keyIssue);
      possible.push(keyIssue);
      continue;
    }
    const part = readValue(key, given, mode);
    if (part.kind === 'bad') {
      issues.push(part.issue);
      possible.push(part.issue);
    }
    if (part.kind === 'set') set.push([key, part.value]);
    if (part.kind === 'unset') unset.push(key);
    if (part.kind === 'transient') transient.push([key, part.value]);
    if (part.kind === 'structured') {
      structured.push({ key, value: part.value, once: part.once });
      if (!part.once) possible.push(notList(key, part.value));
    }
  }
  // `fromEntries` defines own properties, so that a key such as `__proto__` stays a key.
  return {
    set: Object.fromEntries(set),
    unset,
    transient: Object.fromEntries(transient),
    ...(structured.length > 0 && { structured }),
    // A request that is refused anyway learns of everything at once.
    issues: issues.length > 0 ? possible : issues,
  };
}

type Part =
  | { kind: 'set'; value: Primitive }
  | { kind: 'unset' }
  | { kind: 'ignored' }
  | { kind: 'transient'; value: unknown }
  | { kind: 'structured'; value: unknown; once: boolean }
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
  if (Array.isArray(value) || isListChange(value))
    return { kind: 'structured', value, once: transientAllowed };
  if (transientAllowed && typeof value === 'object') return { kind: 'transient', value };
  return { kind: 'bad', issue: notList(key, value) };
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
  set: Record<string, StoredValue>;
  unset: readonly string[];
  /** changes of stored lists, by key */
  lists?: Record<string, ListChange>;
  /** of topics, by their numbers */
  choices?: Choices;
}

/** Choices of topics by their numbers; a part is absent without any. */
export interface Choices {
  yes?: readonly number[];
  no?: readonly number[];
}

/** A contact's change with its data as one object, where null removes the key. */
export interface ContactPatch {
  subscribed: boolean | null;
  patch: Record<string, StoredValue | null>;
  /** changes of lists that the patch does not write, by key; absent without any */
  lists?: Record<string, ListChange>;
  choices?: Choices;
}

/**
 * One patch per address: the combined effect of several changes to one address, later ones winning per key. (`ON
 * CONFLICT` cannot update a row twice in one statement.)
 */
export function collapseChanges(changes: readonly ContactChange[]): Map<string, ContactPatch> {
  const patches = new Map<string, ContactPatch>();
  for (const { email, subscribed, set, unset, lists, choices } of changes) {
    const patch = { ...set, ...Object.fromEntries(unset.map((key) => [key, null])) };
    const change = { subscribed, patch, ...(hasKeys(lists) && { lists }), ...(choices && { choices }) };
    const before = patches.get(email);
    patches.set(email, before ? after(before, change) : change);
  }
  return patches;
}

const hasKeys = (lists: ContactPatch['lists']): boolean =>
  lists !== undefined && Object.keys(lists).length > 0;

/** Both changes as one. */
function after(first: ContactPatch, second: ContactPatch): ContactPatch {
  const subscribed = second.subscribed ?? first.subscribed;
  const patch = { ...first.patch, ...second.patch };
  // Changes of one request choose the same topics.
  const choices = second.choices ?? first.choices;
  if (!first.lists && !second.lists) return { subscribed, patch, ...(choices && { choices }) };
  const lists = new Map(
    Object.entries(first.lists ?? {}).filter(([key]) => !Object.hasOwn(second.patch, key)),
  );
  for (const [key, change] of Object.entries(second.lists ?? {})) {
    const before = lists.get(key);
    const written = first.patch[key];
    if (Object.hasOwn(first.patch, key)) patch[key] = changedList(written ?? undefined, change);
    else lists.set(key, before ? joinedChanges(before, change) : change);
  }
  return {
    subscribed,
    patch,
    ...(lists.size > 0 && { lists: Object.fromEntries(lists) }),
    ...(choices && { choices }),
  };
}

/** Why a contact's subscription changed, as in the data of the event (behaviour B3.2). */
export type FlipReason =
  | 'api'
  | 'dashboard'
  | 'bulk'
  | 'form'
  | 'page'
  | 'one_click'
  | 'workflow'
  | 'snooze_ended'
  | 'bounce'
  | 'complaint'
  | 'import';
