/** A JSON schema of the API document, read as plain data. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: boolean | Schema;
  format?: string;
  contentEncoding?: string;
  default?: unknown;
  examples?: unknown[];
  deprecated?: boolean;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
}

interface Example {
  summary?: string;
  value?: unknown;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, Example | { $ref: string }>;
}

export interface Reply {
  description: string;
  content?: Record<string, Media>;
}

/** An operation with its place, and its references followed. */
export interface DocumentedOperation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  /** paragraphs of Markdown */
  description: string;
  deprecated: boolean;
  security: Record<string, unknown>[];
  parameters: Parameter[];
  body: { type: string; media: Media; required: boolean } | null;
  replies: [status: string, reply: Reply][];
}

export interface WebhookType {
  kind: string;
  description: string;
  schema: Schema;
}

/** An error code with what the document says of it. */
export interface ErrorCode {
  code: string;
  /** one for each status that it comes with */
  cases: { status: number; summary: string; body: unknown; meaning: string }[];
  operations: DocumentedOperation[];
}

type Json = Record<string, unknown>;

interface RawOperation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  security?: Record<string, unknown>[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Reply | { $ref: string }>;
}

export interface RawDocument {
  info: { version: string; description?: string };
  tags: { name: string; description?: string; 'x-displayName'?: string }[];
  paths: Record<string, Record<string, RawOperation>>;
  components: Json;
}

export interface Tag {
  name: string;
  title: string;
  description: string;
  operations: DocumentedOperation[];
}

/** The API document as the pages need it. */
export interface ApiDocument {
  operations: DocumentedOperation[];
  tags: Tag[];
  webhooks: WebhookType[];
  errors: ErrorCode[];
  /** every word in capitals with an underscore: values of enums, codes, reasons in examples */
  constants: ReadonlySet<string>;
  schemaOf(schema: Schema): { name: string | null; schema: Schema };
}

const nameOf = (ref: string): string => ref.split('/').at(-1) ?? '';

export function readDocument(raw: RawDocument): ApiDocument {
  const component = (ref: string): unknown =>
    ref
      .replace('#/', '')
      .split('/')
      .reduce<unknown>((value, key) => (value as Json | undefined)?.[key], raw);
  const follow = <Value extends object>(value: Value | { $ref: string }): Value =>
    '$ref' in value && typeof value.$ref === 'string' ? (component(value.$ref) as Value) : (value as Value);
  const schemaOf = (schema: Schema): { name: string | null; schema: Schema } => {
    if (schema.$ref === undefined) return { name: null, schema };
    // What stands beside a reference says more than the component about this use of it.
    const { $ref, ...beside } = schema;
    return { name: nameOf($ref), schema: { ...(component($ref) as Schema), ...beside } };
  };

  const operations = Object.entries(raw.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): DocumentedOperation => {
      const { operationId, tags = [], summary = operationId, description = '', security = [] } = operation;
      const [body] = Object.entries(operation.requestBody?.content ?? {});
      return {
        id: operationId,
        method: method.toUpperCase(),
        path,
        tag: tags[0] ?? '',
        summary,
        description,
        deprecated: operation.deprecated === true,
        security,
        parameters: (operation.parameters ?? []).map(follow),
        body: body
          ? { type: body[0], media: body[1], required: operation.requestBody?.required ?? false }
          : null,
        replies: Object.entries(operation.responses).map(([status, reply]) => [status, follow(reply)]),
      };
    }),
  );
  return {
    operations,
    tags: raw.tags.flatMap(({ name, description = '', 'x-displayName': title = name }) => {
      const own = operations.filter(({ tag }) => tag === name);
      return own.length > 0 ? [{ name, title, description, operations: own }] : [];
    }),
    webhooks: webhooksOf(raw, schemaOf),
    errors: errorsOf(raw, operations, follow),
    constants: new Set(JSON.stringify(raw).match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)),
    schemaOf,
  };
}

/** The branches of `WebhookEvent`, by the only value of their `kind`. */
function webhooksOf(raw: RawDocument, schemaOf: ApiDocument['schemaOf']): WebhookType[] {
  const { WebhookEvent: union } = (raw.components['schemas'] ?? {}) as Record<string, Schema>;
  return (union?.oneOf ?? []).flatMap((branch) => {
    const { schema } = schemaOf(branch);
    const [kind] = schemaOf(schema.properties?.['kind'] ?? {}).schema.enum ?? [];
    return typeof kind === 'string' ? [{ kind, description: schema.description ?? '', schema }] : [];
  });
}

type Follow = <Value extends object>(value: Value | { $ref: string }) => Value;

function errorsOf(raw: RawDocument, operations: DocumentedOperation[], follow: Follow): ErrorCode[] {
  const { ErrorCode: codes } = (raw.components['schemas'] ?? {}) as Record<string, Schema>;
  const found = new Map<string, ErrorCode>();
  for (const code of codes?.enum ?? [])
    if (typeof code === 'string') found.set(code, { code, cases: [], operations: [] });
  for (const operation of operations) {
    for (const [status, { content = {}, description }] of operation.replies) {
      const { examples = {} } = content['application/json'] ?? {};
      for (const [code, example] of Object.entries(examples)) {
        const error = found.get(code);
        if (error === undefined || status === 'default') continue;
        if (!error.operations.includes(operation)) error.operations.push(operation);
        if (error.cases.some((each) => each.status === Number(status))) continue;
        const { summary = '', value } = follow(example);
        const meaning = (description.split(' Codes:')[0] ?? '').trim();
        error.cases.push({ status: Number(status), summary, body: value, meaning });
      }
    }
  }
  // Codes that come by other doors than REST alone have an example, and no reply refers to it.
  for (const { summary = '', value } of Object.values(
    (raw.components['examples'] ?? {}) as Record<string, Example>,
  )) {
    const { code, statusCode = 0 } =
      (value as { error?: { code?: string; statusCode?: number } }).error ?? {};
    const error = found.get(code ?? '');
    if (error?.cases.length === 0)
      error.cases.push({ status: statusCode, summary, body: value, meaning: `${summary}.` });
  }
  for (const { cases } of found.values()) cases.sort((a, b) => a.status - b.status);
  return [...found.values()];
}
