/** Sends, reads a list and an error, and reads all kinds of webhooks, through the fetch client of orval; its schemas of zod read the replies. */
import { readFileSync } from 'node:fs';
import { contactsGet, contactsList, sendingSend, type WebhookEvent } from './generated/fetch';
import { ContactsListResponse, SendingSendResponse } from './generated/zod';

const [baseUrl = '', key = '', prefix = '', webhooks = ''] = process.argv.slice(2);
const original = globalThis.fetch;
// The client asks for paths, as in a browser on the same host.
globalThis.fetch = (input, init) => original(new URL(String(input), baseUrl), init);
const options = { headers: { authorization: `Bearer ${key}` } };
const content = { subject: 'Hello', body: '<p>Hello</p>', from: 'hello@mail.example.com' };

async function main(): Promise<void> {
  const attachments = [{ filename: 'a.txt', content: 'SGVsbG8=', contentType: 'text/plain' }];
  const one = await sendingSend({ ...content, to: `${prefix}-1@example.com`, attachments }, options);
  const to = [`${prefix}-2@example.com`, `${prefix}-3@example.com`];
  const two = await sendingSend({ ...content, to }, options);
  const list = await contactsList({ search: prefix }, options);
  const refused = await contactsGet('01a1fbbb-6049-7208-955a-65aac1f35b72', options);
  if (one.status !== 200 || two.status !== 200 || list.status !== 200 || refused.status !== 404)
    throw new Error(JSON.stringify([one, two, list, refused]));
  const events = JSON.parse(readFileSync(webhooks, 'utf8')) as WebhookEvent[];
  console.log(
    JSON.stringify({
      withAttachment: SendingSendResponse.parse(one.data).data.emails.length,
      toList: two.data.data.emails.length,
      found: ContactsListResponse.parse(list.data).data.map(({ email }) => email),
      refused: refused.data.error.code,
      kinds: events.map((event) =>
        event.kind === 'email.bounce' ? event.data.bounceType && event.kind : event.kind,
      ),
    }),
  );
}

void main();
