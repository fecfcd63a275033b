import { z } from 'zod';
import { isUuid } from '../lib/ids.ts';
import { fieldsReadBy, formJudgedLater } from './fields.ts';
import { innerSchemas } from './inner-schemas.ts';
import { logged } from './logged.ts';

type Schema = z.core.$ZodType;
type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** How a value may be shown, besides its fields and elements. */
type Look =
  | 'boolean'
  | 'number'
  | 'date'
  | 'id'
  | 'text'
  | 'name'
  | 'mailbox'
  | 'file'
  | ReadonlySet<unknown>;

/** What a schema describes at one place, with its unions resolved. Children are made by their first use, as schemas may be recursive. */
interface Node {
  looks: readonly Look[];
  isEmailId: boolean;
  fields: ReadonlyMap<string, () => readonly Node[]>;
  elements: (() => readonly Node[]) | null;
}

const nothing: readonly Node[] = [];
const noFields: Node['fields'] = new Map();
const known = new WeakMap<Schema, readonly Node[]>();

function nodesOf(schema: Schema): readonly Node[] {
  const made = known.get(schema);
  if (made) return made;
  const nodes = makeNodes(schema);
  known.set(schema, nodes);
  return nodes;
}

const looking = (...looks: Look[]): readonly Node[] => [
  { looks, isEmailId: false, fields: noFields, elements: null },
];

function makeNodes(schema: Schema): readonly Node[] {
  const mark = logged.get(schema)?.as;
  if (mark === 'email') return [{ looks: ['id'], isEmailId: true, fields: noFields, elements: null }];
  if (mark !== undefined) return looking(mark);
  const described = z.globalRegistry.get(schema);
  if (described?.['format'] === 'email') return looking('mailbox');
  if (Array.isArray(described?.['enum'])) return looking(new Set(described['enum']));
  const form = formJudgedLater(schema);
  if (form) return nodesOf(form);
  const fields = fieldsReadBy(schema as z.ZodType);
  return fields === undefined ? structureOf(schema as z.core.$ZodTypes) : nodesOf(fields);
}

function structureOf(schema: z.core.$ZodTypes): readonly Node[] {
  const inner = innerSchemas(schema);
  if (inner) return inner.flatMap(nodesOf);
  const { def } = schema._zod;
  switch (def.type) {
    case 'boolean':
    case 'number':
    case 'date':
      return looking(def.type);
    case 'enum':
      return looking(new Set(Object.values(def.entries)));
    case 'literal':
      return looking(new Set(def.values));
    case 'string': {
      const format = 'format' in def ? def.format : undefined;
      if (format === 'guid' || format === 'uuid') return looking('id');
      if (format === 'email') return looking('mailbox');
      return format === 'datetime' || format === 'date' ? looking('date') : nothing;
    }
    case 'object': {
      const named = Object.entries(def.shape).map(([name, field]) => [name, () => nodesOf(field)] as const);
      return [{ looks: [], isEmailId: false, fields: new Map(named), elements: null }];
    }
    case 'array':
      return [{ looks: [], isEmailId: false, fields: noFields, elements: () => nodesOf(def.element) }];
    default:
      // What is not described is not shown: the values of records, and whatever is read by hand.
      return nothing;
  }
}

/** RFC 3339 and ISO 8601, of which a day may stand alone. */
const date = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const numeral = /^-?\d{1,15}(?:\.\d{1,6})?$/;
const domain = /^[\p{L}\p{N}.-]{1,253}$/u;
/** A name as programs give it. Other texts can be keys of `data` as well. */
const plainName = /^[A-Za-z_$][A-Za-z0-9_.$-]{0,63}$/;
const mediaType =
  /^(?:application|audio|font|image|message|model|multipart|text|video)\/[A-Za-z0-9.+-]{1,80}/;
const longestText = 256;
const longestMailbox = 400;

/** The most levels that are looked into. */
const deepest = 16;

function shownAs(look: Look, value: unknown): Json | undefined {
  if (typeof look === 'object') return look.has(value) ? (value as Json) : undefined;
  switch (look) {
    case 'boolean':
      return typeof value === 'boolean' || value === 'true' || value === 'false' ? value : undefined;
    case 'number':
      return isNumber(value) || (typeof value === 'string' && numeral.test(value)) ? value : undefined;
    case 'date':
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
      return isNumber(value) || (typeof value === 'string' && date.test(value)) ? value : undefined;
    case 'id':
      return isUuid(value) ? value : undefined;
    case 'text':
      // A name for programs has no address in it.
      return typeof value === 'string' && value.length <= longestText && !value.includes('@')
        ? storable(value)
        : undefined;
    case 'name':
      return typeof value === 'string' && /^[\w.-]{1,100}$/.test(value) ? value : undefined;
    case 'mailbox':
      return typeof value === 'string' ? (shownMailbox(value) ?? undefined) : undefined;
    case 'file':
      return undefined;
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** PostgreSQL's jsonb stores neither of them. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** The first letter of an address and its domain: `a…@example.net`. @returns null for what is not an address */
export function shownMailbox(text: string): string | null {
  if (text.length > longestMailbox) return null;
  const trimmed = text.trim();
  const address = trimmed.endsWith('>') ? trimmed.slice(trimmed.lastIndexOf('<') + 1, -1) : trimmed;
  const at = address.lastIndexOf('@');
  const host = address.slice(at + 1);
  const [first] = address;
  return at > 0 && first !== undefined && domain.test(host) ? `${storable(first)}…@${host}` : null;
}

/** A field's own name, or the length of one that no program would give. */
const shownName = (name: string): string => (plainName.test(name) ? name : `(${name.length} characters)`);

/** What stands for a value that is not shown. */
function hidden(value: unknown): Json {
  if (typeof value === 'string') return { length: value.length };
  if (ArrayBuffer.isView(value)) return { size: value.byteLength };
  return { type: typeof value };
}

/** What is attached, by its size in bytes and its type (RFC 2046, section 4). */
function shownFile(value: object): Json {
  const { content, contentType } = value as { content?: unknown; contentType?: unknown };
  const type = typeof contentType === 'string' ? mediaType.exec(contentType)?.[0] : undefined;
  const size = typeof content === 'string' ? Buffer.byteLength(content, 'base64') : null;
  return { size, ...(type === undefined ? {} : { type }) };
}

/** Each form once: two forms of a level that nest the same tree would otherwise be four below it, and so on. */
const distinct = (nodes: readonly Node[]): readonly Node[] =>
  nodes.length > 1 ? [...new Set(nodes)] : nodes;

/** Counts what is written, so that the cost follows from what is kept and not from what was sent. */
interface Budget {
  left: number;
}

/**
 * A value of a request as the log may keep it: its structure and names, and those values whose schema lets itself be shown. Whatever does not
 * fit is left out, with the number of what is missing as `…`.
 *
 * @param schema of the input of the operation
 * @param most about how many characters of JSON it may have
 */
export function redact(schema: z.ZodType, value: unknown, most: number): Json {
  const budget: Budget = { left: most };
  return show(nodesOf(schema), value, budget, 0);
}

function show(nodes: readonly Node[], value: unknown, budget: Budget, depth: number): Json {
  const shown = showValue(nodes, value, budget, depth);
  if (shown === null || typeof shown !== 'object') budget.left -= String(shown).length + 2;
  return shown;
}

function showValue(nodes: readonly Node[], value: unknown, budget: Budget, depth: number): Json {
  if (value === null || value === undefined) return null;
  for (const { looks } of nodes)
    for (const look of looks) {
      const shown = shownAs(look, value);
      if (shown !== undefined) return shown;
    }
  if (typeof value !== 'object' || ArrayBuffer.isView(value) || value instanceof Date || depth >= deepest) {
    budget.left -= 16;
    return hidden(value);
  }
  if (Array.isArray(value)) return showList(nodes, value, budget, depth);
  if (nodes.some(({ looks }) => looks.includes('file'))) {
    budget.left -= 60;
    return shownFile(value);
  }
  return showObject(nodes, value as Record<string, unknown>, budget, depth);
}

function showList(nodes: readonly Node[], list: readonly unknown[], budget: Budget, depth: number): Json {
  // A mark on a list is one on its elements: the recipients of a send.
  const marked = nodes.filter(({ looks }) => looks.includes('mailbox'));
  const elements = distinct([...marked, ...nodes.flatMap(({ elements }) => elements?.() ?? nothing)]);
  const shown: Json[] = [];
  for (const item of list) {
    if (budget.left <= 0) return [...shown, { '…': list.length - shown.length }];
    budget.left -= 1;
    shown.push(show(elements, item, budget, depth + 1));
  }
  return shown;
}

function showObject(
  nodes: readonly Node[],
  object: Record<string, unknown>,
  budget: Budget,
  depth: number,
): Json {
  const shown: { [name: string]: Json } = Object.create(null);
  const names = Object.keys(object);
  const marked = nodes.filter(({ looks }) => looks.includes('mailbox'));
  for (const [index, name] of names.entries()) {
    if (budget.left <= 0) {
      shown['…'] = names.length - index;
      break;
    }
    const written = shownName(name);
    budget.left -= written.length + 4;
    const inner = nodes.flatMap(({ fields }) => fields.get(name)?.() ?? nothing);
    const described = distinct(name === 'email' ? [...marked, ...inner] : inner);
    shown[written] = show(described, object[name], budget, depth + 1);
  }
  return shown;
}

/** What a reply says besides its values: the ids in it, at their places. */
export interface ReplyIds {
  ids: Json;
  /** ids of emails, at most `mostEmails` */
  emailIds: string[];
}

const mostEmails = 10;

/** The ids of a reply at their places, and those of emails. @param most about how many characters of JSON they may have */
export function idsOf(schema: z.ZodType, value: unknown, most: number): ReplyIds {
  const budget: Budget = { left: most };
  const emailIds: string[] = [];
  const ids = pickIds(nodesOf(schema), value, budget, emailIds, 0) ?? null;
  return { ids, emailIds };
}

function pickIds(
  nodes: readonly Node[],
  value: unknown,
  budget: Budget,
  emailIds: string[],
  depth: number,
): Json | undefined {
  if (nodes.length === 0 || depth >= deepest || budget.left <= 0) return undefined;
  if (typeof value === 'string') {
    const node = nodes.find(({ looks }) => looks.includes('id'));
    if (!node || !isUuid(value)) return undefined;
    if (node.isEmailId && emailIds.length < mostEmails) emailIds.push(value);
    budget.left -= value.length + 4;
    return value;
  }
  if (typeof value !== 'object' || value === null || value instanceof Date || ArrayBuffer.isView(value))
    return;
  if (Array.isArray(value)) {
    const elements = distinct(nodes.flatMap(({ elements }) => elements?.() ?? nothing));
    const picked: Json[] = [];
    if (elements.length === 0) return undefined;
    for (const item of value) {
      if (budget.left <= 0) break;
      budget.left -= 1;
      const ids = pickIds(elements, item, budget, emailIds, depth + 1);
      if (ids !== undefined) picked.push(ids);
    }
    return picked.length > 0 ? picked : undefined;
  }
  const picked: { [name: string]: Json } = {};
  for (const node of nodes)
    for (const [name, fields] of node.fields) {
      if (budget.left <= 0 || !Object.hasOwn(value, name)) continue;
      const ids = pickIds(fields(), (value as Record<string, unknown>)[name], budget, emailIds, depth + 1);
      if (ids === undefined) continue;
      budget.left -= name.length + 4;
      picked[name] = ids;
    }
  return Object.keys(picked).length > 0 ? picked : undefined;
}
