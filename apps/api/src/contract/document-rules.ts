import { freeMaps } from '../rest/openapi/plain-schemas.ts';

/** A JSON document, read as plain data. */
// biome-ignore lint/suspicious/noExplicitAny: a walk over a JSON document
type Json = any;

interface Rules {
  document: Json;
  /** @param rule its number in B4.21 */
  breach(rule: number, path: string, what: string): void;
}

/**
 * What breaks the rules by which the OpenAPI document is written (behaviour B4.21), so that generators of clients accept it with default
 * options. Each line names the rule and the path.
 */
export function documentBreaches(document: Json): string[] {
  const breaches: string[] = [];
  const rules: Rules = {
    document,
    breach: (rule, path, what) => breaches.push(`rule ${rule} at ${path}: ${what}`),
  };
  for (const [path, schema] of schemasOf(document)) {
    checkNamed(rules, path, schema);
    checkTypes(rules, path, schema);
    checkUnion(rules, path, schema);
    checkEnum(rules, path, schema);
  }
  checkBodies(rules);
  checkNames(rules);
  checkExamples(rules);
  checkWords(rules);
  checkClosed(rules);
  return [...new Set(breaches)];
}

/** Rule 1: every object is a component, and no body is a union at its top. */
function checkNamed({ breach }: Rules, path: string, schema: Json): void {
  if (schema.properties && !isComponent(path))
    breach(1, path, 'this object has no name; make it a component');
}

function checkBodies({ document, breach }: Rules): void {
  for (const [path, { schema }] of requestBodiesOf(document)) {
    if (!componentOf(schema)) breach(1, `${path}/schema`, 'the body is no component');
    const whole = resolved(document, schema);
    if (branchesOf(whole))
      breach(1, `${path}/schema`, 'the body is a union; publish one object, and the rules in words');
  }
}

/** Rule 2: types and patterns that every language has. */
function checkTypes({ breach }: Rules, path: string, schema: Json): void {
  for (const [name, field] of Object.entries<Json>(schema.properties ?? {}))
    if (field?.type === 'null') breach(2, `${path}/properties/${name}`, 'a field of type null; leave it out');
  if ('const' in schema)
    breach(
      2,
      path,
      typeof schema.const === 'string'
        ? 'a constant; write an enum of one value'
        : 'a constant boolean or number; write its type',
    );
  if (typeof schema.pattern === 'string' && schema.pattern.includes('\\p{'))
    breach(2, path, 'a pattern with \\p{}, which Python and Java do not know; write its ranges');
  const { type } = schema;
  if (Array.isArray(type) && !(type.length === 2 && type[1] === 'null' && type[0] !== 'null'))
    breach(2, path, `the types ${type.join(', ')}; only one type and null can be together`);
}

const plainTypes = new Set(['string', 'number', 'integer', 'boolean']);

/** Rules 3 and 4: unions are flat and not of plain types alone, and those of objects have a discriminator. */
function checkUnion({ document, breach }: Rules, path: string, schema: Json): void {
  for (const [name, field] of Object.entries<Json>(schema.properties ?? {}))
    checkMap(document, breach, `${path}/properties/${name}`, name, field);
  const branches = branchesOf(schema);
  if (!branches) return;
  const given = branches.filter(({ type }) => type !== 'null');
  if (given.length === 0) breach(2, path, 'a union of nothing but null');
  for (const [index, branch] of given.entries()) {
    const at = `${path}/${schema.oneOf ? 'oneOf' : 'anyOf'}/${index}`;
    const isNullable = given.length === 1 && componentOf(branch);
    if (branchesOf(resolved(document, branch)) && !isNullable) breach(3, at, 'a union in a union');
    const { type, items } = resolved(document, branch);
    if (type === 'array' && given.some(({ $ref }) => $ref !== undefined && $ref === items?.$ref))
      breach(3, at, 'a list of what is a branch itself, which clients import twice; name its items');
    if (type === 'array' && branchesOf(resolved(document, items ?? {})))
      breach(3, at, 'a list in a union has items of several kinds; write one list for each');
  }
  if (given.length < 2) return;
  if (schema.anyOf) breach(3, path, 'anyOf, of which some generators take one branch; write oneOf');
  const kinds = given.map((branch) => resolved(document, branch));
  if (kinds.every(({ type, enum: values }) => plainTypes.has(type) || values))
    breach(3, path, 'a union of plain types alone; publish one of them, or any value');
  if (
    kinds.some(
      ({ type, enum: values, properties, ...rest }) =>
        type === undefined && !values && !properties && !branchesOf(rest),
    )
  )
    breach(3, path, 'a union with any value is any value');
  const objects = given.filter((branch) => resolved(document, branch).properties);
  if (objects.length > 1) checkDiscriminator(document, breach, path, schema, objects);
}

function checkMap(document: Json, breach: Rules['breach'], path: string, name: string, field: Json): void {
  const { type, properties, additionalProperties: values } = resolved(document, field);
  const isMap = (Array.isArray(type) ? type[0] : type) === 'object' && !properties;
  if (
    freeMaps.has(name) &&
    isMap &&
    values !== undefined &&
    values !== true &&
    Object.keys(values).length > 0
  )
    breach(3, path, `the values of ${name} may be anything; write additionalProperties: {}`);
}

function checkDiscriminator(
  document: Json,
  breach: Rules['breach'],
  path: string,
  schema: Json,
  objects: Json[],
): void {
  const { propertyName, mapping = {} } = schema.discriminator ?? {};
  if (propertyName === undefined) {
    breach(4, path, 'a union of objects without a discriminator');
    return;
  }
  for (const branch of objects) {
    const name = componentOf(branch);
    const field = resolved(document, branch).properties?.[propertyName];
    const values = componentOf(field ?? {}) === undefined ? undefined : resolved(document, field).enum;
    if (name === undefined) breach(4, path, 'a branch that is no component');
    else if (values?.length !== 1)
      breach(4, path, `${propertyName} of ${name} does not refer to a named enum of one value`);
    else if (mapping[values[0]] !== branch.$ref)
      breach(4, path, `the mapping of ${values[0]} does not lead to ${name}`);
  }
}

const identifier = /^[A-Za-z][A-Za-z0-9]*$/;

/** Rule 5: names that are identifiers in every language, also where case does not count. */
function checkNames({ document, breach }: Rules): void {
  const types = new Map<string, string>();
  for (const [section, named] of Object.entries<Json>(document.components)) {
    const seen = ['schemas', 'responses', 'parameters', 'requestBodies'].includes(section)
      ? types
      : new Map();
    for (const name of Object.keys(named)) {
      const path = `#/components/${section}/${name}`;
      if (!identifier.test(name)) breach(5, path, 'a name has letters and digits, and begins with a letter');
      const other = seen.get(name.toLowerCase());
      if (other !== undefined) breach(5, path, `differs from ${other} by case alone, or not at all`);
      seen.set(name.toLowerCase(), path);
    }
  }
}

function checkEnum({ breach }: Rules, path: string, schema: Json): void {
  if (!schema.enum) return;
  if (!isComponent(path)) {
    breach(5, path, 'this enum has no name; make it a component');
    return;
  }
  const name = path.split('/').at(-1) ?? '';
  const names: string[] = schema['x-enum-varnames'] ?? [];
  if (names.length !== schema.enum.length || new Set(names).size !== names.length)
    breach(5, path, 'x-enum-varnames does not name each value');
  for (const each of names)
    if (!each.startsWith(name) || each === name || !identifier.test(each))
      breach(5, path, `the constant ${each} does not begin with ${name}, or is no identifier`);
}

const withoutExample = new Set(['cursor', 'Dry-Run', 'Idempotency-Key', 'X-Request-Id']);

/** Whether a parameter has no value that could be right elsewhere: an id, a date, a place in a list, the key of one request. */
export function hasNoExample(document: Json, parameter: Json): boolean {
  const { name, schema } = resolved(document, parameter);
  const { format, items } = resolved(document, schema ?? {});
  const formats = [format, resolved(document, items ?? {}).format];
  return (
    withoutExample.has(name) ||
    /^id$|Ids?$/.test(name) ||
    formats.some((each) => ['uuid', 'date', 'date-time'].includes(each))
  );
}

/** Rule 6. That examples fit their schemas, and reads answer them, is tested beside. */
function checkExamples({ document, breach }: Rules): void {
  for (const [path, parameter] of parametersOf(document)) {
    const { name, example, examples, schema } = resolved(document, parameter);
    if (
      hasNoExample(document, parameter) &&
      [example, examples, schema?.example, schema?.examples].some((each) => each !== undefined)
    )
      breach(6, path, `${name} has an example, which is sent by who tries the request out`);
  }
  for (const [path, media] of requestBodiesOf(document)) {
    const [first, ...others] = Object.values<Json>(media.examples ?? { only: { value: media.example } }).map(
      (each) => resolved(document, each).value,
    );
    if (first === undefined) breach(6, path, 'the body has no example');
    else if (others.some((each) => Object.keys(each).length < Object.keys(first).length))
      breach(6, path, 'the first example is not the smallest');
  }
}

const sections = [
  'Authentication',
  'Pagination',
  'Idempotency',
  'Retries',
  'Rate limits',
  'Errors',
  'Testing',
];

/** Rule 7: what a reader finds. */
function checkWords({ document, breach }: Rules): void {
  for (const { name, description } of document.tags)
    if (!description) breach(7, `#/tags/${name}`, 'the tag has no description');
  const described = new Set(document.tags.map(({ name }: Json) => name));
  for (const [path, { summary = '', tags = [] }] of operationsOf(document)) {
    const words = summary.split(/\s+/).filter((word: string) => word !== '').length;
    if (words === 0 || words > 6)
      breach(7, path, `the summary has ${words} words: "${summary}"; a title has 1 to 6`);
    for (const tag of tags) if (!described.has(tag)) breach(7, path, `the tag ${tag} is not described`);
  }
  for (const section of sections)
    if (!document.info.description.includes(`## ${section}\n`))
      breach(7, '#/info/description', `has no section "${section}"`);
}

/** Rule 8: requests alone are closed, and bytes are named as such. */
function checkClosed({ document, breach }: Rules): void {
  const replies = reachable(document, [
    operationsOf(document).map(([, { responses }]) => responses),
    document.components.responses,
    document.webhooks,
  ]);
  for (const [name, schema] of Object.entries<Json>(document.components.schemas)) {
    const path = `#/components/schemas/${name}`;
    if (!schema.properties) continue;
    if (replies.has(name) && schema.additionalProperties === false)
      breach(8, path, 'a reply may grow, so it is not closed');
    if (!replies.has(name) && schema.additionalProperties === undefined)
      breach(8, path, 'a request has no other fields; close it');
  }
  for (const [path, { responses }] of operationsOf(document))
    for (const [status, each] of Object.entries<Json>(responses))
      for (const [type, { schema }] of Object.entries<Json>(resolved(document, each).content ?? {})) {
        const { format, type: kind } = resolved(document, schema);
        const at = `${path}/responses/${status}/content/${type}`;
        if (/^(image|audio|video)\/|octet-stream|^application\/(zip|pdf)/.test(type) && format !== 'binary')
          breach(8, at, 'bytes have the format binary');
        if (path === '#/paths//openapi.json/get' && status === '200' && kind !== 'object')
          breach(8, at, 'the document is an object');
      }
}

const branchesOf = (schema: Json): Json[] | undefined => schema?.oneOf ?? schema?.anyOf;

const isComponent = (path: string): boolean => /^#\/components\/schemas\/[^/]+$/.test(path);

const componentOf = ({ $ref }: Json): string | undefined =>
  typeof $ref === 'string' && $ref.startsWith('#/components/schemas/') ? $ref.slice(21) : undefined;

function resolved(document: Json, value: Json): Json {
  if (typeof value?.$ref !== 'string') return value;
  const path: string[] = value.$ref.slice(2).split('/');
  return resolved(document, path.reduce((at: Json, key) => at?.[key], document) ?? {});
}

const operationsOf = ({ paths, webhooks = {} }: Json): [string, Json][] =>
  [
    ['paths', paths],
    ['webhooks', webhooks],
  ].flatMap(([section, items]) =>
    Object.entries<Json>(items).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, operation]): [string, Json] => [
        `#/${section}/${path}/${method}`,
        operation,
      ]),
    ),
  );

const parametersOf = (document: Json): [string, Json][] =>
  operationsOf(document).flatMap(([path, { parameters = [] }]) =>
    parameters.map((each: Json, index: number): [string, Json] => [`${path}/parameters/${index}`, each]),
  );

const requestBodiesOf = (document: Json): [string, Json][] =>
  operationsOf({ paths: document.paths }).flatMap(([path, { requestBody }]) =>
    Object.entries<Json>(requestBody?.content ?? {}).map(([type, media]): [string, Json] => [
      `${path}/requestBody/content/${type}`,
      media,
    ]),
  );

/** Every schema of the document, and every schema in it, with its path. */
function schemasOf(document: Json): [string, Json][] {
  const found: [string, Json][] = [];
  const look = (value: Json, path: string): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    found.push([path, value]);
    for (const key of ['properties', 'patternProperties'])
      for (const [name, field] of Object.entries<Json>(value[key] ?? {}))
        look(field, `${path}/${key}/${name}`);
    for (const key of ['items', 'additionalProperties', 'not']) look(value[key], `${path}/${key}`);
    for (const key of ['anyOf', 'oneOf', 'allOf'])
      for (const [index, branch] of (value[key] ?? []).entries()) look(branch, `${path}/${key}/${index}`);
  };
  const lookInContent = (content: Json, path: string): void => {
    for (const [type, { schema }] of Object.entries<Json>(content ?? {}))
      look(schema, `${path}/content/${type}/schema`);
  };
  for (const [name, schema] of Object.entries<Json>(document.components.schemas))
    look(schema, `#/components/schemas/${name}`);
  for (const [name, { content }] of Object.entries<Json>(document.components.responses ?? {}))
    lookInContent(content, `#/components/responses/${name}`);
  for (const [path, { parameters = [], requestBody, responses = {} }] of operationsOf(document)) {
    for (const [index, { schema }] of parameters.entries())
      look(schema, `${path}/parameters/${index}/schema`);
    lookInContent(requestBody?.content, `${path}/requestBody`);
    for (const [status, { content }] of Object.entries<Json>(responses))
      lookInContent(content, `${path}/responses/${status}`);
  }
  return found;
}

function reachable(document: Json, part: Json): Set<string> {
  const found = new Set<string>();
  const look = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    const name = componentOf(value);
    if (name !== undefined && !found.has(name)) {
      found.add(name);
      look(document.components.schemas[name]);
    }
    for (const each of Object.values(value)) look(each);
  };
  look(part);
  return found;
}
