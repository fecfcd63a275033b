import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  verify,
} from 'node:crypto';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import DKIM from 'nodemailer/lib/dkim';
import { describe, expect, test } from 'vitest';
import { createDkimSigner, type MessageContent, type MessageRecipient, prepareMessage } from './index.ts';
import { makeContent, makeRecipient, testLinks } from './prepare-message.fixtures.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');

/** A signed message; its body has white space that the canonical form changes. */
async function signed(
  privateKey: KeyObject,
  content: Partial<MessageContent> = {},
  recipient: MessageRecipient = makeRecipient({ name: 'Kim' }),
): Promise<Buffer> {
  const prepared = prepareMessage(
    makeContent({
      body: '<p>Hello  {{name}}</p>\n\n\t<p>x </p>',
      type: 'MARKETING',
      subject: `Long ${'subject '.repeat(20)}é`,
      ...content,
    }),
    testLinks,
  );
  const signer = createDkimSigner({ domain: 'shop.example', selector: 'pr1', privateKey });
  const [message] = await prepared.composeAll([recipient], { signer });
  return message?.mime ?? Buffer.alloc(0);
}

/** A verifier after RFC 6376 and RFC 8463, independent of the signer. */
function isValid(mime: Buffer, publicKey: KeyObject): boolean {
  const raw = mime.toString('latin1');
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const fields = head.split(/\r\n(?=[^ \t])/).map((field) => {
    const [, name = '', value = ''] = /^([^:]*):([\s\S]*)$/.exec(field) ?? [];
    return { name: name.trim().toLowerCase(), value };
  });
  const relaxed = (value: string): string =>
    value
      .replace(/\r\n(?=[ \t])/g, '')
      .replace(/[ \t]+/g, ' ')
      .trim();
  const signature = fields.find((field) => field.name === 'dkim-signature');
  if (!signature) return false;
  const tags = new Map(
    signature.value.split(';').map((tag) => {
      const at = tag.indexOf('=');
      return [tag.slice(0, at).trim(), tag.slice(at + 1).replace(/\s/g, '')] as const;
    }),
  );
  const body = rest
    .join('\r\n\r\n')
    .split('\r\n')
    .map((line) => line.replace(/[ \t]+$/, '').replace(/[ \t]+/g, ' '))
    .join('\r\n')
    .replace(/(\r\n)*$/, '');
  const bodyHash = createHash('sha256')
    .update(body === '' ? '' : `${body}\r\n`, 'latin1')
    .digest('base64');
  if (bodyHash !== tags.get('bh')) return false;

  const left = [...fields];
  let input = '';
  for (const name of (tags.get('h') ?? '').split(':')) {
    const at = left.findLastIndex((field) => field.name === name.toLowerCase());
    if (at === -1) continue;
    input += `${name.toLowerCase()}:${relaxed(left[at]?.value ?? '')}\r\n`;
    left.splice(at, 1);
  }
  input += `dkim-signature:${relaxed(signature.value.replace(/\bb=[^;]*$/, 'b='))}`;
  const given = Buffer.from(tags.get('b') ?? '', 'base64');
  return tags.get('a') === 'ed25519-sha256'
    ? verify(null, createHash('sha256').update(input, 'latin1').digest(), publicKey, given)
    : verify('sha256', Buffer.from(input, 'latin1'), publicKey, given);
}

describe.each([
  ['rsa-sha256', rsa],
  ['ed25519-sha256', ed25519],
])('%s', (algorithm, { privateKey, publicKey }) => {
  test('a signed message verifies', async () => {
    const mime = await signed(privateKey);
    expect(mime.toString('latin1')).toContain(`a=${algorithm}; c=relaxed/relaxed; d=shop.example;`);
    expect(isValid(mime, publicKey)).toBe(true);
    expect(
      Math.max(
        ...mime
          .toString('latin1')
          .split('\r\n')
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(78);
  });

  test.each([
    ['the body', 'Kim', 'Tim'],
    ['the subject', 'Subject: ', 'Subject: Re: '],
    ['the recipient', 'kim@', 'tim@'],
    ['the opt-out', 'List-Unsubscribe: <https', 'List-Unsubscribe: <http'],
    ['a second From', 'From: ', 'From: evil@example.com\r\nFrom: '],
  ])('a change of %s breaks it', async (_what, from, to) => {
    const mime = (await signed(privateKey)).toString('latin1');
    const changed = mime.replace(from, to);
    expect(changed).not.toBe(mime);
    expect(isValid(Buffer.from(changed, 'latin1'), publicKey)).toBe(false);
  });

  test('white space changed by a relay does not break the signature', async () => {
    const mime = (await signed(privateKey)).toString('latin1');
    const relayed = mime.replace('To: kim', 'To:   kim').replace(/(\r\n)+$/, '\r\n\r\n\r\n');
    expect(isValid(Buffer.from(relayed, 'latin1'), publicKey)).toBe(true);
  });

  test('an independent library verifies the signature', async () => {
    const der = publicKey.export({ type: 'spki', format: 'der' });
    const [kind, key] = algorithm === 'rsa-sha256' ? ['rsa', der] : ['ed25519', der.subarray(-32)];
    const resolver = async (name: string): Promise<string[][]> => {
      expect(name).toBe('pr1._domainkey.shop.example');
      return [[`v=DKIM1; k=${kind}; p=${key.toString('base64')}`]];
    };
    const { results } = await dkimVerify(await signed(privateKey), { resolver });
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({
      status: { result: 'pass', aligned: 'shop.example' },
      algo: algorithm,
    });
  });

  test('messages of every shape verify', async () => {
    const attachment = { contentType: 'text/plain', disposition: 'attachment' as const };
    const name = '  Kim\t \n é  .';
    const shapes: [Partial<MessageContent>, MessageRecipient?][] = [
      [{ body: '' }],
      [{ body: ' ' }],
      [{ body: '\n\n<html> \n a  b\t\n \n</html>\n\n' }, makeRecipient({ name })],
      [{ body: '<pre>{{name}}</pre> {{name}}  {{missing}}  x', tracking: true }, makeRecipient({ name })],
      [{ body: '{% if name %}  <p>\t{{name}} </p>{% endif %}' }, makeRecipient({ name })],
      [{ type: 'TRANSACTIONAL', body: '<a href="{{unsubscribeUrl}}">x</a>' }],
      [{ type: 'TRANSACTIONAL', subject: 'Hi  {{name}}' }, makeRecipient({ name })],
      [
        { headers: { 'Reply-To': 'a@b.example', 'REPLY-TO': 'c@d.example', Cc: 'x@y.example', 'X-A': '1' } },
        makeRecipient({}, { to: 'kïm@münchen.example', toName: '  Kim  "K"  ' }),
      ],
      [
        {
          attachments: [
            { ...attachment, filename: 'a  b.txt', content: Buffer.from('x'.repeat(500)) },
            { ...attachment, filename: 'c.txt', content: Buffer.alloc(0) },
          ],
        },
      ],
    ];
    for (const [content, recipient] of shapes) {
      const mime = await signed(privateKey, content, recipient);
      expect(isValid(mime, publicKey), JSON.stringify(content)).toBe(true);
    }
  });
});

test('the body hash is the one that nodemailer computes', async () => {
  const mime = await signed(rsa.privateKey);
  const unsigned = mime.subarray(mime.indexOf('\r\nFrom: ') + 2);
  const key = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const theirs = new DKIM({ domainName: 'shop.example', keySelector: 'pr1', privateKey: key }).sign(unsigned);
  let output = '';
  for await (const chunk of theirs) output += String(chunk);
  const hashOf = (text: string): string | undefined => /bh=([^;]*);/.exec(text)?.[1]?.replace(/\s/g, '');
  expect(hashOf(output)).toBeDefined();
  expect(hashOf(mime.toString('latin1'))).toBe(hashOf(output));
});

/** RFC 8463 appendix A: its key pair, so that a signature does not depend on Node's own key format alone. */
test('the example key of RFC 8463 signs', async () => {
  const seed = Buffer.from('nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=', 'base64');
  const privateKey = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(privateKey);
  expect(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')).toBe(
    '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
  );
  expect(isValid(await signed(privateKey), publicKey)).toBe(true);
});

test('keys of other types are refused', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  for (const key of [privateKey, publicKey, rsa.publicKey]) {
    expect(() => createDkimSigner({ domain: 'a.example', selector: 's', privateKey: key })).toThrow(
      TypeError,
    );
  }
});

test.each(['Hello  {{name}}\n\n.', ' \n', 'a\n\n'])(
  'a message of the text %j alone has a valid signature',
  async (text) => {
    const mime = await signed(rsa.privateKey, { body: '', text, type: 'TRANSACTIONAL' });
    expect(isValid(mime, rsa.publicKey)).toBe(true);
  },
);
