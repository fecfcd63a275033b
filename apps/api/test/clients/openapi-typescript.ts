/** Sends, reads a list and an error, imports a file, removes members and reads all kinds of webhooks, through the types of openapi-typescript. */
import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import type { components, paths } from './generated/api.d.ts';

const [baseUrl = '', key = '', prefix = '', webhooks = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
const content = { subject: 'Hello', body: '<p>Hello</p>', from: 'hello@mail.example.com' };

function present<Value>({ data, error }: { data?: Value; error?: unknown }): Value {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

async function main(): Promise<void> {
  const attachments = [{ filename: 'a.txt', content: 'SGVsbG8=', contentType: 'text/plain' }];
  const one = present(
    await client.POST('/v1/send', { body: { ...content, to: `${prefix}-1@example.com`, attachments } }),
  );
  const to = [`${prefix}-2@example.com`, `${prefix}-3@example.com`];
  const two = present(await client.POST('/v1/send', { body: { ...content, to } }));
  const list = present(await client.GET('/contacts', { params: { query: { search: prefix } } }));
  const id = '01a1fbbb-6049-7208-955a-65aac1f35b72';
  const { error } = await client.GET('/contacts/{id}', { params: { path: { id } } });

  const csv = new Blob([`email\n${prefix}-4@example.com\n`], { type: 'text/csv' });
  const imported = present(
    await client.POST('/contacts/import', {
      body: { file: csv, subscribed: 'true' },
      bodySerializer: ({ file, subscribed = 'true' }) => {
        const form = new FormData();
        if (file) form.append('file', file, 'contacts.csv');
        form.append('subscribed', subscribed);
        return form;
      },
    }),
  );
  const segment = present(await client.POST('/segments', { body: { name: prefix, type: 'STATIC' } }));
  const path = { id: segment.id };
  const emails = [`${prefix}-2@example.com`];
  present(await client.POST('/segments/{id}/members', { params: { path }, body: { emails } }));
  const removed = present(
    await client.DELETE('/segments/{id}/members', { params: { path }, body: { emails } }),
  );

  const kinds = (JSON.parse(readFileSync(webhooks, 'utf8')) as components['schemas']['WebhookEvent'][]).map(
    (event) => (event.kind === 'email.bounce' ? event.data.bounceType && event.kind : event.kind),
  );
  console.log(
    JSON.stringify({
      withAttachment: one.data.emails.length,
      toList: two.data.emails.length,
      found: list.data.map(({ email }) => email),
      refused: error?.error.code,
      kinds,
      imported: typeof imported.jobId,
      removed: removed.removed,
    }),
  );
}

void main();
