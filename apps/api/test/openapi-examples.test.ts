import { afterAll, beforeAll, expect, it } from 'vitest';
import { documentBreaches } from '../src/contract/document-rules.ts';
import { startApp, type TestApp } from './harness.ts';
import { examplesOf, type Json, operationsOf, resolved } from './openapi-walk.ts';

/** What "Test Request" of the API reference sends: the examples of the document, and the defaults of parameters. */

let test: TestApp;
let document: Json;

beforeAll(async () => {
  test = await startApp();
  document = (await test.anyone('GET', '/openapi.json')).body;
});
afterAll(() => test.close());

const unknownId = '01a1fbbb-6049-7208-955a-65aac1f35b72';
/** Reads about records of the project, which its owner has to name. */
const needsId = ['GET /analytics/links', 'GET /analytics/compare'];

it('every read that is tried out with its examples is answered, or has no such record', async () => {
  const send = test.withKey(test.project.secretKey);
  const answers: [string, number][] = [];
  for (const [name, { security, parameters = [] }] of operationsOf(document)) {
    if (!name.startsWith('GET ') || needsId.includes(name)) continue;
    if (!security.some((each: Json) => 'secretKey' in each)) continue;
    const query = new URLSearchParams();
    let path = name.slice('GET '.length);
    for (const each of parameters) {
      const { in: place, name: parameter, required, schema, example } = resolved(document, each);
      const { format, default: preset } = resolved(document, schema ?? {});
      const isProject = parameter === 'projectId' || path.startsWith('/projects/');
      const id = isProject ? test.project.id : unknownId;
      const isId = format === 'uuid' || (place === 'path' && /id$/i.test(parameter));
      const stands = isId ? id : format === 'date-time' ? '2026-03-01T09:30:00.000Z' : 'x';
      const value = example ?? preset ?? (required ? stands : undefined);
      if (place === 'path') path = path.replace(`{${parameter}}`, encodeURIComponent(String(value)));
      else if (place === 'query' && value !== undefined) query.set(parameter, String(value));
    }
    const { status } = await send('GET', query.size > 0 ? `${path}?${query}` : path);
    answers.push([name, status]);
  }
  expect(answers.length).toBeGreaterThan(60);
  expect(answers.filter(([, status]) => status !== 200 && status !== 404)).toEqual([]);
});

it('the first example of a send is accepted as it is', async () => {
  const [body] = examplesOf(
    document,
    document.paths['/v1/send'].post.requestBody.content['application/json'],
  );
  const answer = await test.withKey(test.project.secretKey)('POST', '/v1/send', body);
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
});

it('the document has the section of webhooks on request, by the same rules', async () => {
  expect(document).not.toHaveProperty('webhooks');
  const { body } = await test.anyone('GET', '/openapi.json?webhooks=true');
  const kinds = Object.keys(body.webhooks);
  expect(kinds).toEqual(Object.keys(body.components.schemas.WebhookEvent.discriminator.mapping));
  expect(kinds).toEqual(expect.arrayContaining(['email.bounce', 'segment.entry', 'event', 'webhook.test']));
  expect(body.webhooks['email.bounce'].post.requestBody.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/WebhookEmailBounce',
  });
  expect(documentBreaches(body)).toEqual([]);
  expect((await test.anyone('GET', '/openapi.json?webhooks=maybe')).status).toBe(400);
});
