/** Sends, reads a list and an error, and reads all kinds of webhooks, through the client of openapi-generator for fetch. */
import { readFileSync } from 'node:fs';
import {
  Configuration,
  ContactsApi,
  ErrorEnvelopeFromJSON,
  ResponseError,
  SendingApi,
  WebhookEventFromJSON,
} from './generated';

const [basePath = '', accessToken = '', prefix = '', webhooks = ''] = process.argv.slice(2);
const configuration = new Configuration({ basePath, accessToken });
const sending = new SendingApi(configuration);
const contacts = new ContactsApi(configuration);
const content = { subject: 'Hello', body: '<p>Hello</p>', from: 'hello@mail.example.com' };

async function main(): Promise<void> {
  const attachments = [{ filename: 'a.txt', content: 'SGVsbG8=', contentType: 'text/plain' }];
  const one = await sending.sendingSend({
    sendEmailInput: { ...content, to: `${prefix}-1@example.com`, attachments },
  });
  const to = [{ email: `${prefix}-2@example.com` }, { email: `${prefix}-3@example.com` }];
  const two = await sending.sendingSend({ sendEmailInput: { ...content, to } });
  const list = await contacts.contactsList({ search: prefix });
  const refused = await contacts
    .contactsGet({ id: '01a1fbbb-6049-7208-955a-65aac1f35b72' })
    .then(() => undefined)
    .catch(async (error: unknown) => {
      if (!(error instanceof ResponseError)) throw error;
      return ErrorEnvelopeFromJSON(await error.response.json()).error.code;
    });
  const events = (JSON.parse(readFileSync(webhooks, 'utf8')) as unknown[]).map(WebhookEventFromJSON);
  console.log(
    JSON.stringify({
      withAttachment: one.data.emails.length,
      toList: two.data.emails.length,
      found: list.data.map(({ email }) => email),
      refused,
      kinds: events.map((event) =>
        event.kind === 'email.bounce' ? event.data.bounceType && event.kind : event.kind,
      ),
    }),
  );
}

void main();
