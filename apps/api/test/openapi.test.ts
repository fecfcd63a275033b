import { beforeAll, describe, expect, it } from 'vitest';
import { hasNoExample } from '../src/contract/document-rules.ts';
import { makeContracts } from '../src/contract/make-contracts.ts';
import {
  ajvFor,
  contentsOf,
  examplesOf,
  fieldsOf,
  isDescribed,
  type Json,
  missingFields,
  operationsOf,
  resolved,
  wholeExample,
  withComponents,
} from './openapi-walk.ts';

let document: Json;

beforeAll(async () => {
  const text = (await makeContracts()).find(({ file }) => file === 'openapi.json')?.text;
  document = JSON.parse(text ?? '{}');
});

it('removing members of a segment takes a JSON body, as the server reads it', () => {
  const { parameters, requestBody } = document.paths['/segments/{id}/members'].delete;
  expect(parameters.filter(({ in: place }: { in?: string }) => place === 'query')).toEqual([]);
  expect(requestBody).toMatchObject({
    required: true,
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/SegmentsRemoveMembersInput' } },
    },
  });
  expect(document.components.schemas.SegmentsRemoveMembersInput.required).toEqual(['emails']);
});

it('the import accepts a form with a file, or with the job of a dry run', () => {
  const { requestBody } = document.paths['/contacts/import'].post;
  expect(Object.keys(requestBody.content)).toEqual(['multipart/form-data']);
  const { properties } = resolved(document, requestBody.content['multipart/form-data'].schema);
  expect(properties).toMatchObject({
    file: { type: 'string', format: 'binary' },
    from: { type: 'string', format: 'uuid' },
  });
  expect(resolved(document, properties.subscribed).enum).toEqual(['true', 'false', 'keep']);
  expect(requestBody.required).toBe(true);
});

it('no path parameter may be null', () => {
  const inPath = (Object.values(document.paths) as object[])
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters = [] }) => parameters)
    .filter(({ in: place }: { in?: string }) => place === 'path');
  expect(inPath.length).toBeGreaterThan(40);
  for (const { name, schema } of inPath)
    expect([name, resolved(document, schema).type]).toEqual([
      name,
      expect.stringMatching(/^(string|integer)$/),
    ]);
});

describe('every field', () => {
  it('has a description', () => {
    expect(
      fieldsOf(document)
        .filter(([, schema]) => !isDescribed(schema))
        .map(([path]) => path),
    ).toEqual([]);
  });
});

describe('every operation', () => {
  it('has descriptions of itself, its parameters and its replies', () => {
    const silent: string[] = [];
    for (const [name, operation] of operationsOf(document)) {
      if (!operation.description || !operation.summary) silent.push(name);
      for (const each of operation.parameters ?? []) {
        const parameter = resolved(document, each);
        if (!parameter.description) silent.push(`${name} ${parameter.name}`);
      }
      for (const [status, each] of Object.entries(operation.responses))
        if (!resolved(document, each as Json).description) silent.push(`${name} ${status}`);
    }
    expect(silent).toEqual([]);
  });

  it('lists its refusals: credentials, limits, shape and unexpected failures', () => {
    for (const [name, { security, responses }] of operationsOf(document)) {
      const expected = security.length > 0 ? ['401', '500'] : ['500'];
      for (const status of expected)
        expect([name, Object.keys(responses)]).toEqual([name, expect.arrayContaining([status])]);
      const isCounted = security.some((each: Json) => 'secretKey' in each || 'publicKey' in each);
      expect([name, isCounted && !('429' in responses)]).toEqual([name, false]);
    }
  });

  it('has no component that nothing refers to', () => {
    const text = JSON.stringify(document);
    const unused = Object.entries<Json>(document.components)
      .filter(([section]) => section !== 'securitySchemes')
      .flatMap(([section, all]) => Object.keys(all).map((name) => `#/components/${section}/${name}`))
      .filter((pointer) => !text.includes(JSON.stringify(pointer)));
    expect(unused).toEqual([]);
  });

  it('has examples that its own schemas accept', () => {
    const ajv = ajvFor(document);
    const wrong: string[] = [];
    for (const [name, operation] of operationsOf(document))
      for (const [place, content] of contentsOf(document, operation))
        for (const [type, media] of Object.entries(content) as [string, Json][]) {
          const examples = examplesOf(document, media);
          if (examples.length === 0) wrong.push(`${name} ${place}: no example`);
          const validate = ajv.compile(withComponents(media.schema));
          for (const example of examples)
            if (!validate(example))
              wrong.push(`${name} ${place} ${type}: ${ajv.errorsText(validate.errors)}`);
        }
    expect(wrong).toEqual([]);
  });

  it('has an example for every field of its requests and replies', () => {
    const without: string[] = [];
    for (const [name, operation] of operationsOf(document))
      for (const [place, content] of contentsOf(document, operation))
        for (const media of Object.values(content) as Json[])
          if (place === 'request' || place.startsWith('2'))
            without.push(
              ...missingFields(document, media.schema, wholeExample(examplesOf(document, media))).map(
                (field) => `${name} ${place}: ${field}`,
              ),
            );
    expect([...new Set(without)]).toEqual([]);
  });

  it('has an example that it accepts for every parameter whose value does not depend on the project', () => {
    const wrong: string[] = [];
    const ajv = ajvFor(document);
    for (const [name, { parameters = [] }] of operationsOf(document))
      for (const each of parameters) {
        const { name: parameter, schema, example } = resolved(document, each);
        if (hasNoExample(document, each)) continue;
        if (!ajv.validate(withComponents(schema), example))
          wrong.push(`${name} ${parameter}: ${ajv.errorsText()}`);
      }
    expect(wrong).toEqual([]);
  });
});
