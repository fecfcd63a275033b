import { generateKeyPairSync } from 'node:crypto';
import { newId } from '@postrider/core/base/lib';
import { proofOf } from '@postrider/core/mail/message';
import { listDomainNotes, operatorNotes, sweepDomainNotes } from '@postrider/core/people/domains';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
  waitingMail,
} from '@postrider/core/testing/index.ts';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BounceReceiver, startBounceReceiver } from './bounce-receiver.ts';
import { addressOf, deliver as deliverTo, session } from './smtp-client.fixture.ts';

/** The sender domain of `waitingMail`. */
const domain = 'mail.test';
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

let test: TestServices;
let project: TestProject;
let domainId: string;
let receiver: BounceReceiver;
beforeAll(async () => {
  test = await createTestServices({
    env: { MAIL_HOST: 'mx.sender.example', SMTP_URL: 'smtp://192.0.2.10:25' },
  });
  project = await createTestProject(test.services);
  domainId = await verifiedDomain(test.services, project.id, domain);
  await setMxFound(domainId, domain, true);
  const other = await verifiedDomain(test.services, project.id, 'unready.test');
  await setMxFound(other, 'unready.test', false);
  const record = `v=DKIM1; k=rsa; p=${keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
  const dns = {
    ...test.services.dns,
    txt: async (name: string) =>
      name === 's1._domainkey.senderscore.net'
        ? { kind: 'found' as const, records: [record] }
        : { kind: 'none' as const },
    mx: async () => ({ kind: 'none' as const }),
  };
  receiver = await startBounceReceiver({ ...test.services, dns } as typeof test.services, 0);
});
afterAll(async () => {
  await receiver.stop();
  await test.close();
});

const prisma = () => test.services.database.prisma;
async function setMxFound(id: string, name: string, found: boolean): Promise<void> {
  await prisma().domain.update({ where: { id }, data: { recordsFound: { [`MX bounces.${name}`]: found } } });
}
const deliver = (to: string, message: string): Promise<string[]> => deliverTo(receiver.port, to, message);
const lines = (...all: string[]): string => all.join('\r\n');

async function sentEmail() {
  const [email] = await waitingMail(test.services, project.id, { count: 1 });
  if (!email) throw new Error('no email was made');
  await prisma().deliveryBatch.delete({ where: { id: email.batchId } });
  await prisma().email.update({
    where: { id: email.id },
    data: { status: 'SENT', sentAt: new Date(), batchId: null },
  });
  return email;
}
const emailOf = (id: string) => prisma().email.findUniqueOrThrow({ where: { id } });
const contactOf = (id: string) => prisma().contact.findUniqueOrThrow({ where: { id } });
const proof = (emailId: string): string => proofOf(test.services.secrets, { emailId, domain });
/** The header of an email that this installation sent. */
const ours = (emailId: string, given = proof(emailId)): string =>
  lines(
    `X-Postrider-Email: ${emailId}`,
    `X-Postrider-Proof: ${given}`,
    `From: sender@${domain}`,
    'Subject: News',
    '',
    'Hello',
  );
const feedback = (type: string, returned: string): string =>
  lines(
    `Message-ID: <${newId()}@provider.example>`,
    'From: fbl@provider.example',
    'Subject: complaint',
    'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
    '',
    '--b',
    '',
    'This is a report.',
    '--b',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'Version: 1',
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    returned,
    '--b--',
  );
const notes = async (to?: string) =>
  (await listDomainNotes.run(project.ctx, { id: domainId, limit: 100 })).data.filter(
    (note) => !to || note.to === to,
  );

describe('addresses that every domain has', () => {
  it.each([
    `postmaster@bounces.${domain}`,
    `Abuse@BOUNCES.${domain}`,
    `fbl@bounces.${domain}`,
    'postmaster@mx.sender.example',
    'abuse@MX.sender.example',
    'fbl@mx.sender.example',
    'postmaster',
    'Postmaster',
  ])('%s takes mail', async (address) => {
    const client = await session(receiver.port);
    await client.say('MAIL FROM:<>');
    expect(await client.say(`RCPT TO:<${address}>`)).toMatch(/^250 /);
    client.end();
  });

  it.each([
    `postmaster@${domain}`,
    'abuse@bounces.unready.test',
    'fbl@bounces.stranger.test',
    `webmaster@bounces.${domain}`,
    'abuse',
    'fbl@sender.example',
    `fbl@bounces.bounces.${domain}`,
  ])('%s takes none', async (address) => {
    const client = await session(receiver.port);
    await client.say('MAIL FROM:<>');
    expect(await client.say(`RCPT TO:<${address}>`)).toMatch(/^5/);
    client.end();
  });
});

describe('a report to them', () => {
  it.each([`fbl@bounces.${domain}`, `abuse@bounces.${domain}`, 'fbl@mx.sender.example', 'postmaster'])(
    'at %s is about the email that it returns with its proof',
    async (address) => {
      const email = await sentEmail();
      const before = await notes();
      expect((await deliver(address, feedback('abuse', ours(email.id)))).at(-1)).toMatch(/^250 /);
      expect(await emailOf(email.id)).toMatchObject({ status: 'COMPLAINED', unprovenNews: true });
      expect(await notes()).toEqual(before);
    },
  );

  it('is found by a Return-Path of ours, also in a part that has the header alone, in base64', async () => {
    const email = await sentEmail();
    const returned = Buffer.from(
      `Return-Path: <${addressOf(test.services, email.id)}>\r\nSubject: x\r\n`,
    ).toString('base64');
    const message = feedback('abuse', '').replace(
      /Content-Type: message\/rfc822\r\n\r\n/,
      `Content-Type: text/rfc822-headers\r\nContent-Transfer-Encoding: base64\r\n\r\n${returned}`,
    );
    await deliver('fbl@mx.sender.example', message);
    expect(await emailOf(email.id)).toMatchObject({ status: 'COMPLAINED' });
  });

  it.each([
    ['opt-out', { status: 'SENT' }, { subscribed: false }],
    ['Opt-Out-List', { status: 'SENT' }, { subscribed: false }],
    ['not-spam', { status: 'SENT' }, { subscribed: true }],
    ['fraud', { status: 'COMPLAINED' }, { subscribed: false }],
  ])('of the type %s', async (type, email, contact) => {
    const sent = await sentEmail();
    await prisma().contact.update({
      where: { id: sent.contactId },
      data: { subscribed: true, consentSeq: 1n },
    });
    await deliver('fbl@mx.sender.example', feedback(type, ours(sent.id)));
    expect(await emailOf(sent.id)).toMatchObject(email);
    expect(await contactOf(sent.contactId)).toMatchObject(contact);
    const suppressed = await prisma().suppression.count({ where: { email: sent.to } });
    expect(suppressed).toBe(type === 'fraud' ? 1 : 0);
  });

  it.each([
    ['without a proof', (id: string) => ours(id, '')],
    ['with the proof of another email', (id: string) => ours(id, proof(newId()))],
    ['of an email that does not exist', () => ours(newId())],
    ['that returns nothing of ours', () => 'Subject: other\r\n\r\nHello'],
  ])('%s is a note, and changes nothing', async (_, returned) => {
    const email = await sentEmail();
    await deliver(`abuse@bounces.${domain}`, feedback('abuse', returned(email.id)));
    expect(await emailOf(email.id)).toMatchObject({ status: 'SENT' });
    expect((await notes('abuse'))[0]).toMatchObject({ from: 'fbl@provider.example', subject: 'complaint' });
  });

  it('about an email of another domain is a note', async () => {
    const email = await sentEmail();
    const second = await verifiedDomain(test.services, project.id, 'second.test');
    await setMxFound(second, 'second.test', true);
    await deliver('fbl@bounces.second.test', feedback('abuse', ours(email.id)));
    expect(await emailOf(email.id)).toMatchObject({ status: 'SENT' });
    expect((await listDomainNotes.run(project.ctx, { id: second, limit: 10 })).data).toHaveLength(1);
  });
});

describe('a feedback service that sends no report', () => {
  const letter = (emailId: string): string =>
    lines(
      'From: feedbackloop@senderscore.net',
      'Subject: Fwd: News',
      `Message-ID: <${newId()}@senderscore.net>`,
      'Date: Thu, 1 Jan 2026 00:00:00 +0000',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'A reader has marked this as spam.',
      '--b',
      'Content-Type: message/rfc822',
      '',
      ours(emailId),
      '--b--',
      '',
    );
  const signed = async (message: string): Promise<string> => {
    const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const signature = { signingDomain: 'senderscore.net', selector: 's1', privateKey };
    const { signatures } = await dkimSign(message, {
      ...signature,
      canonicalization: 'relaxed/relaxed',
      signatureData: [signature],
    });
    return signatures + message;
  };

  it.each([
    ['to the feedback address', () => 'fbl@mx.sender.example'],
    ['to the envelope sender', (id: string) => addressOf(test.services, id)],
  ])('%s, signed: a complaint, which is proven', async (_, address) => {
    const email = await sentEmail();
    await deliver(address(email.id), await signed(letter(email.id)));
    expect(await emailOf(email.id)).toMatchObject({ status: 'COMPLAINED', unprovenNews: false });
  });

  it('without its signature: a note, or an unknown message', async () => {
    const email = await sentEmail();
    const broken = (await signed(letter(email.id))).replace('marked this', 'marked  that');
    await deliver('fbl@mx.sender.example', letter(email.id));
    await deliver(addressOf(test.services, email.id), broken);
    expect(await emailOf(email.id)).toMatchObject({ status: 'SENT' });
    expect((await operatorNotes(test.services))[0]).toMatchObject({ to: 'fbl', subject: 'Fwd: News' });
  });
});

describe('notes', () => {
  it('have From, subject and the first 2,000 characters, once, of the newest 50, for 30 days', async () => {
    for (let n = 1; n <= 55; n += 1) {
      const message = lines(
        'From: =?utf-8?Q?Reader?= <reader@people.example>',
        `Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?= ${n}`,
        `Message-ID: <${n}@people.example>`,
        '',
        `Please stop.\r\n${'x'.repeat(3_000)}`,
      );
      await deliver(`postmaster@bounces.${domain}`, message);
      if (n === 55) await deliver(`postmaster@bounces.${domain}`, message);
    }
    const found = await notes();
    expect(found.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 50 }, (_, at) => `Grüße ${55 - at}`),
    );
    expect(found[0]).toMatchObject({ to: 'postmaster', from: 'reader@people.example' });
    expect(found[0]?.text).toMatch(/^Please stop\.\r?\nx+$/);
    expect(found[0]?.text).toHaveLength(2_000);
    const first = await listDomainNotes.run(project.ctx, { id: domainId, limit: 20 });
    expect(first).toMatchObject({ hasMore: true, total: 50 });
    const next = await listDomainNotes.run(project.ctx, {
      id: domainId,
      limit: 100,
      cursor: first.cursor ?? '',
    });
    expect([...first.data, ...next.data]).toEqual(found);
    expect(await sweepDomainNotes(test.services, new Date(Date.now() + 29 * 86_400_000), 1_000)).toBe(0);
    await sweepDomainNotes(test.services, new Date(Date.now() + 31 * 86_400_000), 1_000);
    expect(await notes()).toEqual([]);
  });

  it('of another project’s domain are not found', async () => {
    const stranger = await createTestProject(test.services);
    await expect(listDomainNotes.run(stranger.ctx, { id: domainId, limit: 10 })).rejects.toMatchObject({
      code: 'DOMAIN_NOT_FOUND',
    });
  });

  it('with what a database cannot store, and an email of the platform itself', async () => {
    expect(
      (await deliver('abuse@mx.sender.example', 'From: a\0b\r\nSubject: \0\r\n\r\n\0 text \ud800')).at(-1),
    ).toMatch(/^250 /);
    const email = await sentEmail();
    expect((await deliver('abuse@mx.sender.example', ours(email.id))).at(-1)).toMatch(/^554 5\.4\.6 /);
  });
});
