import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { breakingChanges, unexplained } from '../src/contract/breaking-changes.ts';
import { doorsOf } from '../src/contract/doors.ts';
import { contractPath, makeContracts } from '../src/contract/make-contracts.ts';

const contracts = await makeContracts();

it('the committed contracts match the code (otherwise run npm run contracts and review the change)', async () => {
  for (const contract of contracts) {
    expect(await readFile(contractPath(contract), 'utf8')).toBe(contract.text);
  }
});

it('every operation has a name at each door, or a reason why it has none', () => {
  const parity = contracts.find(({ file }) => file === 'parity.md')?.text ?? '';
  expect(parity.match(/^.*no reason given.*$/gm) ?? []).toEqual([]);
  expect(parity).toMatch(
    /^\| `contacts\.list` \| `GET \/contacts` \| `contacts\.list` \| `contacts`.* \| `contacts\.list` \| `contacts_list` \|$/m,
  );
});

it('a procedure of tRPC has the name of its operation, so that the dashboard speaks the language of the SDK', () => {
  const { trpc } = doorsOf([]);
  expect(trpc.size).toBeGreaterThan(150);
  expect([...trpc].filter(([operation, names]) => names.join() !== operation)).toEqual([]);
});

// biome-ignore lint/suspicious/noExplicitAny: the tests change the parsed document at will
type Document = any;

/** The changes found after this change of the real contract. */
function rest(plant: (document: Document) => void): string[] {
  const { text } = contracts.find(({ file }) => file === 'openapi.json') ?? { text: '{}' };
  const document = JSON.parse(text);
  plant(document);
  return breakingChanges('openapi.json', text, JSON.stringify(document));
}

const bodyOf = (document: Document, path: string) => {
  const { $ref } = document.paths[path].post.requestBody.content['application/json'].schema;
  return document.components.schemas[$ref.split('/').at(-1)];
};

describe('a change that breaks clients is found', () => {
  it.each<[string, (document: Document) => void, string]>([
    [
      'a removed operation',
      (document) => delete document.paths['/contacts/{id}'].get,
      'REST GET /contacts/{id} was removed',
    ],
    [
      'a field that is removed from a response',
      (document) => delete document.components.schemas.Contact.properties.snoozedUntil,
      'REST PATCH /contacts/{id} response 200: snoozedUntil was removed',
    ],
    [
      'a renamed field in the items of a list',
      ({ components: { schemas } }) => {
        schemas.Template.properties.title = schemas.Template.properties.name;
        delete schemas.Template.properties.name;
      },
      'REST GET /templates response 200: data.[].name was removed',
    ],
    [
      'a field of a response that may now be null',
      (document) => {
        document.components.schemas.Contact.properties.email.type = ['string', 'null'];
      },
      'REST PATCH /contacts/{id} response 200: email changed from string to null',
    ],
    [
      'a field of a response that may now be absent',
      ({ components: { schemas } }) => {
        schemas.Contact.required = schemas.Contact.required.filter((name: string) => name !== 'email');
      },
      'REST PATCH /contacts/{id} response 200: email may now be absent',
    ],
    [
      'a field that is now required',
      (document) => bodyOf(document, '/v1/verify').required.push('reason'),
      'REST POST /v1/verify request: reason is now required',
    ],
    [
      'a field that is no longer accepted',
      (document) => delete bodyOf(document, '/contacts').properties.subscribed,
      'REST POST /contacts request: subscribed was removed',
    ],
    [
      'a narrower type',
      (document) => {
        bodyOf(document, '/v1/verify').properties.email.type = 'integer';
      },
      'REST POST /v1/verify request: email changed from string to integer',
    ],
    [
      'a tighter limit',
      (document) => {
        bodyOf(document, '/v1/verify').properties.email.maxLength = 50;
      },
      'REST POST /v1/verify request: email has a tighter maxLength, 50',
    ],
    [
      'a value that is no longer accepted',
      ({ components: { schemas } }) => {
        schemas.ContactSort.enum = schemas.ContactSort.enum.filter((name: string) => name !== 'email');
      },
      'REST GET /contacts query parameter sort: it no longer accepts email',
    ],
    [
      'a removed parameter',
      ({ paths }) => {
        const { get } = paths['/contacts'];
        get.parameters = get.parameters.filter(({ name }: { name?: string }) => name !== 'search');
      },
      'REST GET /contacts query parameter search was removed',
    ],
    [
      'a parameter that is now required',
      ({ paths }) => {
        paths['/contacts'].get.parameters.find(({ name }: { name?: string }) => name === 'search').required =
          true;
      },
      'REST GET /contacts query parameter search is now required',
    ],
    [
      'another success status',
      ({ paths }) => {
        const { responses } = paths['/templates'].post;
        responses['200'] = responses['201'];
        delete responses['201'];
      },
      'REST POST /templates response 201: it was removed',
    ],
    [
      'a key that is no longer accepted',
      ({ paths }) => {
        paths['/contacts'].get.security = [{ session: [], project: [] }];
      },
      'REST GET /contacts no longer accepts secretKey',
    ],
  ])('%s', (_what, plant, change) => {
    expect(rest(plant)).toContain(change);
  });

  it('a removed field of GraphQL', () => {
    const before = 'type Query { contact(id: ID!): String contacts: Int }';
    expect(breakingChanges('schema.graphql', before, 'type Query { contact(id: ID!): String }')).toEqual([
      'GraphQL Query.contacts was removed.',
    ]);
  });
});

describe('a change that breaks no client passes', () => {
  it.each<[string, (document: Document) => void]>([
    ['no change', () => {}],
    ['a removed failure', (document) => delete document.paths['/contacts'].get.responses['422']],
    [
      'a further path, response field, optional field, parameter and value',
      ({ paths, components: { schemas } }) => {
        paths['/further'] = paths['/contacts'];
        schemas.Contact.properties.further = { type: 'string' };
        schemas.Contact.required.push('further');
        schemas.ContactStatus.enum.push('FURTHER');
        paths['/contacts'].get.parameters.push({ in: 'query', name: 'further', schema: { type: 'string' } });
      },
    ],
    [
      'a wider input',
      (document) => {
        bodyOf(document, '/v1/verify').properties.email.maxLength = 500;
        bodyOf(document, '/v1/verify').properties.email.type = ['string', 'null'];
      },
    ],
  ])('%s', (_what, plant) => {
    expect(rest(plant)).toEqual([]);
  });
});

it('a decision record that gives the line lets the change pass, and no other', () => {
  const changes = ['REST GET /a was removed', 'REST GET /a/b was removed'];
  expect(unexplained(changes, 'Clients use `/c`.\n- `REST GET /a was removed`\n')).toEqual([
    'REST GET /a/b was removed',
  ]);
});
