import type { Credential, FormField, SampleRequest } from '@postrider/core/base/samples/contract';
import type { ApiDocument, DocumentedOperation, Parameter } from '../document/document.ts';
import { exampleOf, exampleOfSchema } from '../document/example.ts';

/** Where a local installation listens; the script of a page puts its own address in its place. */
export const baseUrl = 'http://localhost:3000';

/** The smallest request of an operation. */
export interface OperationRequest extends SampleRequest {
  operation: DocumentedOperation;
  pathValues: Readonly<Record<string, unknown>>;
  queryValues: Readonly<Record<string, unknown>>;
}

export function sampleRequest(document: ApiDocument, operation: DocumentedOperation): OperationRequest {
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
    method: operation.method,
    baseUrl,
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

export const isChange = ({ method }: SampleRequest): boolean => method !== 'GET';
