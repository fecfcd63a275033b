import type { JsonSchema, Side } from './json-schema.ts';
import { statedName, statedNameOf } from './named-components.ts';
import { branchesOf, fieldsOf, isSchema, referredTo, typesOf, valuesOf, withParts } from './schema-walk.ts';

/**
 * Rewrites schemas so that generators of clients accept them with default options (rules 1 to 4 of the document). What is published may be
 * narrower than what the API accepts: one form where several are accepted. Where rules of forms cannot be kept in a schema, words have them.
 */
export class PlainSchemas {
  readonly #components: Readonly<Record<string, JsonSchema>>;

  /** @param components the schemas that references lead to, as they were written */
  constructor(components: Readonly<Record<string, JsonSchema>>) {
    this.#components = components;
  }

  /** A schema anywhere in a body, a reply or a parameter. */
  plain(schema: JsonSchema, side: Side): JsonSchema {
    const rewritten = withoutConst(withParts(schema, (part) => this.plain(part, side)));
    if (branchesOf(rewritten) || typesOf(rewritten).length > 1) return this.#union(rewritten, side);
    if (valuesOf(rewritten) && !isOpen(schema)) return mapOf(rewritten);
    return withFreeMaps(withoutNullFields(rewritten));
  }

  /** The schema of a whole body: one object, whatever forms it has. */
  body(schema: JsonSchema, side: Side): JsonSchema {
    const name = referredTo(schema);
    const whole = (name === undefined ? undefined : this.#components[name]) ?? schema;
    if (!branchesOf(whole)) return this.plain(schema, side);
    const rewritten = withParts(whole, (part) => this.plain(part, side));
    const forms = this.#flat(rewritten, side).map((form) => this.#resolved(form, side));
    return this.#merged(rewritten, forms, side);
  }

  #union(schema: JsonSchema, side: Side): JsonSchema {
    const { anyOf: _any, oneOf: _one, type: _type, ...rest } = schema;
    const branches = this.#flat(schema, side);
    const given = branches.filter((branch) => branch.type !== 'null');
    const nullable = given.length < branches.length;
    return withNull({ ...this.#joined(rest, given, side) }, nullable);
  }

  /** The branches of a union and of the unions in it, each of a single type, and lists of items of one kind. */
  #flat(schema: JsonSchema, side: Side): JsonSchema[] {
    const branches = branchesOf(schema);
    if (branches) return branches.flatMap((branch) => this.#flat(branch, side));
    const name = referredTo(schema);
    const target = name === undefined ? undefined : this.#components[name];
    if (target && branchesOf(target)) return this.#flat(this.plain(target, side), side);
    const types = typesOf(schema);
    if (types.length > 1) return types.flatMap((type) => this.#flat({ ...schema, type } as JsonSchema, side));
    const { items } = schema;
    if (schema.type === 'array' && isSchema(items) && branchesOf(items)) {
      const kinds = this.#flat(items, side);
      return kinds.map((kind) => ({ ...schema, items: kind }));
    }
    return [schema];
  }

  /** One schema for all branches that are not null. `rest` has the words of the union. */
  #joined(rest: JsonSchema, branches: readonly JsonSchema[], side: Side): JsonSchema {
    const distinct = distinctOf(branches);
    const [only] = distinct;
    if (only === undefined) return rest;
    if (distinct.length === 1) return { ...only, ...rest };
    if (distinct.some((branch) => this.#kindOf(branch) === 'any')) return rest;
    const objects = distinct.filter((branch) => this.#kindOf(branch) === 'object');
    const lists = distinct.filter(({ type }) => type === 'array');
    const plains = distinct.filter((branch) => this.#kindOf(branch) === 'plain');
    if (plains.length === distinct.length) return this.#joinedPlain(rest, plains, side);
    if (objects.length === distinct.length) {
      const property = this.#discriminatorOf(objects);
      if (property !== undefined)
        return { ...rest, oneOf: objects, ...this.#discriminator(property, objects) };
    }
    const branchesLeft = [
      ...(plains.length > 0 ? [this.#joinedPlain({}, plains, side)] : []),
      ...(objects.length > 1
        ? [
            this.#merged(
              {},
              objects.map((each) => this.#resolved(each, side)),
              side,
            ),
          ]
        : objects),
      ...joinedLists(lists).map((list) => this.#withOwnItems(list, objects, side)),
    ];
    if (branchesLeft.some((branch) => this.#kindOf(branch) === 'any')) return rest;
    const [last] = branchesLeft;
    if (last && branchesLeft.length === 1) return { ...last, ...rest };
    // Generators of TypeScript make a union of `oneOf`, and of `anyOf` the first object alone. No value fits two of these branches.
    return { ...rest, oneOf: branchesLeft };
  }

  /** Items that are a branch of the union too get a name of their own: a client would import the same one twice. */
  #withOwnItems(list: JsonSchema, branches: readonly JsonSchema[], side: Side): JsonSchema {
    const { items } = list;
    if (!isSchema(items)) return list;
    const nameOf = (schema: JsonSchema) => referredTo(schema) ?? statedNameOf(schema);
    const name = nameOf(items);
    if (name === undefined || !branches.some((branch) => nameOf(branch) === name)) return list;
    const {
      [statedName]: _name,
      title: _title,
      ...own
    } = this.#resolved(items, side) as JsonSchema & {
      [statedName]?: string;
    };
    return { ...list, items: own };
  }

  /** Several plain types become one: dates in requests, text for several forms of text, otherwise any value. */
  #joinedPlain(rest: JsonSchema, plains: readonly JsonSchema[], side: Side): JsonSchema {
    const [only] = plains;
    if (only && plains.length === 1) return { ...only, ...rest };
    const date = plains.find(({ format }) => format === 'date-time');
    if (date && side === 'input') return { ...date, ...rest };
    const resolved = plains.map((each) => this.#resolved(each, side));
    if (resolved.every((each) => each.enum))
      return { type: 'string', enum: [...new Set(resolved.flatMap((each) => each.enum ?? []))], ...rest };
    const types = new Set(resolved.map(({ type }) => type));
    if (types.size === 1) return { type: [...types][0], ...rest } as JsonSchema;
    if (types.size === 2 && types.has('integer') && types.has('number')) return { type: 'number', ...rest };
    return rest;
  }

  /** One object with the fields of all forms; required is what each of them requires. */
  #merged(whole: JsonSchema, forms: readonly JsonSchema[], side: Side): JsonSchema {
    const { anyOf: _any, oneOf: _one, type: _type, title: _title, ...rest } = whole;
    const names = [...new Set(forms.flatMap((form) => fieldsOf(form).map(([name]) => name)))];
    const required = names.filter((name) => forms.every((form) => form.required?.includes(name)));
    const properties = names.map((name): [string, JsonSchema] => {
      const given = forms.flatMap(({ properties: of = {} }) => {
        const field = of[name];
        return isSchema(field) && field.type !== 'null' ? [field] : [];
      });
      return [name, this.#sameField(given, side)];
    });
    const description = [
      rest.description ?? sharedWords(forms),
      side === 'input' ? formsInWords(forms, required) : undefined,
    ]
      .filter((text) => text !== undefined)
      .join(' ');
    const name = statedNameOf(whole) ?? forms.map(statedNameOf).find((each) => each !== undefined);
    return {
      ...rest,
      ...(name === undefined ? {} : { [statedName]: name }),
      ...(description === '' ? {} : { description }),
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required } : {}),
    };
  }

  #sameField(given: readonly JsonSchema[], side: Side): JsonSchema {
    const [first] = given;
    if (first === undefined) return {};
    const description = joinedWords(given);
    const { examples } = given.find((each) => each.examples !== undefined) ?? first;
    const words = {
      ...(description === undefined ? {} : { description }),
      ...(examples === undefined ? {} : { examples }),
    };
    const bare = given.map(({ description: _text, examples: _examples, default: _default, ...rest }) => rest);
    if (distinctOf(bare).length === 1) return { ...first, ...words };
    return this.#union({ ...words, anyOf: bare }, side);
  }

  /** The property that tells named objects apart: a text of one value in each, another in each. */
  #discriminatorOf(objects: readonly JsonSchema[]): string | undefined {
    if (objects.some((each) => referredTo(each) === undefined)) return undefined;
    const [first, ...others] = objects.map((each) => this.#components[referredTo(each) ?? ''] ?? {});
    return fieldsOf(first ?? {})
      .map(([name]) => name)
      .find((name) => {
        const values = [first, ...others].map((each) => onlyValueOf(each?.properties?.[name]));
        return values.every((value) => value !== undefined) && new Set(values).size === objects.length;
      });
  }

  #discriminator(propertyName: string, objects: readonly JsonSchema[]): { discriminator: object } {
    const mapping = objects.map((each) => {
      const branch = this.#components[referredTo(each) ?? ''];
      return [onlyValueOf(branch?.properties?.[propertyName]), each.$ref];
    });
    return { discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
  }

  #kindOf(schema: JsonSchema): 'any' | 'object' | 'array' | 'plain' {
    const name = referredTo(schema);
    const target = name === undefined ? schema : (this.#components[name] ?? {});
    if (target.type === 'array') return 'array';
    if (target.type === 'object' || target.properties) return 'object';
    return target.type === undefined && !target.enum && !('const' in target) ? 'any' : 'plain';
  }

  #resolved(schema: JsonSchema, side: Side): JsonSchema {
    const name = referredTo(schema);
    if (name === undefined) return schema;
    const target = this.#components[name];
    if (!target) throw new Error(`the document has no component ${name}`);
    return { title: name, ...this.plain(target, side) };
  }
}

/** The one value of a constant text. */
function onlyValueOf(schema: unknown): string | undefined {
  if (!isSchema(schema)) return undefined;
  if (typeof schema.const === 'string') return schema.const;
  return schema.enum?.length === 1 ? String(schema.enum[0]) : undefined;
}

/** A constant text is an enum of one value. A constant boolean is a boolean, since languages without such types compare it with text. */
function withoutConst({ const: value, ...schema }: JsonSchema & { const?: unknown }): JsonSchema {
  if (value === undefined) return schema;
  if (value === null) return { ...schema, type: 'null' };
  if (typeof value === 'boolean') return { ...schema, type: 'boolean' };
  return { ...schema, enum: [value] as string[] };
}

function withNull(schema: JsonSchema, nullable: boolean): JsonSchema {
  if (!nullable) return schema;
  const { description, examples, default: given, deprecated, ...rest } = schema;
  const words = {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
    ...(given === undefined ? {} : { default: given }),
    ...(deprecated === undefined ? {} : { deprecated }),
  };
  const branches = branchesOf(rest);
  if (branches && !('discriminator' in rest))
    return { ...words, oneOf: [...branches, { type: 'null' }] } as JsonSchema;
  const isNamed = rest.$ref !== undefined || rest.enum || rest.properties || branches;
  if (isNamed) return { ...words, anyOf: [rest, { type: 'null' }] };
  // Any value includes null.
  if (rest.type === undefined) return schema;
  return { ...schema, type: [rest.type, 'null'] } as JsonSchema;
}

/** An object with known fields that may have others of any value. */
const isOpen = (schema: JsonSchema): boolean =>
  schema.properties !== undefined && Object.keys(valuesOf(schema) ?? {}).length === 0;

/** A map has no fields of its own; what they may be is said in its description. */
function mapOf({ properties: _fields, required: _required, ...map }: JsonSchema): JsonSchema {
  const values = valuesOf(map) ?? {};
  const { description: _text, examples: _examples, ...bare } = values;
  const isUnion = branchesOf(bare) !== undefined;
  return { ...map, type: 'object', additionalProperties: isUnion ? {} : bare };
}

/** The maps that are the caller's own: their values may be anything. */
export const freeMaps: ReadonlySet<string> = new Set(['data', 'metadata', 'context']);

function withFreeMaps(schema: JsonSchema): JsonSchema {
  if (!schema.properties) return schema;
  const fields = fieldsOf(schema).map(([name, field]): [string, JsonSchema] => [
    name,
    freeMaps.has(name) && valuesOf(field) && !field.properties
      ? { ...field, additionalProperties: {} }
      : field,
  ]);
  return { ...schema, properties: Object.fromEntries(fields) };
}

/** A field that can only be null says that a form does not use it. */
function withoutNullFields(schema: JsonSchema): JsonSchema {
  if (!schema.properties) return schema;
  const used = fieldsOf(schema).filter(([, { type }]) => type !== 'null');
  const names = new Set(used.map(([name]) => name));
  const required = schema.required?.filter((name) => names.has(name)) ?? [];
  const { required: _required, ...rest } = schema;
  return { ...rest, properties: Object.fromEntries(used), ...(required.length > 0 ? { required } : {}) };
}

function distinctOf(schemas: readonly JsonSchema[]): JsonSchema[] {
  return [...new Map(schemas.map((each) => [JSON.stringify(each), each])).values()];
}

/** Lists of the same items are one list, without the limits in which they differ. */
function joinedLists(lists: readonly JsonSchema[]): JsonSchema[] {
  const byItems = Map.groupBy(lists, ({ items }) => JSON.stringify(items ?? {}));
  return [...byItems.values()].map(([first, ...others]) =>
    others.length === 0 && first ? first : { type: 'array', items: first?.items ?? {} },
  );
}

function sharedWords(forms: readonly JsonSchema[]): string | undefined {
  const [text, ...others] = new Set(forms.map(({ description }) => description));
  return others.length === 0 ? text : undefined;
}

/** What the forms say about the same field, each once; a text that begins another one is left out. */
function joinedWords(fields: readonly JsonSchema[]): string | undefined {
  const texts = [...new Set(fields.flatMap(({ description }) => description ?? []))];
  const own = texts.filter((text) => {
    const stem = text.replace(/\.$/, '');
    return !texts.some((other) => other !== text && other.startsWith(stem));
  });
  return own.length === 0 ? undefined : own.join(' ');
}

/** What tells the forms apart: their titles or constant texts, and what only they require. */
function formsInWords(forms: readonly JsonSchema[], shared: readonly string[]): string | undefined {
  const texts = forms.map((form) => {
    const fixed = fieldsOf(form).flatMap(([name, field]) => {
      const value = onlyValueOf(field);
      return value === undefined ? [] : [`\`${name}\` \`${value}\``];
    });
    const needs = (form.required ?? []).filter(
      (name) => !shared.includes(name) && onlyValueOf(form.properties?.[name]) === undefined,
    );
    const title = form.title === undefined || /^\w+$/.test(form.title) ? undefined : form.title;
    const head = title ?? (fixed.length > 0 ? `with ${fixed.join(' and ')}` : undefined);
    return { head, needs: needs.map((name) => `\`${name}\``).join(', ') };
  });
  const telling = texts.filter(({ needs }) => needs !== '');
  if (telling.length === 0 || forms.length > 10) return undefined;
  const words = telling.map(({ head, needs }) =>
    head === undefined ? needs : `${head.charAt(0).toLowerCase()}${head.slice(1)}: ${needs}`,
  );
  return `Required, depending on the form: ${words.join('; or ')}.`;
}
