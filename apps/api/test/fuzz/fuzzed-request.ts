import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { contractsFolder } from '../../src/contract/make-contracts.ts';
import { type Call, exampleInputs } from '../every-call.ts';
import { type Json, operationsOf } from '../openapi-walk.ts';
import { hostileValue, mutated, mutation } from './json-values.ts';
import { describedValue } from './schema-values.ts';

/** Who sends a request. */
export type Sender = 'secret' | 'session' | 'public' | 'nobody';

export interface FuzzedRequest {
  sender: Sender;
  method: string;
  url: string;
  headers: Record<string, string>;
  /** text or JSON; null for none */
  body: string | null;
}

/** Own records by what names them; ids in examples are replaced by them. */
export type Records = Readonly<Record<string, string>>;

const document: Json = JSON.parse(readFileSync(new URL('openapi.json', contractsFolder), 'utf8'));
const bodies = new Map(
  operationsOf(document).flatMap(([, { operationId, requestBody }]): [string, Json][] => {
    const schema = requestBody?.content['application/json']?.schema;
    return schema ? [[operationId, schema]] : [];
  }),
);

/** What would end the session, the keys or the project of the run itself is asked with ids of nothing. */
const endsTheRun =
  /^(projects[.](delete|reset|regenerate\w*)|keys[.]|auth[.]end\w+|domains[.]delete|members[.])/;
const exampleId = '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90';

/** Inputs of an operation: its examples with changes, or values that its schema describes. */
function inputOf(call: Call, records: Records): fc.Arbitrary<Json> {
  const { name } = call.operation;
  const examples = exampleInputs(call.operation);
  const own = endsTheRun.test(name) ? {} : records;
  const shown = (examples.length > 0 ? examples : [{}]).map((example) => withRecords(example, own));
  const changed = fc
    .tuple(fc.constantFrom(...shown), mutation)
    .map(([example, changes]) => mutated(example, changes));
  const schema = bodies.get(name);
  if (!schema) return changed;
  const made = fc
    .tuple(fc.constantFrom(...shown), describedValue(document, schema))
    .map(([example, body]) =>
      typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...example, ...body } : example,
    );
  return fc.oneof({ weight: 3, arbitrary: changed }, { weight: 2, arbitrary: made });
}

function withRecords(example: Json, records: Records): Json {
  const text = JSON.stringify(example, (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (value === exampleId) return records[key] ?? records['id'] ?? value;
    return key === 'from' && value.includes('@') ? (records['from'] ?? value) : value;
  });
  return JSON.parse(text);
}

const senders: Record<Call['door'], fc.Arbitrary<Sender>> = {
  REST: fc.constantFrom('secret', 'secret', 'secret', 'secret', 'session', 'session', 'public', 'nobody'),
  tRPC: fc.constantFrom('session', 'session', 'session', 'session', 'session', 'secret', 'nobody'),
  GraphQL: fc.constantFrom('secret', 'secret', 'secret', 'secret', 'secret', 'public', 'nobody'),
};

const headers = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { 'idempotency-key': 'again' },
      { 'idempotency-key': 'x'.repeat(256) },
      { 'content-type': 'text/plain' },
      { 'content-type': 'multipart/form-data; boundary=' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'x-request-id': '{{1}}' },
      { accept: 'text/event-stream' },
      { accept: '*/*;q=2' },
      { 'accept-encoding': 'br;q=x, gzip' },
      { origin: 'null' },
    ),
  },
);

/** Damage to a request that is no input of any operation: a broken body, path or document. */
const damage = fc.oneof(
  { weight: 15, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('cut', 'replace', 'insert', 'path'),
      at: fc.nat({ max: 4_000 }),
      text: fc.oneof(
        fc.string({ maxLength: 12 }),
        hostileValue.map((value) => JSON.stringify(value) ?? ''),
      ),
    }),
  },
);

/** A request of any operation through any of its doors, with valid, almost valid or senseless input. */
export const fuzzedRequest = (calls: readonly Call[], records: Records): fc.Arbitrary<FuzzedRequest> =>
  fc.oneof(...calls.map((call) => requestOf(call, records)));

const requestOf = (call: Call, records: Records): fc.Arbitrary<FuzzedRequest> =>
  fc
    .tuple(inputOf(call, records), senders[call.door], headers, damage)
    .map(([input, sender, given, damaged]): FuzzedRequest => {
      const { method, url, payload } = call.requestOf(input);
      const body = payload === undefined || method === 'GET' ? null : JSON.stringify(payload);
      const type: Record<string, string> = body === null ? {} : { 'content-type': 'application/json' };
      const request = { sender, method, url, headers: { ...type, ...given }, body };
      return damaged ? damagedRequest(request, damaged) : request;
    });

function damagedRequest(
  request: FuzzedRequest,
  { kind, at, text }: { kind: string; at: number; text: string },
): FuzzedRequest {
  if (kind === 'path')
    return { ...request, url: `${request.url}${encodeURI(text.toWellFormed()).slice(0, 500)}` };
  const { body } = request;
  if (body === null) return request;
  const place = at % (body.length + 1);
  const end = kind === 'insert' ? place : kind === 'cut' ? body.length : place + text.length;
  return { ...request, body: `${body.slice(0, place)}${kind === 'cut' ? '' : text}${body.slice(end)}` };
}
