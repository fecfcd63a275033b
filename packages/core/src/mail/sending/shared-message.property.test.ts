import { type Sink, startSink } from '@postrider/local/sink';
import fc from '@postrider/vitest/fast-check.ts';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { drained, withDelivery } from '../delivery/delivery.fixture.ts';
import { decodeLink } from '../message/index.ts';
import { sendEmail } from './send-email.ts';

/** `SHARED_MESSAGES=500` generates as many; every address gets a message, about eight of each. */
const count = Number(process.env.SHARED_MESSAGES ?? 40);

let sink: Sink;
let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  sink = await startSink({ keepRaw: true });
  test = await createTestServices({ env: { SMTP_URL: sink.url } });
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});
afterAll(async () => {
  await test.close();
  await sink.stop();
});

interface Mailbox {
  local: string;
  name: string | null;
}

interface Shared {
  to: Mailbox[];
  cc: Mailbox[];
  bcc: Mailbox[];
  together: boolean;
  tracking: boolean;
  subject: string;
  replyTo: string[];
  suppressed: number[];
  asText: boolean;
}

const displayName = fc.constantFrom(
  null,
  null,
  'Ann',
  'Änn Müller',
  'The Boss, Inc.',
  'O"Neil (sales)',
  '東京 支店',
  'x'.repeat(70),
  'Bcc: hidden',
);
/** Few names, so that an address stands in several fields and several times in one. */
const mailbox: fc.Arbitrary<Mailbox> = fc.record({
  local: fc.constantFrom(
    ...Array.from('abcdefghijkl', (letter) => `box-${letter}`),
    'long.name-with+tag',
    "o'hara",
  ),
  name: displayName,
});
const list = (minLength: number, maxLength: number) => fc.array(mailbox, { minLength, maxLength });
const common = {
  tracking: fc.boolean(),
  subject: fc.constantFrom('Order', 'Bestellung für {{name ?? friend}}', 'x'.repeat(120)),
  replyTo: fc.constantFrom<string[]>([], ['team@shop.test'], ['Support <a@shop.test>', 'b@shop.test']),
  suppressed: fc.uniqueArray(fc.nat({ max: 6 }), { maxLength: 2 }),
  asText: fc.boolean(),
};
const shared: fc.Arbitrary<Shared> = fc.oneof(
  fc
    .record({ to: list(1, 1), cc: list(0, 8), bcc: list(0, 8), together: fc.boolean(), ...common })
    .filter(({ cc, bcc, together }) => together || cc.length + bcc.length > 0),
  fc.record({ to: list(1, 8), cc: list(0, 8), bcc: list(0, 8), together: fc.constant(true), ...common }),
);

type Place = 'TO' | 'CC' | 'BCC';
interface Recipient {
  address: string;
  name: string | null;
  place: Place;
}

/** The different addresses by their first place, in the order of the fields. */
function recipientsOf(run: number, { to, cc, bcc }: Shared): Recipient[] {
  const found = new Map<string, Recipient>();
  const add = (place: Place, boxes: Mailbox[]): void => {
    for (const { local, name } of boxes) {
      const address = `${local}@p${run}.test`;
      if (!found.has(address)) found.set(address, { address, name, place });
    }
  };
  add('TO', to);
  add('CC', cc);
  add('BCC', bcc);
  return [...found.values()];
}

const given = (run: number, boxes: Mailbox[]) =>
  boxes.map(({ local, name }) => ({ email: `${local}@p${run}.test`, ...(name === null ? {} : { name }) }));

const headersOf = (raw: string): Map<string, string[]> => {
  const lines = raw.slice(0, raw.indexOf('\r\n\r\n')).split(/\r\n(?![ \t])/);
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(line.indexOf(':') + 2)]);
  }
  return headers;
};

it(`the bytes of the messages of ${count} shared messages: one for each address, To, Cc and Message-ID the same in all, and nothing of bcc`, async () => {
  const prisma = test.services.database.prisma;
  const cases = fc.sample(shared, count);
  const made = [];
  for (const [run, each] of cases.entries()) {
    const recipients = recipientsOf(run, each);
    const suppressed = each.suppressed.flatMap((index) => recipients[index]?.address ?? []);
    await prisma.suppression.createMany({
      data: suppressed.map((email) => ({ projectId: project.id, email, reason: 'MANUAL' as const })),
    });
    const { emails } = await sendEmail.runRaw(project.ctx, {
      to: given(run, each.to),
      cc: given(run, each.cc),
      bcc: given(run, each.bcc),
      from: 'Shop <team@shop.test>',
      subject: each.subject,
      ...(each.asText
        ? { text: 'Hello {{email}} {{unsubscribeUrl}}' }
        : {
            body: '<p>{{email}}</p><a href="https://shop.test/o">Order</a> <a href="{{unsubscribeUrl}}">Stop</a>',
          }),
      ...(each.together ? { together: true } : {}),
      ...(each.replyTo.length > 0 ? { replyTo: each.replyTo } : {}),
      tracking: each.tracking,
    });
    expect(emails.map(({ to, recipientType }) => [to, recipientType])).toEqual(
      recipients.map(({ address, place }) => [address, place]),
    );
    made.push({ each, recipients, suppressed: new Set(suppressed), emails });
  }
  await withDelivery(test.services, sink.url, () => drained(test.services, project.id, 600_000));

  const messages = sink.messages();
  const byEmail = Map.groupBy(messages, ({ emailId }) => emailId);
  let expectedMessages = 0;
  for (const { each, recipients, suppressed, emails } of made) {
    const hidden = recipients.filter(({ place }) => place === 'BCC');
    const copyNames = recipients.filter(({ place }) => place === 'CC');
    const toNames = recipients.filter(({ place }) => place === 'TO');
    let common: (string[] | undefined)[] | null = null;
    for (const [index, { address, place }] of recipients.entries()) {
      const received = byEmail.get(emails[index]?.email ?? '') ?? [];
      expect(received).toHaveLength(suppressed.has(address) ? 0 : 1);
      const [message] = received;
      if (!message) continue;
      expectedMessages += 1;
      const { raw = '', to: envelope, from } = message;
      const headers = headersOf(raw);
      // The envelope is that of the address alone, with a return-path of its own.
      expect(envelope).toEqual([address]);
      expect(from).not.toBe('');
      // What all messages of the shared message have in common, byte for byte.
      const now = ['from', 'to', 'cc', 'message-id', 'subject', 'reply-to'].map((name) => headers.get(name));
      common ??= now;
      expect(now).toEqual(common);
      expect(headers.get('message-id')).toEqual([`<${emails[0]?.email}@shop.test>`]);
      expect(headers.has('bcc')).toBe(false);
      for (const [name, values] of headers)
        if (!['received', 'dkim-signature'].includes(name)) expect([name, values.length]).toEqual([name, 1]);
      const parsed = await PostalMime.parse(raw);
      const named = (list: typeof parsed.to) =>
        (list ?? []).map((one) => ({ address: one.address, name: one.name === '' ? null : one.name }));
      const wanted = (all: Recipient[]) => all.map((one) => ({ address: one.address, name: one.name }));
      expect(named(parsed.to)).toEqual(wanted(toNames));
      expect(named(parsed.cc)).toEqual(wanted(copyNames));
      expect(parsed.bcc ?? []).toEqual([]);
      for (const bcc of hidden) {
        expect(raw.includes(bcc.address)).toBe(false);
        expect(`${parsed.html ?? ''}${parsed.text ?? ''}`.includes(bcc.address)).toBe(false);
      }
      // Filled in once, for the first recipient.
      const text = `${parsed.html ?? ''}${parsed.text ?? ''}`;
      expect(text.replaceAll('&#39;', "'")).toContain(recipients[0]?.address);
      if (place !== 'TO') expect(headers.has('list-unsubscribe')).toBe(false);
      const tokens = [...text.matchAll(/\/u\/([\w.~-]+)/g)].map(([, token = '']) => token);
      expect(tokens).not.toEqual([]);
      for (const token of tokens) {
        const link = decodeLink(test.services.secrets, token);
        expect(link).toMatchObject({ kind: 'preferences' });
        expect(link?.kind === 'preferences' && link.contactId === null).toBe(place !== 'TO');
      }
      if (!each.tracking) expect(raw.includes('/t/o/')).toBe(false);
    }
  }
  expect(messages).toHaveLength(expectedMessages);
}, 600_000);
