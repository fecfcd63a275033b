import { beforeAll, expect, it } from 'vitest';
import { makeContracts } from '../src/contracts.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is read as JSON
let document: any;

beforeAll(async () => {
  const text = (await makeContracts()).find(({ file }) => file === 'openapi.json')?.text;
  document = JSON.parse(text ?? '{}');
});

it('removing members of a segment takes a JSON body, as the server reads it', () => {
  const { parameters, requestBody } = document.paths['/segments/{id}/members'].delete;
  expect(parameters.filter(({ in: place }: { in?: string }) => place === 'query')).toEqual([]);
  expect(requestBody).toMatchObject({
    required: true,
    content: { 'application/json': { schema: { required: ['emails'] } } },
  });
});

it('the import takes a form with a file', () => {
  const { requestBody } = document.paths['/contacts/import'].post;
  expect(Object.keys(requestBody.content)).toEqual(['multipart/form-data']);
  expect(requestBody.content['multipart/form-data'].schema).toMatchObject({
    properties: { file: { type: 'string', format: 'binary' }, subscribed: { type: 'string' } },
    required: ['file'],
  });
});

it('no path parameter may be null', () => {
  const inPath = (Object.values(document.paths) as object[])
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters = [] }) => parameters)
    .filter(({ in: place }: { in?: string }) => place === 'path');
  expect(inPath.length).toBeGreaterThan(40);
  for (const { name, schema } of inPath) expect([name, schema.type]).toEqual([name, 'string']);
});
