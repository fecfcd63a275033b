import { generateKeyPairSync } from 'node:crypto';
import { newId } from '@postrider/core/base/lib';
import { checkReputation, getSecurity } from '@postrider/core/people/reputation';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  waitingMail,
} from '@postrider/core/testing/index.ts';
import { SmtpClient } from '@postrider/core/testing/smtp-client.ts';
import { type DnsServer, startDns } from '@postrider/local/dns-server';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BounceReceiver, startBounceReceiver } from './bounce-receiver.ts';
import { addressOf, complaint, deliver, dsn, session } from './smtp-client.fixture.ts';

/** Recipients are at `people.test`, whose mail servers belong to the provider `provider.test`. */
const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const keyRecord = `v=DKIM1; k=rsa; p=${keys.publicKey.toString('base64')}`;

let dns: DnsServer;
let test: TestServices;
let project: TestProject;
let receiver: BounceReceiver;
beforeAll(async () => {
  dns = await startDns({
    records: {
      'people.test': { MX: ['10 mx1.in.provider.test'] },
      'k1._domainkey.people.test': { TXT: [keyRecord] },
      'k1._domainkey.provider.test': { TXT: [keyRecord] },
      'k1._domainkey.evil.test': { TXT: [keyRecord] },
      'testing._domainkey.people.test': { TXT: [`${keyRecord}; t=y`] },
      'other._domainkey.people.test': { TXT: [keyRecord.replace(/p=.{60}/, 'p=')] },
    },
  });
  // Email is handed to another machine, so that a client here is a stranger.
  test = await createTestServices({ env: { SMTP_URL: 'smtp://192.0.2.25:25', DNS_SERVERS: dns.address } });
  receiver = await startBounceReceiver(test.services, 0);
});
afterAll(async () => {
  await receiver.stop();
  await test.close();
  await dns.stop();
});
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const db = () => test.services.database.prisma;

async function sentMail(count: number) {
  const emails = await waitingMail(test.services, project.id, { count });
  await db().deliveryBatch.deleteMany({ where: { projectId: project.id } });
  await db().email.updateMany({
    where: { id: { in: emails.map(({ id }) => id) } },
    data: { status: 'SENT', sentAt: new Date(), batchId: null },
  });
  return emails;
}

const report = async (emailId: string, message: string, to = receiver): Promise<string> =>
  (await deliver(to.port, addressOf(test.services, emailId), message)).at(-1) ?? '';
const isUnproven = async (id: string) => (await db().email.findUniqueOrThrow({ where: { id } })).unprovenNews;

interface Signing {
  domain?: string;
  selector?: string;
  maxBodyLength?: number;
  headerList?: string;
}

async function signed(
  message: string,
  { domain = 'people.test', selector = 'k1', maxBodyLength, headerList }: Signing = {},
): Promise<string> {
  const signer = { signingDomain: domain, selector, privateKey: keys.privateKey };
  const { signatures } = await dkimSign(`${message}\r\n`, {
    canonicalization: 'relaxed/relaxed',
    ...signer,
    signatureData: [{ ...signer, ...(maxBodyLength === undefined ? {} : { maxBodyLength }) }],
    ...(headerList === undefined ? {} : { headerList }),
  });
  return signatures + message;
}

describe('a report is proven', () => {
  it.each<[string, Signing, boolean]>([
    ['the domain of the recipient', {}, true],
    ['the provider to whom its mail servers belong', { domain: 'provider.test' }, true],
    ['a stranger', { domain: 'evil.test' }, false],
    ['another key', { selector: 'other' }, false],
    ['a key that is missing', { selector: 'missing' }, false],
    ['a key in testing', { selector: 'testing' }, false],
    ['a signature that covers a part only', { maxBodyLength: 10 }, false],
    ['a signature without the type of the content', { headerList: 'From:Subject' }, false],
  ])('by the signature of %s: %j is %s', async (_name, signing, proven) => {
    const [email] = await sentMail(1);
    expect(await report(email?.id ?? '', await signed(complaint(), signing))).toMatch(/^250 /);
    expect(await isUnproven(email?.id ?? '')).toBe(!proven);
  });

  it('not when it was changed after it was signed', async () => {
    const [email] = await sentMail(1);
    const changed = (await signed(complaint())).replace('Feedback-Type: abuse', 'Feedback-Type: fraud');
    expect(await report(email?.id ?? '', changed)).toMatch(/^250 /);
    expect(await isUnproven(email?.id ?? '')).toBe(true);
  });

  it('not by the sixth signature, nor while no name server answers, within seconds', async () => {
    const [one, two] = await sentMail(2);
    const strangers = Array.from(
      { length: 5 },
      () => 'DKIM-Signature: v=1; d=evil.test; s=k1; h=from; bh=a; b=a\r\n',
    );
    expect(await report(one?.id ?? '', strangers.join('') + (await signed(complaint())))).toMatch(/^250 /);
    expect(await isUnproven(one?.id ?? '')).toBe(true);
    // A key that is known proves a report also while the mail servers of the recipient are not.
    for (const name of ['people.test', 'k1._domainkey.people.test']) dns.hang(name);
    try {
      expect(await report(two?.id ?? '', await signed(complaint()))).toMatch(/^250 /);
      expect(await isUnproven(two?.id ?? '')).toBe(true);
    } finally {
      dns.set('people.test', 'MX', ['10 mx1.in.provider.test']);
      dns.set('k1._domainkey.people.test', 'TXT', [keyRecord]);
    }
  });

  it('by the mail server that emails are handed to, if it wrote it itself', async () => {
    const config = { ...test.services.config, SMTP_URL: 'smtp://127.0.0.1:25' };
    const own = await startBounceReceiver({ ...test.services, config }, 0);
    const [written, passedOn, listed] = await sentMail(3);
    expect(
      await report(written?.id ?? '', `Received: by relay.test (Postfix) id 1\r\n${dsn()}`, own),
    ).toMatch(/^250 /);
    const foreign = 'Received: from evil.test (evil.test [198.51.100.7]) by relay.test (Postfix) id 2\r\n';
    expect(await report(passedOn?.id ?? '', foreign + dsn(), own)).toMatch(/^250 /);
    await own.stop();
    const listing = { ...test.services.config, reportSources: ['127.0.0.0/8'] };
    const other = await startBounceReceiver({ ...test.services, config: listing }, 0);
    expect(await report(listed?.id ?? '', dsn(), other)).toMatch(/^250 /);
    await other.stop();
    expect(
      await Promise.all([written, passedOn, listed].map((email) => isUnproven(email?.id ?? ''))),
    ).toEqual([false, true, false]);
  });
});

describe('an attacker', () => {
  const suppressed = () => db().suppression.count({ where: { projectId: project.id } });
  const disabledReason = async () =>
    (await db().project.findUniqueOrThrow({ where: { id: project.id } })).disabledReason;
  const check = () => checkReputation(test.services, project.id);

  it('who knows the ids of 1,000 emails but has none of them reports nothing', async () => {
    const emails = await sentMail(1_000);
    const guessing = await startBounceReceiver(test.services, 0, {
      connections: 10,
      perClient: { connections: 10, messagesPerMinute: 10_000, refusals: 100_000, refusalsMs: 60_000 },
      silenceMs: 60_000,
      connectionMs: 60_000,
      reading: 1,
    });
    const client = await session(guessing.port);
    await client.say('MAIL FROM:<>');
    const forged = (id: string, index: number): string => {
      const proof = test.services.secrets.bounceTag(newId(), 'mail.test');
      const address = addressOf(test.services, id);
      return index % 2 === 0 ? address.replace(/-[^-]*@/, '@') : address.replace(/-[^-]*@/, `-${proof}@`);
    };
    for (const [index, { id }] of emails.entries())
      expect(await client.say(`RCPT TO:<${forged(id, index)}>`)).toMatch(/^550 5\.1\.1 /);
    client.end();
    await guessing.stop();
    expect(await db().interaction.count({ where: { projectId: project.id } })).toBe(0);
  });

  it('with seven contacts and unsigned complaints stops email to these seven, and nothing else', async () => {
    const emails = await sentMail(12);
    for (const { id } of emails.slice(0, 7)) expect(await report(id, complaint())).toMatch(/^250 /);
    await check();
    expect(await suppressed()).toBe(7);
    expect(await disabledReason()).toBeNull();
    const { status } = await getSecurity.run(project.ctx, { id: project.id });
    expect(status.warnings).toEqual([
      '7 complaints in 24 hours, high for a new project, of which 7 are not proven',
    ]);
  });

  it('the same complaints, signed by the mailbox provider, disable the project', async () => {
    const emails = await sentMail(12);
    for (const { id } of emails.slice(0, 7))
      expect(await report(id, await signed(complaint()))).toMatch(/^250 /);
    await check();
    expect(await suppressed()).toBe(7);
    expect(await disabledReason()).toBe('EMAIL_REPUTATION');
  });

  it('with 50 emails to one contact complains once', async () => {
    const emails = await sentMail(50);
    const [first] = emails;
    await db().email.updateMany({
      where: { projectId: project.id },
      data: { contactId: first?.contactId ?? '', to: first?.to ?? '' },
    });
    for (const { id } of emails) expect(await report(id, await signed(complaint()))).toMatch(/^250 /);
    await check();
    expect(await disabledReason()).toBeNull();
    const { status } = await getSecurity.run(project.ctx, { id: project.id });
    expect(status.sevenDay).toMatchObject({ total: 50, complaints: 1, unprovenComplaints: 0 });
  });
});

describe('one client', () => {
  const limited = (perClient: Partial<Parameters<typeof limitsOf>[0]>) =>
    startBounceReceiver(test.services, 0, limitsOf(perClient));
  const limitsOf = (given: { messagesPerMinute?: number; refusals?: number }) => ({
    connections: 50,
    perClient: { connections: 20, messagesPerMinute: 100, refusals: 100, refusalsMs: 60_000, ...given },
    silenceMs: 60_000,
    connectionMs: 60_000,
    reading: 1,
  });

  it('sends so many messages a minute, on one connection or several', async () => {
    const own = await limited({ messagesPerMinute: 3 });
    const client = await session(own.port);
    for (let n = 0; n < 3; n += 1) {
      expect(await client.say('MAIL FROM:<>')).toMatch(/^250 /);
      await client.say('RSET');
    }
    expect(await client.say('MAIL FROM:<>')).toMatch(/^451 4\.7\.1 /);
    const other = await session(own.port);
    expect(await other.say('MAIL FROM:<>')).toMatch(/^451 4\.7\.1 /);
    client.end();
    other.end();
    await own.stop();
  });

  it('that guesses addresses is refused, now and on its next connection', async () => {
    const own = await limited({ refusals: 3 });
    const client = await session(own.port);
    await client.say('MAIL FROM:<>');
    for (let n = 0; n < 2; n += 1)
      expect(await client.say(`RCPT TO:<x${n}@bounces.mail.test>`)).toMatch(/^550 5\.1\.1 /);
    expect(await client.say('RCPT TO:<x@bounces.mail.test>')).toMatch(/^421 4\.7\.0 /);
    expect(await client.reply()).toBe('');
    expect(await new SmtpClient(own.port).reply()).toMatch(/^421 4\.7\.0 /);
    await own.stop();
  });

  it('has no limit when emails are handed to it', async () => {
    const config = { ...test.services.config, SMTP_URL: 'smtp://127.0.0.1:25' };
    const own = await startBounceReceiver(
      { ...test.services, config },
      0,
      limitsOf({ messagesPerMinute: 1, refusals: 1 }),
    );
    const client = await session(own.port);
    for (let n = 0; n < 3; n += 1) {
      expect(await client.say('MAIL FROM:<>')).toMatch(/^250 /);
      expect(await client.say('RCPT TO:<x@bounces.mail.test>')).toMatch(/^550 5\.1\.1 /);
      await client.say('RSET');
    }
    client.end();
    await own.stop();
  });
});
