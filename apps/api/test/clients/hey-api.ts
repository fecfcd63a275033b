/** Sends, reads a list and an error, and reads all kinds of webhooks, through the client of @hey-api/openapi-ts. */
import { readFileSync } from 'node:fs';
import { contactsGet, contactsList, sendingSend, type WebhookEvent } from './generated';
import { client } from './generated/client.gen';

const [baseUrl = '', key = '', prefix = '', webhooks = ''] = process.argv.slice(2);
client.setConfig({ baseUrl, auth: key });
const content = { subject: 'Hello', body: '<p>Hello</p>', from: 'hello@mail.example.com' };

async function main(): Promise<void> {
  const attachments = [{ filename: 'a.txt', content: 'SGVsbG8=', contentType: 'text/plain' }];
  const one = await sendingSend({
    body: { ...content, to: `${prefix}-1@example.com`, attachments },
    throwOnError: true,
  });
  const to = [{ email: `${prefix}-2@example.com` }, { email: `${prefix}-3@example.com` }];
  const two = await sendingSend({ body: { ...content, to }, throwOnError: true });
  const list = await contactsList({ query: { search: prefix }, throwOnError: true });
  const { error } = await contactsGet({ path: { id: '01a1fbbb-6049-7208-955a-65aac1f35b72' } });
  const events = JSON.parse(readFileSync(webhooks, 'utf8')) as WebhookEvent[];
  console.log(
    JSON.stringify({
      withAttachment: one.data.data.emails.length,
      toList: two.data.data.emails.length,
      found: list.data.data.map(({ email }) => email),
      refused: error?.error.code,
      kinds: events.map((event) =>
        event.kind === 'email.bounce' ? event.data.bounceType && event.kind : event.kind,
      ),
    }),
  );
}

void main();
