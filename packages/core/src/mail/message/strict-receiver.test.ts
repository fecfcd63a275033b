import { generateKeyPairSync } from 'node:crypto';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { createDkimSigner, type MessageContent, type MessageRecipient, prepareMessage } from './index.ts';
import { makeContent, makeRecipient, testLinks } from './prepare-message.fixtures.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
const signer = createDkimSigner({ domain: 'shop.example', selector: 'pr1', privateKey });
const campaignId = '01900000-0000-7000-8000-0000000000ca';

async function compose(content: Partial<MessageContent>, recipient: MessageRecipient): Promise<Buffer> {
  const prepared = prepareMessage(makeContent(content), testLinks);
  const [message] = await prepared.composeAll([recipient], { signer });
  return message?.mime ?? Buffer.alloc(0);
}

interface Field {
  name: string;
  value: string;
}

/** RFC 5322 2.1 and 3.6 and RFC 2045 6.7 and 6.8, without any tolerance. */
function strictHead(mime: Buffer): Field[] {
  const raw = mime.toString('latin1');
  expect(raw).toMatch(/^[\t\r\n -~]*$/);
  expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  const lines = raw.split('\r\n');
  // A longer line is allowed up to 998 characters where nothing can be folded.
  for (const line of lines)
    expect(line.length, line).toBeLessThanOrEqual(/^[!-9;-~]+: [!-~]+$/.test(line) ? 998 : 78);
  const end = raw.indexOf('\r\n\r\n');
  const fields = raw
    .slice(0, end)
    .split(/\r\n(?![ \t])/)
    .map((field): Field => {
      const [, name, value] = /^([!-9;-~]+):([\s\S]*)$/.exec(field) ?? [];
      expect(name, field).toBeDefined();
      expect(value?.split('\r\n').every((line) => line.trim() !== '')).toBe(true);
      return { name: (name ?? '').toLowerCase(), value: (value ?? '').replaceAll('\r\n', '').trim() };
    });
  for (const once of ['from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'reply-to'])
    expect(fields.filter(({ name }) => name === once).length, once).toBe(1);
  const body = raw.slice(end + 4);
  for (const part of body.split(/\r\n(?=--)/).filter((text) => /encoding: quoted-printable/i.test(text))) {
    const encoded = part.slice(part.indexOf('\r\n\r\n') + 4);
    expect(encoded).not.toMatch(/=(?![0-9A-F]{2}|\r\n)|[ \t]\r\n/);
    for (const line of encoded.split('\r\n')) expect(line.length).toBeLessThanOrEqual(76);
  }
  return fields;
}

const long = `${'A sentence that does not end, '.repeat(80)}${'x'.repeat(3_000)}`;
const attachment = {
  filename: 'Größe und Maß — ein sehr langer Name für eine Datei, der gefaltet wird.pdf',
  contentType: 'application/pdf',
  disposition: 'attachment' as const,
  content: Buffer.alloc(5_000, 7),
};

const cases = (['MARKETING', 'HEADLESS', 'TRANSACTIONAL'] as const).flatMap((type) =>
  (['TRANSACTIONAL', 'CAMPAIGN', 'TEST'] as const).flatMap((sourceType) =>
    [false, true].map((isFull): [string, Partial<MessageContent>] => [
      `${type} of ${sourceType}${isFull ? ', with all that is unusual' : ''}`,
      {
        type,
        sourceType,
        tracking: true,
        ...(isFull
          ? {
              subject: `Grüße an {{name}} 🌷 ${'und noch etwas '.repeat(12)}`,
              fromName: 'Jürgen “Jo” Öztürk, 日本語の名前の長いテキスト、もう少し長い',
              projectName: 'Läden & Söhne, 花屋 und weitere Namen von außerordentlicher Länge',
              replyTo: 'jo@bücher.example',
              headers: { 'X-Note': `Übergröße ${'wörter '.repeat(30)}` },
              attachments: [attachment],
              body: `<p>Hé {{name}}, ${long}</p><p><a href="https://shop.example/?q=ü">Süß</a></p><pre>${long}</pre>`,
            }
          : {}),
      },
    ]),
  ),
);

describe.each(cases)('%s', (_name, content) => {
  it('is a strict message with a valid signature, and readable as it was written', async () => {
    const recipient = makeRecipient({ name: 'Zoë 🌻' }, { toName: 'Zoë Müller, “Ze” 王', campaignId });
    const mime = await compose(content, recipient);
    const fields = strictHead(mime);

    const { results } = await dkimVerify(mime, {
      resolver: async (name: string) =>
        name === 'pr1._domainkey.shop.example' ? [[record]] : Promise.reject(new Error('ENOTFOUND')),
    });
    expect(results.map(({ status }) => status.result)).toEqual(['pass']);

    const parsed = await PostalMime.parse(mime);
    expect(parsed.to).toEqual([{ name: 'Zoë Müller, “Ze” 王', address: 'kim@example.org' }]);
    expect(parsed.from?.name).toBe(content.fromName ?? content.projectName ?? 'Shop');
    if (content.attachments) {
      expect(parsed.subject).toContain('Grüße an Zoë 🌻 🌷 und noch');
      expect(parsed.text).toContain('x'.repeat(3_000));
      expect(parsed.attachments.map(({ filename }) => filename)).toEqual([attachment.filename]);
    }

    const signed = /h=([^;]*);/
      .exec(fields.find(({ name }) => name === 'dkim-signature')?.value ?? '')?.[1]
      ?.toLowerCase()
      .split(/\s*:\s*/);
    const isOfCampaign = content.sourceType !== 'TRANSACTIONAL';
    for (const name of ['list-id', 'feedback-id']) {
      expect(fields.filter((field) => field.name === name).length).toBe(isOfCampaign ? 1 : 0);
      expect(signed?.includes(name) ?? false).toBe(isOfCampaign);
    }
  });
});

describe('List-Id and Feedback-ID', () => {
  const headerOf = async (
    name: string,
    content: Partial<MessageContent>,
    more: Partial<MessageRecipient> = {},
  ) =>
    strictHead(await compose(content, makeRecipient({}, more))).find((field) => field.name === name)?.value;

  it('name the list of the project, and the campaign, project, kind and sender', async () => {
    const content = { sourceType: 'CAMPAIGN', type: 'MARKETING' } as const;
    const projectId = '01900000-0000-7000-8000-00000000000a';
    expect(await headerOf('list-id', content)).toBe(`Shop <${projectId}.shop.example>`);
    expect(await headerOf('feedback-id', content, { campaignId })).toBe(
      `${campaignId}:${projectId}:campaign:postrider`,
    );
  });

  it('are those of the caller, if given', async () => {
    const headers = { 'list-id': '<news.shop.example>', 'FEEDBACK-ID': 'a:b:c:sender' };
    const content = { sourceType: 'CAMPAIGN', type: 'MARKETING', headers } as const;
    expect(await headerOf('list-id', content)).toBe('<news.shop.example>');
    expect(await headerOf('feedback-id', content, { campaignId })).toBe('a:b:c:sender');
  });
});
