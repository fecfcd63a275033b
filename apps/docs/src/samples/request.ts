import type { ApiDocument, DocumentedOperation, Parameter } from '../document/document.ts';
import { exampleOf, exampleOfSchema } from '../document/example.ts';

/** Where a local installation listens; the script of a page puts its own address in its place. */
export const baseUrl = 'http://localhost:3000';

/** How a request names its caller. */
export type Credential = 'secret' | 'public' | 'session' | 'none';

/** The smallest request of an operation, from which the samples of all languages are made. */
export interface SampleRequest {
  operation: DocumentedOperation;
  /** path and query with their values */
  target: string;
  pathValues: Readonly<Record<string, unknown>>;
  queryValues: Readonly<Record<string, unknown>>;
  credential: Credential;
  json: unknown;
  /** fields of a form; a file has its name */
  form: readonly FormField[] | null;
}

export interface FormField {
  name: string;
  value: string;
  file: boolean;
}

export function sampleRequest(document: ApiDocument, operation: DocumentedOperation): SampleRequest {
  const { path, parameters, body } = operation;
  const shownValue = ({ example, schema = {}, name }: Parameter): unknown => {
    if (example !== undefined) return example;
    const value = exampleOfSchema(document, schema);
    if (value === '…') return /id$/i.test(name) ? '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90' : `<${name}>`;
    return value;
  };
  const valuesIn = (place: Parameter['in']): Record<string, unknown> =>
    Object.fromEntries(
      parameters
        .filter((each) => each.in === place && (each.required || place === 'path'))
        .map((each) => [each.name, shownValue(each)]),
    );
  const pathValues = valuesIn('path');
  const queryValues = valuesIn('query');
  const query = Object.entries(queryValues).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(pathValues[name] ?? name)),
  );
  const example = body ? exampleOf(document, body.media) : undefined;
  const isForm = body !== null && body.type !== 'application/json';
  return {
    operation,
    target: query.length > 0 ? `${filled}?${query.join('&')}` : filled,
    pathValues,
    queryValues,
    credential: credentialOf(operation),
    json: isForm ? undefined : example,
    form: isForm ? formOf(document, operation, example) : null,
  };
}

/** The first way that a program can use; sessions are for the dashboard. */
export function credentialOf({ security }: DocumentedOperation): Credential {
  if (security.some((way) => 'secretKey' in way)) return 'secret';
  if (security.some((way) => 'publicKey' in way)) return 'public';
  return security.some((way) => 'session' in way) ? 'session' : 'none';
}

function formOf(document: ApiDocument, { body }: DocumentedOperation, example: unknown): FormField[] {
  const { schema } = document.schemaOf(body?.media.schema ?? {});
  return Object.entries((example ?? {}) as Record<string, unknown>).map(([name, value]) => {
    const { format, contentEncoding, type } = document.schemaOf(schema.properties?.[name] ?? {}).schema;
    const file =
      format === 'binary' || contentEncoding === 'binary' || (name === 'file' && type === 'string');
    return { name, value: file ? (name === 'image' ? 'logo.gif' : 'contacts.csv') : String(value), file };
  });
}

/** The variable of the environment that has a program's key. */
export const keyVariable = (credential: Credential): string =>
  credential === 'public' ? 'POSTRIDER_PUBLIC_KEY' : 'POSTRIDER_API_KEY';

export const isChange = ({ operation }: SampleRequest): boolean => operation.method !== 'GET';
