import { generateKeyPairSync } from 'node:crypto';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { storeContent } from '../ledger/content.store.ts';
import type { NewContent } from '../ledger/content.ts';
import { readBounceAddress } from '../message/index.ts';
import { type EmailToCompose, MessageFactory } from './message-factory.ts';
import { SigningKeys } from './signing-keys.ts';

let test: TestServices;
let project: TestProject;
let factory: MessageFactory;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  factory = newFactory();
});

const newFactory = (services = test.services): MessageFactory =>
  new MessageFactory(services, new SigningKeys(services, { signs: false }));

const endless = `{% for a in (1..1000000) %}{% for b in (1..1000) %}{% if ${'1 and '.repeat(500)} 1 %}{% endif %}{% endfor %}{% endfor %}`;

const store = (given: Partial<NewContent>, projectId = project.id): Promise<string> =>
  storeContent(test.services.database.prisma, {
    projectId,
    type: 'TRANSACTIONAL',
    sourceType: 'TRANSACTIONAL',
    subject: 'For {{name}}',
    preheader: null,
    body: '<p>Dear {{name}}</p>',
    from: 'sender@mail.test',
    fromName: null,
    replyTo: null,
    text: null,
    headers: {},
    projectName: 'Project',
    language: 'en',
    attachments: [],
    ...given,
  });

const emailTo = (contentId: string, name: string, given: Partial<EmailToCompose> = {}): EmailToCompose => ({
  id: newId(),
  to: `${name}@people.test`,
  toName: null,
  sourceType: 'TRANSACTIONAL',
  contentId,
  vars: { name },
  tracked: false,
  unprovenOwner: null,
  contactId: newId(),
  contactEmail: null,
  contactSubscribed: true,
  contactData: null,
  acceptedSubscribed: null,
  toOther: false,
  shared: null,
  campaignId: null,
  domainId: null,
  ...given,
});

async function read(result: Awaited<ReturnType<MessageFactory['compose']>>[number] | undefined) {
  if (!result || !('mime' in result)) throw new Error(JSON.stringify(result ?? 'no result'));
  const { subject, html } = await PostalMime.parse(result.mime);
  return { to: result.envelope.to, subject, html: html?.trim(), stored: result.subject };
}

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `reader${index}`);
const limitedAt = async (id: string) =>
  (await test.services.database.prisma.content.findUniqueOrThrow({ where: { id } })).limitedAt;
const notices = () =>
  test.services.database.prisma.email.findMany({ where: { sourceType: 'SYSTEM' }, select: { to: true } });
const ownerAddress = async () =>
  (await test.services.database.prisma.user.findUniqueOrThrow({ where: { id: project.ownerId } })).email;

describe('the envelope sender', () => {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const privateKeyPem = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const senderWith = async (recordsFound: Record<string, boolean>) => {
    const domainId = await verifiedDomain(test.services, project.id, 'mail.test', {
      privateKeyPem,
      algorithm: 'rsa-sha256',
    });
    await test.services.database.prisma.domain.update({ where: { id: domainId }, data: { recordsFound } });
    const email = emailTo(await store({}), 'ann', { domainId });
    const [result] = await factory.compose([email]);
    if (!result || !('mime' in result)) throw new Error(JSON.stringify(result ?? 'no result'));
    const { from, headers } = await PostalMime.parse(result.mime);
    const proof = headers.find(({ key }) => key === 'x-postrider-proof')?.value;
    return { from: result.envelope.from, id: email.id, header: from?.address, proof };
  };

  it('receives bounces where the MX record of the domain was found', async () => {
    const { from, id, header, proof } = await senderWith({ 'MX bounces.mail.test': true });
    expect(readBounceAddress(test.services.secrets, from)).toEqual({ emailId: id, domain: 'mail.test' });
    expect(from).toContain(`-${proof}@`);
    expect(header).toBe('sender@mail.test');
  });

  it('receives bounces from the next email on, once the MX record is found', async () => {
    const domainId = await verifiedDomain(test.services, project.id, 'later.test', {
      privateKeyPem,
      algorithm: 'rsa-sha256',
    });
    const contentId = await store({ from: 'sender@later.test' });
    const sender = async () => {
      const [result] = await factory.compose([emailTo(contentId, 'ann', { domainId })]);
      return result && 'mime' in result ? result.envelope.from : null;
    };
    expect(await sender()).toBe('sender@later.test');
    await test.services.database.prisma.domain.update({
      where: { id: domainId },
      data: { recordsFound: { 'MX bounces.later.test': true } },
    });
    await expect.poll(sender, { timeout: 60_000 }).toMatch(/@bounces\.later\.test$/);
  });

  it.each<Record<string, boolean>>([{}, { 'MX bounces.mail.test': false }])(
    'is the from address with %j',
    async (found) => {
      expect((await senderWith(found)).from).toBe('sender@mail.test');
    },
  );
});

describe('a batch of emails', () => {
  it('becomes messages in its order, whatever their contents', async () => {
    const [a, b] = [
      await store({}),
      await store({ subject: 'News', body: '{% if name %}Yes, {{name}}{% endif %}' }),
    ];
    const emails = names(40).map((name, index) => emailTo(index % 3 === 0 ? b : a, name));
    const messages = await Promise.all((await factory.compose(emails)).map(read));
    expect(messages).toEqual(
      names(40).map((name, index) => ({
        to: `${name}@people.test`,
        subject: index % 3 === 0 ? 'News' : `For ${name}`,
        stored: index % 3 === 0 ? null : `For ${name}`,
        html: expect.stringContaining(index % 3 === 0 ? `Yes, ${name}` : `<p>Dear ${name}</p>`),
      })),
    );
  });

  it('is signed with the key of its domain', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const privateKeyPem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const domainId = await verifiedDomain(test.services, project.id, `d${project.id}.test`, {
      privateKeyPem,
      algorithm: 'rsa-sha256',
    });
    const contentId = await store({});
    const [signed, plain] = await factory.compose([
      emailTo(contentId, 'ann', { domainId }),
      emailTo(contentId, 'bob'),
    ]);
    const headers = async (result: typeof signed) =>
      result && 'mime' in result ? (await PostalMime.parse(result.mime)).headers.map(({ key }) => key) : [];
    expect(await headers(signed)).toContain('dkim-signature');
    expect(await headers(plain)).not.toContain('dkim-signature');
  });

  it('fails for emails without a content or with one that is no template, not for others', async () => {
    const [fine, broken] = [await store({}), await store({ body: '{% if %}' })];
    const results = await factory.compose([emailTo(newId(), 'a'), emailTo(broken, 'b'), emailTo(fine, 'c')]);
    expect(results[0]).toEqual({ error: 'its content is no longer stored' });
    expect(results[1]).toEqual({ error: expect.any(String) });
    expect((await read(results[2])).subject).toBe('For c');
  });

  it('is not composed, and does not fail, while the database is away', async () => {
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const database = {
      ...test.services.database,
      durable: { query: () => Promise.reject(away) },
    };
    const stopped = newFactory({ ...test.services, database } as unknown as TestServices['services']);
    await expect(stopped.compose([emailTo(newId(), 'a')])).rejects.toBe(away);
  });

  it('of large messages is composed in parts', async () => {
    const contentId = await store({ body: `<p>{{name}}</p>${'x'.repeat(1_500_000)}` });
    const messages = await factory.compose(names(12).map((name) => emailTo(contentId, name)));
    const sizes = messages.map((message) => ('mime' in message ? message.mime.length : 0));
    expect(Math.min(...sizes)).toBeGreaterThan(1_500_000);
  });
});

describe('a content that takes too long to render', () => {
  it('is filled in for every recipient, by every process from then on, and its project is told once a day', async () => {
    const contentId = await store({ subject: 'Hi {{name}}', body: `<p>Dear {{name}}</p>${endless}` });
    const messages = await Promise.all(
      (await factory.compose(names(40).map((name) => emailTo(contentId, name)))).map(read),
    );
    expect(messages.map(({ subject }) => subject)).toEqual(names(40).map((name) => `Hi ${name}`));
    expect(messages.every(({ html }) => html?.includes('<p>Dear reader'))).toBe(true);
    const since = await limitedAt(contentId);
    expect(since).toBeInstanceOf(Date);
    expect(await notices()).toEqual([{ to: await ownerAddress() }]);

    const other = await store({ body: `other ${endless}` });
    await factory.compose([emailTo(other, 'a')]);
    await newFactory().compose([emailTo(contentId, 'later')]);
    expect(await limitedAt(other)).toBeInstanceOf(Date);
    expect(await limitedAt(contentId)).toEqual(since);
    expect(await notices()).toHaveLength(1);
  });

  it('as the third of an owner within an hour has new ones of all its projects filled in without a try, for an hour', async () => {
    const { prisma } = test.services.database;
    const { id: other } = await createTestProject(test.services);
    await prisma.member.updateMany({ where: { projectId: other }, data: { userId: project.ownerId } });
    const { id: neighbour } = await createTestProject(test.services);
    const body = 'Dear {{name}}{{name | upcase}}';
    const before = await store({ body: `before: ${body}` });
    for (const [index, of] of [project.id, other, project.id].entries()) {
      expect(test.services.owners.fillsInPlainly(project.id, new Date())).toBe(false);
      await factory.compose([emailTo(await store({ body: `strike ${index} ${endless}` }, of), 'a')]);
    }
    // The first of a project's day, twice, and the third of the hour.
    const to = await ownerAddress();
    expect((await notices()).filter((notice) => notice.to === to)).toHaveLength(3);

    const text = async (contentId: string) =>
      (await read((await newFactory().compose([emailTo(contentId, 'ann')]))[0])).html;
    test.services.owners.forget(other);
    const after = await Promise.all([project.id, other, neighbour].map((of) => store({ body }, of)));
    expect(await Promise.all(after.map(text))).toEqual([
      expect.stringMatching(/Dear ann$/m),
      expect.stringMatching(/Dear ann$/m),
      expect.stringMatching(/Dear annANN$/m),
    ]);
    expect(await Promise.all(after.map(limitedAt))).toEqual([null, null, null]);
    expect(await text(before)).toContain('before: Dear annANN');

    await prisma.plainSpan.update({ where: { userId: project.ownerId }, data: { until: new Date() } });
    test.services.owners.forget(project.id);
    expect(await text(await store({ body: `later: ${body}` }))).toContain('later: Dear annANN');
  });

  it('reaches its limit once, however many calls ask for its messages at the same time', async () => {
    const contentId = await store({ body: `together ${endless}` });
    const run = vi.spyOn(test.services.threads, 'run');
    const calls = names(16).map((name) => factory.compose([emailTo(contentId, name)]));
    expect((await Promise.all(calls)).flat().every((message) => 'mime' in message)).toBe(true);
    const ends = await Promise.allSettled(run.mock.results.map(({ value }) => value));
    run.mockRestore();
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });

  it('does not delay the messages of another project', async () => {
    const neighbour = await createTestProject(test.services);
    const slow = await Promise.all(names(3).map((name) => store({ body: `${name} ${endless}` })));
    const fine = await store({}, neighbour.id);
    const order: string[] = [];
    const attack = factory
      .compose(slow.map((contentId) => emailTo(contentId, 'a')))
      .then(() => order.push('attack'));
    for (let round = 0; round < 5; round++) await factory.compose([emailTo(fine, 'b')]);
    order.push('neighbour');
    await attack;
    expect(order).toEqual(['neighbour', 'attack']);
  });
});
