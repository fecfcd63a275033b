import { unguarded } from '../../../base/lib/csv.rules.ts';
import { impossibleDataKey, reservedDataKeys } from '../../../base/lib/data-values.rules.ts';
import { nameText } from '../../../base/lib/names.rules.ts';
import { splitContactData } from '../contacts.rules.ts';
import {
  type ColumnFormat,
  type ColumnType,
  type DateFormat,
  formatOf,
  isNumberFormat,
} from './cell-values.rules.ts';
import {
  type ColumnMapping,
  isPlainTarget,
  isTimeTarget,
  keyOfTarget,
  type PlainTarget,
  type TimeTarget,
  type TypedTarget,
  targetIn,
  topicOfTarget,
  typeOf,
} from './mapping.rules.ts';

/** What the header of a file says about its columns (behaviour B4.5 "Import"). */

/** What the rows of a file are: contacts, people who opted out, or addresses that get no email at all. */
export const importKinds = ['contacts', 'optOuts', 'suppressions'] as const;
export type ImportKind = (typeof importKinds)[number];

/** What a request can state of the consents in a file. */
export const importBases = ['given', 'customer'] as const;

/** How the cells of a field are read. */
export interface FieldColumn {
  to: 'field';
  key: string;
  /** why the field cannot be stored; determined once per file, since a header may be as long as the file */
  problem: string | null;
  /** null: it is found by the cells */
  type: ColumnType | null;
  format: ColumnFormat | null;
  separator: string;
  /** what the project stores under the key; null: as it was read */
  defined: ColumnType | null;
}

/** What a list of suppressions says of an address. */
const suppressionColumns = ['reason', 'createdAt', 'expiresAt'] as const;
type SuppressionColumn = (typeof suppressionColumns)[number];

/** What only an export says: whose an opt-out is, whether topics without a choice have their defaults, and what a subscription rests on since when. */
const exportedColumns = ['unsubscribedBy', 'topicDefaults', 'consentBasis', 'consentedAt'] as const;
type ExportedColumn = (typeof exportedColumns)[number];

/** A column with times. */
export interface TimeColumn {
  to: TimeTarget | 'consentedAt';
  format: DateFormat;
}

/** A column with choices. */
export interface TopicColumn {
  to: 'topic';
  key: string;
  /** of the topic, as it is stored */
  number: number;
}

/** Each target is a type of its own. */
type PlainColumn<To> = To extends string ? { to: To } : never;

export type Column =
  | PlainColumn<Exclude<PlainTarget, TimeTarget>>
  | PlainColumn<Exclude<ExportedColumn, 'consentedAt'>>
  | PlainColumn<SuppressionColumn>
  | TimeColumn
  | TopicColumn
  | FieldColumn;

export interface Header {
  /** as in the file, trimmed, without characters that nobody sees */
  names: string[];
  /** by position; null: the column is skipped */
  columns: (Column | null)[];
  email: number;
  /** the file is an export of contacts, whose cells are read exactly as they were written */
  isOwnExport: boolean;
  /** the position of a column `status` that is a field unless all of its cells are words for yes, no or a status; -1 without one */
  maybeStatus: number;
}

/** The types that a project has decided for fields, by key; they count where a mapping names none. */
export type FieldTypes = ReadonlyMap<string, ColumnType>;

export interface HeaderOptions {
  mapping?: ColumnMapping | undefined;
  kind?: ImportKind | undefined;
  fieldTypes?: FieldTypes | undefined;
  /** the numbers of the topics that can be chosen, by their keys; a column about another one is skipped */
  topics?: ReadonlyMap<string, number> | undefined;
}

export const mostColumns = 1_000;

/** Columns that only the service can set, and keys of data that mean something else. */
const platformColumns = new Set(['id', 'projectId', 'createdAt', 'updatedAt', ...reservedDataKeys]);
/** Columns of an export besides fields; those without a meaning here are skipped. */
const exportColumn =
  /^(email|externalId|subscribed|status|snoozedUntil|topicDefaults|unsubscribedBy|consentBasis|consentedAt|(topics|consent)\..+)$/;

const addressNames = new Set(['email', 'emailaddress', 'mail', 'emailadresse', 'adresseemail', 'correo']);

/** Whether a header is that of a column with addresses, however it is written. */
const namesAddress = (name: string): boolean =>
  name.length < 64 && addressNames.has(name.toLowerCase().replace(/[\s_-]/g, ''));

export type HeaderReading = { ok: true; header: Header } | { ok: false; problem: string };

/** Reads the header of a file. */
export function readHeader(cells: readonly string[], options: HeaderOptions = {}): HeaderReading {
  if (cells.length > mostColumns)
    return refuse(`The header has more than ${mostColumns.toLocaleString('en')} columns`);
  const { mapping = {}, kind = 'contacts' } = options;
  const names = cells.map((cell) => nameText(unguarded(cell)));
  const chosen = new Map(Object.entries(mapping).map(([name, target]) => [nameText(name), target]));
  const given = new Set(names);
  const absent = [...chosen.keys()].find((name) => !given.has(name));
  if (absent !== undefined)
    return refuse(`The header has no column ${shown(absent)}, which the mapping names`);
  const email = addressColumn(names, chosen);
  if (typeof email === 'string') return refuse(email);
  const isOwnExport = kind === 'contacts' && isExport(names);
  const columns = names.map((name, index) => {
    if (index === email) return { to: 'email' as const };
    if (name === '') return null;
    if (kind === 'optOuts') return null;
    if (kind === 'suppressions') return chosen.get(name) === null ? null : suppressionColumn(name);
    const target = chosen.get(name);
    if (target === null) return null;
    if (target === undefined) return ownColumn(name, isOwnExport, options);
    return mappedColumn(target, options);
  });
  const problem =
    unknownTopicIn(chosen, options.topics) ??
    duplicateIn(names, columns) ??
    listProblem(columns, options.fieldTypes);
  if (problem !== null) return refuse(problem);
  const maybeStatus = columns.findIndex(
    (column, index) => column?.to === 'status' && !chosen.has(names[index] ?? ''),
  );
  return { ok: true, header: { names, columns, email, isOwnExport, maybeStatus } };
}

const refuse = (problem: string): HeaderReading => ({ ok: false, problem });

/** @returns its position, or what is wrong */
function addressColumn(
  names: readonly string[],
  chosen: ReadonlyMap<string, string | TypedTarget | null>,
): number | string {
  const places = (fits: (name: string) => boolean): number[] =>
    names.flatMap((name, index) => (fits(name) ? [index] : []));
  const mapped = places((name) => targetIn(chosen.get(name)) === 'email');
  const free = (name: string): boolean => !chosen.has(name);
  const exact = places((name) => name === 'email' && free(name));
  const similar = places((name) => namesAddress(name) && free(name));
  const found = [mapped, exact, similar].find((each) => each.length > 0) ?? [];
  const [only, other] = found;
  if (only === undefined) return `The header has no column "email", but ${listed(names)}`;
  if (other === undefined) return only;
  return `The header has several columns for the email address: ${listed(found.map((index) => names[index] ?? ''))}. Name one in the mapping`;
}

const isExport = (names: readonly string[]): boolean =>
  names.includes('projectId') &&
  names.includes('createdAt') &&
  names.every((name) => platformColumns.has(name) || exportColumn.test(name) || name.startsWith('data.'));

/** The meaning of a column that no mapping names. */
function ownColumn(
  name: string,
  isOwnExport: boolean,
  { fieldTypes: types, topics }: HeaderOptions,
): Column | null {
  if (name.toLowerCase() === 'subscribed') return { to: 'subscribed' };
  if (name !== 'email' && isPlainTarget(name)) return plainColumn({ to: name });
  const exported = isOwnExport ? exportedColumns.find((each) => each === name) : undefined;
  if (exported) return exported === 'consentedAt' ? { to: exported, format: 'ISO' } : { to: exported };
  if (name.toLowerCase() === 'status') return { to: 'status' };
  const topic = topicOfTarget(name);
  if (topic !== null) return topicColumn(topic, topics);
  if (isOwnExport && exportColumn.test(name)) return null;
  const key = keyOfTarget(name) ?? name;
  // A key such as `createdAt` is one of data when the header says so.
  if (key === '' || key === impossibleDataKey || reservedDataKeys.has(key) || platformColumns.has(name))
    return null;
  return fieldColumn(key, { to: name }, types);
}

function mappedColumn(
  target: string | TypedTarget,
  { fieldTypes: types, topics }: HeaderOptions,
): Column | null {
  const typed = typeof target === 'string' ? { to: target } : target;
  if (isPlainTarget(typed.to)) return plainColumn({ ...typed, to: typed.to });
  const topic = topicOfTarget(typed.to);
  if (topic !== null) return topicColumn(topic, topics);
  const key = keyOfTarget(typed.to);
  return key === null ? null : fieldColumn(key, typed, types);
}

function plainColumn({ to, format }: { to: PlainTarget; format?: ColumnFormat }): Column {
  if (!isTimeTarget(to)) return { to };
  return { to, format: format && !isNumberFormat(format) ? format : 'ISO' };
}

function topicColumn(key: string, topics: HeaderOptions['topics']): TopicColumn | null {
  const number = topics?.get(key);
  return number === undefined ? null : { to: 'topic', key, number };
}

/** A topic that the mapping names was there when the import was asked for, and may have been archived since. */
function unknownTopicIn(
  chosen: ReadonlyMap<string, string | TypedTarget | null>,
  topics: HeaderOptions['topics'],
): string | null {
  for (const target of chosen.values()) {
    const key = topicOfTarget(targetIn(target) ?? '');
    if (key !== null && !topics?.has(key))
      return `The project has no topic ${shown(key)}, which the mapping names`;
  }
  return null;
}

/** A definition counts where the mapping has no type; its format is dropped where it is none of the type that counts. */
export function fieldColumn(key: string, target: TypedTarget, types: FieldTypes | undefined): FieldColumn {
  const type = target.type ?? types?.get(key) ?? typeOf(target);
  const format = target.format ?? null;
  const fits = format !== null && type !== null && isFormatOf(type, format);
  return {
    to: 'field',
    key,
    problem: problemOf(key),
    type,
    format: type === null ? null : formatOf({ type, format: fits ? format : null }),
    separator: target.separator ?? ',',
    defined: types?.get(key) ?? null,
  };
}

const isFormatOf = (type: ColumnType, format: ColumnFormat): boolean =>
  type === 'NUMBER'
    ? isNumberFormat(format)
    : (type === 'DATE' || type === 'DATETIME') && !isNumberFormat(format);

function suppressionColumn(name: string): Column | null {
  const to = suppressionColumns.find((each) => each === name);
  return to ? { to } : null;
}

function problemOf(key: string): string | null {
  const [issue] = splitContactData({ [key.slice(0, longestShown)]: true }, 'stored-only').issues;
  return issue ? `${storable(key)}: ${issue.message}` : null;
}

/** Two columns of one name, or for one target, where both would be stored. */
function duplicateIn(names: readonly string[], columns: readonly (Column | null)[]): string | null {
  const byName = new Set<string>();
  const byTarget = new Map<string, string>();
  for (const [index, column] of columns.entries()) {
    if (!column) continue;
    const name = names[index] ?? '';
    if (byName.has(name)) return `The header has two columns ${shown(name)}`;
    byName.add(name);
    const target = targetOf(column);
    const other = byTarget.get(target);
    if (other !== undefined)
      return `The columns ${shown(other)} and ${shown(name)} both become ${storable(target)}`;
    byTarget.set(target, name);
  }
  return null;
}

/** What a column becomes, as in a mapping. */
export function targetOf(column: Column): string {
  if (column.to === 'field') return `data.${column.key}`;
  return column.to === 'topic' ? `topics.${column.key}` : column.to;
}

/** Only a field that is defined as a list holds one. */
function listProblem(columns: readonly (Column | null)[], types: FieldTypes | undefined): string | null {
  const list = columns.find(
    (column) => column?.to === 'field' && column.type === 'LIST' && types?.get(column.key) !== 'LIST',
  );
  return list ? `${storable(targetOf(list))} holds no lists: define the field as LIST first` : null;
}

/** The columns that are not stored, by name; one without a name by its position. */
export const skippedIn = ({ names, columns }: Pick<Header, 'names' | 'columns'>): string[] =>
  names.flatMap((name, index) =>
    columns[index] ? [] : [name === '' ? `Column ${index + 1}` : storable(name)],
  );

/** Longer texts are cut where they are shown: an address has at most 254 characters. */
export const longestShown = 254;

/** A text of the file as it is stored in results: cut, without U+0000 and unpaired surrogates. */
export const storable = (text: string): string =>
  text.slice(0, longestShown).replaceAll('\0', '\uFFFD').toWellFormed();

const shown = (name: string): string => `"${storable(name)}"`;

const mostListed = 10;

const listed = (names: readonly string[]): string => {
  const first = names.slice(0, mostListed).map((name) => shown(name.slice(0, 50)));
  return first.join(', ') + (names.length > mostListed ? ` and ${names.length - mostListed} more` : '');
};
