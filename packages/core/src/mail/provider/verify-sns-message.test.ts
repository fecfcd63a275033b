import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CoreConfig, Services } from '../../base/kernel/index.ts';
import { makeCertificate } from '../../testing/certificates.ts';
import { type SnsFields, type SnsStandIn, startSnsStandIn } from '../../testing/sns-stand-in.ts';
import { signingKeyOf } from './sns-certificates.ts';
import { parseSnsMessage } from './sns-message.rules.ts';
import { verifySnsMessage } from './verify-sns-message.ts';

const hour = 60 * 60_000;
const now = Date.now();

let sns: SnsStandIn;
beforeAll(async () => {
  sns = await startSnsStandIn();
});
afterAll(() => sns.close());
beforeEach(() => sns.asked.splice(0));

/** That of the messages of the stand-in. */
const topic = 'arn:aws:sns:eu-central-1:123456789012:mail';

async function isAccepted(body: string, topics: string[] = [topic]): Promise<boolean> {
  const message = parseSnsMessage(body);
  if (!message) throw new Error('the body is JSON');
  const config = { snsTopicArns: topics } as unknown as CoreConfig;
  const log = { warn: () => undefined } as unknown as Services['log'];
  // A copy per call, so that no test profits from the certificates of another.
  return verifySnsMessage({ config, log, http: { ...sns.http } }, message).then(
    () => true,
    (error: { code?: string }) => {
      if (error.code !== 'FORBIDDEN') throw error;
      return false;
    },
  );
}

/** A message of which one field was changed after it was signed. */
const forged = (field: string, value: string | undefined, fields: SnsFields = {}): string =>
  JSON.stringify({ ...(JSON.parse(sns.signed(fields)) as object), [field]: value });

describe('a signed message is accepted', () => {
  it.each(['1', '2'] as const)('by signature version %s', async (version) => {
    expect(await isAccepted(sns.signed({}, { version }))).toBe(true);
    expect(await isAccepted(sns.signed({ Subject: 'Amazon SES' }, { version }))).toBe(true);
    const confirmation = { Type: 'SubscriptionConfirmation', Token: 't', SubscribeURL: 'https://x.example/' };
    expect(await isAccepted(sns.signed(confirmation, { version }))).toBe(true);
    expect(
      await isAccepted(sns.signed({ ...confirmation, Type: 'UnsubscribeConfirmation' }, { version })),
    ).toBe(true);
  });

  it('of a topic that is listed, and without a list of none', async () => {
    expect(await isAccepted(sns.signed({}), [])).toBe(false);
    expect(await isAccepted(sns.signed({}), [topic])).toBe(true);
    expect(await isAccepted(sns.signed({}), [`${topic}2`])).toBe(false);
    expect(await isAccepted(sns.signed({ TopicArn: undefined }), [topic])).toBe(false);
  });

  it('with the key of a chain of certificates', async () => {
    const issuer = makeCertificate({ name: 'issuer' });
    const by = makeCertificate({ name: 'sns.amazonaws.com', issuer });
    sns.files.set('/chain.pem', by.pem + issuer.pem);
    const SigningCertURL = 'https://sns.eu-central-1.amazonaws.com/chain.pem';
    expect(await isAccepted(sns.signed({ SigningCertURL }, { by }))).toBe(true);
  });
});

describe('a message is refused', () => {
  it.each([
    ['another text', 'Message', '{"x":1}'],
    ['another id', 'MessageId', '00000000-0000-4000-8000-000000000000'],
    ['another topic', 'TopicArn', 'arn:aws:sns:eu-central-1:123456789012:other'],
    ['another time', 'Timestamp', '2020-01-01T00:00:00.000Z'],
    ['a subject', 'Subject', 'added'],
    ['another type', 'Type', 'SubscriptionConfirmation'],
    ['no signature', 'Signature', undefined],
    ['an empty signature', 'Signature', ''],
    ['a signature that is no base64', 'Signature', '!!!'],
    ['the other version', 'SignatureVersion', '1'],
    ['a version that does not exist', 'SignatureVersion', '3'],
    ['no version', 'SignatureVersion', undefined],
    ['no certificate', 'SigningCertURL', undefined],
  ])('with %s', async (_name, field, value) => {
    expect(await isAccepted(forged(field, value))).toBe(false);
  });

  it.each([
    'https://evil.example/SimpleNotificationService-test.pem',
    'http://sns.eu-central-1.amazonaws.com/SimpleNotificationService-test.pem',
    'https://sns.s3.amazonaws.com/SimpleNotificationService-test.pem',
  ])('without asking for the certificate %s', async (SigningCertURL) => {
    expect(await isAccepted(sns.signed({ SigningCertURL }))).toBe(false);
    expect(sns.asked).toEqual([]);
  });

  it.each(['AAAA', 'invalid-signature', 'A'.repeat(340), `${'A'.repeat(400)}!`])(
    'without asking for the certificate when the signature is %s',
    async (Signature) => {
      expect(await isAccepted(forged('Signature', Signature))).toBe(false);
      expect(sns.asked).toEqual([]);
    },
  );

  it.each([
    ['by another key', () => ({ by: makeCertificate({ name: 'sns.amazonaws.com' }), file: undefined })],
    [
      'by an expired certificate',
      () => {
        const by = makeCertificate({
          name: 'old',
          notBefore: new Date(now - 2 * hour),
          notAfter: new Date(now - hour),
        });
        return { by, file: by.pem };
      },
    ],
    [
      'by a certificate of the future',
      () => {
        const by = makeCertificate({
          name: 'new',
          notBefore: new Date(now + hour),
          notAfter: new Date(now + 2 * hour),
        });
        return { by, file: by.pem };
      },
    ],
    [
      'by a certificate that its chain did not issue',
      () => {
        const by = makeCertificate({
          name: 'sns.amazonaws.com',
          issuer: makeCertificate({ name: 'issuer' }),
        });
        return { by, file: by.pem + makeCertificate({ name: 'issuer' }).pem };
      },
    ],
    ['when the certificate is missing', () => ({ by: undefined, file: 404 })],
    ['when the certificate is somewhere else', () => ({ by: undefined, file: 302 })],
    ['when the file is no certificate', () => ({ by: undefined, file: 'hello' })],
  ])('%s', async (_name, make) => {
    const { by, file } = make();
    if (file !== undefined) sns.files.set('/special.pem', file);
    const SigningCertURL =
      file === undefined ? undefined : 'https://sns.eu-central-1.amazonaws.com/special.pem';
    const fields = SigningCertURL === undefined ? {} : { SigningCertURL };
    expect(await isAccepted(sns.signed(fields, by && { by }))).toBe(false);
  });

  it.each([
    ['missing', undefined],
    ['no time', 'yesterday'],
    ['15 days old', new Date(now - 15 * 24 * hour).toISOString()],
    ['an hour ahead', new Date(now + hour).toISOString()],
  ])('whose time is %s', async (_name, Timestamp) => {
    expect(await isAccepted(sns.signed({ Timestamp }))).toBe(false);
  });

  it('not when its time is of the last 14 days, or a little ahead', async () => {
    for (const age of [0, 13 * 24 * hour, -hour / 6])
      expect(await isAccepted(sns.signed({ Timestamp: new Date(now - age).toISOString() }))).toBe(true);
  });

  it('for the moment, when the host of the certificate cannot be reached or cannot prove itself by TLS', async () => {
    const SigningCertURL = sns.certificateUrl.replace('eu-central-1', 'us-east-1');
    await expect(isAccepted(sns.signed({ SigningCertURL }))).rejects.toMatchObject({
      code: 'INTERNAL_SERVER_ERROR',
    });
    expect(sns.asked).toEqual([]);
  });
});

describe('a certificate', () => {
  it('is fetched once, also by messages that arrive together, and again after a day', async () => {
    const http = { ...sns.http };
    await Promise.all([1, 2, 3].map(() => signingKeyOf(http, sns.certificateUrl, now)));
    await signingKeyOf(http, sns.certificateUrl, now + 23 * hour);
    expect(sns.asked).toHaveLength(1);
    sns.files.set('/day.pem', makeCertificate({ name: 'x', notAfter: new Date(now + 48 * hour) }).pem);
    const url = 'https://sns.eu-central-1.amazonaws.com/day.pem';
    await signingKeyOf(http, url, now);
    await signingKeyOf(http, url, now + 25 * hour);
    expect(sns.asked).toHaveLength(3);
  });

  it('that could not be fetched is asked for again by the next message', async () => {
    const http = { ...sns.http };
    const url = 'https://sns.eu-central-1.amazonaws.com/later.pem';
    await expect(signingKeyOf(http, url, now)).rejects.toThrow('answered with 404');
    sns.files.set('/later.pem', makeCertificate({ name: 'x' }).pem);
    await expect(signingKeyOf(http, url, now)).resolves.toBeDefined();
  });
});
