import { AppError, type FieldError, invalid, unknownField } from '@postrider/core/base/kernel';

export type Given = Readonly<Record<string, unknown>>;

/** What a door does with the fields of one object of its service (behaviour B16.1). */
export interface FieldTable {
  taken: readonly string[];
  /** ignored: they change neither who gets what, nor when, nor how it looks */
  harmless?: readonly string[];
  /** refused by name, with what to do instead */
  refused?: Readonly<Record<string, string>>;
}

/** What is wrong with a foreign request, all of it at once. */
export class Complaints {
  readonly #refused: FieldError[] = [];
  readonly #unknown: FieldError[] = [];
  readonly #path: string;

  /** @param path before each field */
  constructor(path = '') {
    this.#path = path;
  }

  /** Sorts the fields of an object; null and undefined count as not given, and names that begin with `_` are not looked at. */
  sort(given: Given, { taken, harmless = [], refused = {} }: FieldTable, path = ''): void {
    for (const [name, value] of Object.entries(given)) {
      if (value === undefined || value === null || name.startsWith('_')) continue;
      if (taken.includes(name) || harmless.includes(name)) continue;
      const what = Object.hasOwn(refused, name) ? refused[name] : undefined;
      if (what === undefined) this.#addUnknown(path, name, [...taken, ...harmless]);
      else this.refuse(path + name, what);
    }
  }

  /** A field that this door does not offer. */
  refuse(field: string, message: string): void {
    if (this.#refused.length < most)
      this.#refused.push({ field: this.#path + field, message, code: 'not_supported' });
  }

  /** A field with a wrong value. */
  add(field: string, code: string, message: string): void {
    if (this.#unknown.length < most) this.#unknown.push({ field: this.#path + field, message, code });
  }

  #addUnknown(path: string, name: string, known: readonly string[]): void {
    if (this.#unknown.length >= most) return;
    const { field, ...rest } = unknownField([name], known);
    this.#unknown.push({ field: this.#path + path + field, ...rest });
  }

  /** NOT_SUPPORTED or VALIDATION_ERROR; null when nothing is wrong */
  get error(): AppError | null {
    if (this.#refused.length > 0) {
      return new AppError('NOT_SUPPORTED', 'The request has fields that are not offered here', {
        errors: [...this.#refused, ...this.#unknown].slice(0, most),
        suggestion: 'Follow what errors says of each of them',
      });
    }
    return this.#unknown.length > 0 ? invalid(this.#unknown) : null;
  }

  /** @throws AppError NOT_SUPPORTED, VALIDATION_ERROR */
  throwIfAny(): void {
    const { error } = this;
    if (error) throw error;
  }
}

const most = 20;

export const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects of a list, each with its place; anything else is a wrong value of the field. */
export function objectsOf(value: unknown, field: string, complaints: Complaints): Given[] {
  if (value === undefined || value === null) return [];
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item, index) => {
    if (isObject(item)) return [item];
    complaints.add(`${field}.${index}`, 'invalid_type', 'Expected an object');
    return [];
  });
}

/** A field without a value in the input of an operation: it takes null for one that was not given. */
export const present = (input: Given): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined && value !== null));

/** Variables of a template, for this email alone: no such service stores them on anybody. */
export const variablesOf = (given: Given): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, { value, persistent: false }]));

export const noTopics =
  'Topics are not offered yet: leave it out, or send to the people of a segment by a campaign';
