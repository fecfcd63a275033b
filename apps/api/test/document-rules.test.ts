import { beforeAll, describe, expect, it } from 'vitest';
import { documentBreaches } from '../src/contract/document-rules.ts';
import { makeContracts } from '../src/contract/make-contracts.ts';
import type { Json } from './openapi-walk.ts';

/** The rules by which the document is written, so that generators of clients accept it (behaviour B4.21). */

let text: string;

beforeAll(async () => {
  text = (await makeContracts()).find(({ file }) => file === 'openapi.json')?.text ?? '{}';
});

/** What breaks the rules after this change of the real document. */
function breachesAfter(plant: (document: Json) => void): string[] {
  const document = JSON.parse(text);
  plant(document);
  return documentBreaches(document);
}

it('the document keeps all rules', () => {
  expect(breachesAfter(() => {})).toEqual([]);
});

const input = 'SendEmailInput';
const at = `#/components/schemas/${input}`;
const sendBody = (document: Json): Json =>
  document.paths['/v1/send'].post.requestBody.content['application/json'];

describe('a rule that is broken alone is named with its path', () => {
  it.each<[string, (document: Json) => void, string]>([
    [
      'rule 1: an object without a name',
      ({ components: { schemas } }) => {
        schemas[input].properties.extra = { type: 'object', properties: { a: { type: 'string' } } };
      },
      `rule 1 at ${at}/properties/extra: this object has no name`,
    ],
    [
      'rule 1: a body without a name',
      (document) => {
        sendBody(document).schema = { type: 'array', items: { $ref: at } };
      },
      'rule 1 at #/paths//v1/send/post/requestBody/content/application/json/schema: the body is no component',
    ],
    [
      'rule 1: a body that is a union',
      ({ components: { schemas } }) => {
        schemas.Other = { type: 'object', properties: {}, additionalProperties: false };
        schemas.Both = { oneOf: [{ type: 'array', items: {} }, { $ref: '#/components/schemas/Other' }] };
        schemas.DomainsCreateInput = schemas.Both;
      },
      'rule 1 at #/paths//domains/post/requestBody/content/application/json/schema: the body is a union',
    ],
    [
      'rule 2: a field of type null',
      ({ components: { schemas } }) => {
        schemas[input].properties.template = { type: 'null' };
      },
      `rule 2 at ${at}/properties/template: a field of type null`,
    ],
    [
      'rule 2: a constant boolean',
      ({ components: { schemas } }) => {
        schemas.Success.properties.success = { type: 'boolean', const: true };
      },
      'rule 2 at #/components/schemas/Success/properties/success: a constant boolean or number',
    ],
    [
      'rule 2: a constant text',
      ({ components: { schemas } }) => {
        schemas[input].properties.name = { type: 'string', const: 'x' };
      },
      `rule 2 at ${at}/properties/name: a constant; write an enum of one value`,
    ],
    [
      'rule 2: a pattern that only some languages know',
      ({ components: { schemas } }) => {
        schemas.Attachment.properties.filename.pattern = '^[^\\p{Cc}]*$';
      },
      'rule 2 at #/components/schemas/Attachment/properties/filename: a pattern with \\p{}',
    ],
    [
      'rule 2: several types',
      ({ components: { schemas } }) => {
        schemas[input].properties.name = { type: ['string', 'number'] };
      },
      `rule 2 at ${at}/properties/name: the types string, number`,
    ],
    [
      'rule 3: a union in a union',
      ({ components: { schemas } }) => {
        const { oneOf } = schemas.Recipients;
        schemas.Recipients.oneOf = [{ oneOf }, { type: 'null' }];
      },
      'rule 3 at #/components/schemas/Recipients/oneOf/0: a union in a union',
    ],
    [
      'rule 3: a union by anyOf',
      ({ components: { schemas } }) => {
        const { oneOf: anyOf, ...rest } = schemas.Recipients;
        schemas.Recipients = { ...rest, anyOf };
      },
      'rule 3 at #/components/schemas/Recipients: anyOf, of which some generators take one branch',
    ],
    [
      'rule 3: a union of plain types',
      ({ components: { schemas } }) => {
        schemas[input].properties.name = { oneOf: [{ type: 'string' }, { type: 'number' }] };
      },
      `rule 3 at ${at}/properties/name: a union of plain types alone`,
    ],
    [
      'rule 3: a list of several kinds in a union',
      ({ components: { schemas } }) => {
        schemas.Recipients.oneOf = [
          { type: 'string' },
          { type: 'array', items: { anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/Mailbox' }] } },
        ];
      },
      'rule 3 at #/components/schemas/Recipients/oneOf/1: a list in a union has items of several kinds',
    ],
    [
      'rule 3: a list of what is a branch itself',
      ({ components: { schemas } }) => {
        const items = { $ref: '#/components/schemas/Mailbox' };
        schemas.Recipients.oneOf = [{ type: 'array', items }, items];
      },
      'rule 3 at #/components/schemas/Recipients/oneOf/0: a list of what is a branch itself',
    ],
    [
      'rule 3: a map of data that is typed',
      ({ components: { schemas } }) => {
        schemas[input].properties.data.additionalProperties = { type: 'string' };
      },
      `rule 3 at ${at}/properties/data: the values of data may be anything`,
    ],
    [
      'rule 4: objects that nothing tells apart',
      ({ components: { schemas } }) => {
        schemas[input].properties.from = {
          oneOf: [{ $ref: '#/components/schemas/Mailbox' }, { $ref: '#/components/schemas/Attachment' }],
        };
      },
      `rule 4 at ${at}/properties/from: a union of objects without a discriminator`,
    ],
    [
      'rule 4: a discriminator that is no named enum of one value',
      ({ components: { schemas } }) => {
        schemas.WebhookEmailSent.properties.kind = { type: 'string' };
      },
      'rule 4 at #/components/schemas/WebhookEvent: kind of WebhookEmailSent does not refer to a named enum',
    ],
    [
      'rule 5: a name that is no identifier',
      ({ components: { responses } }) => {
        responses['404.NotFound'] = { description: 'Not found.' };
      },
      'rule 5 at #/components/responses/404.NotFound: a name has letters and digits',
    ],
    [
      'rule 5: names that differ by case',
      ({ components: { responses } }) => {
        responses.contact = { description: 'A contact.' };
      },
      'rule 5 at #/components/schemas/Contact: differs from #/components/responses/contact by case alone',
    ],
    [
      'rule 5: an enum without a name',
      ({ components: { schemas } }) => {
        schemas[input].properties.name = { type: 'string', enum: ['a'] };
      },
      `rule 5 at ${at}/properties/name: this enum has no name`,
    ],
    [
      'rule 5: a constant that does not begin with the name of its enum',
      ({ components: { schemas } }) => {
        schemas.EmailStatus['x-enum-varnames'][0] = 'Pending';
      },
      'rule 5 at #/components/schemas/EmailStatus: the constant Pending does not begin with EmailStatus',
    ],
    [
      'rule 6: an example of a cursor',
      ({ paths }) => {
        paths['/contacts'].get.parameters.find(({ name }: Json) => name === 'cursor').example = 'abc';
      },
      'cursor has an example',
    ],
    [
      'rule 6: an example of an id',
      ({ paths }) => {
        paths['/emails'].get.parameters.find(({ name }: Json) => name === 'contactId').example = 'abc';
      },
      'contactId has an example',
    ],
    [
      'rule 6: an example of the key of a request',
      ({ components: { parameters } }) => {
        parameters.IdempotencyKey.example = 'order-1001';
      },
      'Idempotency-Key has an example',
    ],
    [
      'rule 6: a first example that is not the smallest',
      (document) => {
        const { examples } = sendBody(document);
        sendBody(document).examples = Object.fromEntries(Object.entries(examples).reverse());
      },
      'rule 6 at #/paths//v1/send/post/requestBody/content/application/json: the first example is not the smallest',
    ],
    [
      'rule 7: a tag without a description',
      ({ tags }) => {
        delete tags[0].description;
      },
      'the tag has no description',
    ],
    [
      'rule 7: a sentence as a title',
      ({ paths }) => {
        paths['/v1/send'].post.summary = 'Sends an email to one or more recipients';
      },
      'rule 7 at #/paths//v1/send/post: the summary has 8 words',
    ],
    [
      'rule 7: an introduction without a section',
      ({ info }) => {
        info.description = info.description.replace('## Retries', '## Again');
      },
      'rule 7 at #/info/description: has no section "Retries"',
    ],
    [
      'rule 8: a closed reply',
      ({ components: { schemas } }) => {
        schemas.Contact.additionalProperties = false;
      },
      'rule 8 at #/components/schemas/Contact: a reply may grow',
    ],
    [
      'rule 8: an open request',
      ({ components: { schemas } }) => {
        delete schemas[input].additionalProperties;
      },
      `rule 8 at ${at}: a request has no other fields`,
    ],
    [
      'rule 8: bytes without their format',
      ({ paths }) => {
        const { content } = paths['/t/o/{token}.gif'].get.responses['200'];
        content['image/gif'].schema = { type: 'string' };
      },
      'bytes have the format binary',
    ],
    [
      'rule 8: the document as a text',
      ({ paths }) => {
        const { content } = paths['/openapi.json'].get.responses['200'];
        content['application/json'].schema = { type: 'string' };
      },
      'the document is an object',
    ],
  ])('%s', (name, plant, expected) => {
    const breaches = breachesAfter(plant);
    expect(breaches.join('\n')).toContain(expected);
    const rule = name.slice(0, 'rule 1'.length);
    expect(breaches.filter((breach) => !breach.startsWith(rule))).toEqual([]);
  });
});
