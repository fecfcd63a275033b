import { generateKeyPairSync } from 'node:crypto';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { createDkimSigner, type MessageContent, prepareMessage } from './index.ts';
import { makeContent, makeRecipient, testLinks } from './prepare-message.fixtures.ts';

const now = new Date('2026-03-01T09:30:00.000Z');
const recipient = makeRecipient({ name: 'A & B <c>' });
const compose = (content: Partial<MessageContent>) =>
  prepareMessage(makeContent(content), testLinks).compose(recipient, now).mime.toString();
const lines = (text: string | undefined) => text?.replaceAll('\r\n', '\n').trimEnd();

describe('a text that is written for itself', () => {
  it.each([
    ['<p>Hello {{name}}</p>', 'flat HTML'],
    ['<p>Hello {% if name %}{{name}}{% endif %}</p>', 'HTML with tags'],
  ])('replaces the generated one beside %s, and is not escaped (%s)', async (body) => {
    const { text, html } = await PostalMime.parse(compose({ body, text: 'Dear {{name}},\r\n\r\n  <b>' }));
    expect(lines(text)).toBe('Dear A & B <c>,\n\n  <b>');
    expect(html).toContain('A &amp; B &lt;c&gt;');
  });

  it('gets the footer of its type', async () => {
    const { text } = await PostalMime.parse(compose({ text: 'News\n\n', type: 'MARKETING' }));
    expect(lines(text)).toMatch(
      /^News\n\n.*because you are subscribed to Shop\. Manage your subscription \(https:.*\/manage\)$/s,
    );
  });

  it('is a template only where the content is', async () => {
    const { text } = await PostalMime.parse(compose({ text: '{{name}} {% if', literal: true }));
    expect(lines(text)).toBe('{{name}} {% if');
  });
});

describe('a message of its text alone', () => {
  const alone = { body: '', text: 'Dear {{name}}\nhttps://shop.example/a' };

  it('is one part of plain text, in which nothing is tracked', async () => {
    const prepared = prepareMessage(makeContent({ ...alone, tracking: true }), testLinks);
    const mime = prepared.compose(recipient, now).mime.toString();
    expect(mime).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/m);
    expect(mime).not.toMatch(/multipart|text\/html|\/t\/[oc]\//);
    expect(mime.endsWith('/a\r\n')).toBe(true);
    expect(prepared.linkTable).toEqual([]);
    const email = await PostalMime.parse(mime);
    expect(email.html).toBeUndefined();
    expect(lines(email.text)).toBe('Dear A & B <c>\nhttps://shop.example/a');
    expect(prepared.preview(recipient)).toMatchObject({
      html: null,
      text: 'Dear A & B <c>\nhttps://shop.example/a',
    });
  });

  it('has its attachments beside it', async () => {
    const attachment = {
      filename: 'a.txt',
      contentType: 'text/x-a',
      content: Buffer.from('A'),
      contentId: 'a',
    };
    const mime = compose({
      ...alone,
      attachments: [
        { ...attachment, disposition: 'inline' },
        { ...attachment, disposition: 'attachment' },
      ],
    });
    const email = await PostalMime.parse(mime);
    expect(email.attachments.map(({ disposition }) => disposition)).toEqual(['attachment', 'attachment']);
    expect(lines(email.text)).toBe('Dear A & B <c>\nhttps://shop.example/a');
    expect(mime).toMatch(/^Content-Type: multipart\/mixed/m);
  });

  it.each(['', ' \n\n', 'a\n\n \n'])(
    'of %j ends with one line end, as its signature has it',
    async (text) => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
      const signer = createDkimSigner({ domain: 'shop.example', selector: 's', privateKey });
      const [message] = await prepareMessage(
        makeContent({ body: '', text, literal: true }),
        testLinks,
      ).composeAll([recipient], { signer, now });
      const mime = message?.mime.toString() ?? '';
      expect(mime.slice(mime.indexOf('\r\n\r\n') + 4)).toBe(text.trim() === '' ? '\r\n' : 'a\r\n');
    },
  );

  it('asks to opt out where it names the page', () => {
    expect(compose(alone)).not.toContain('List-Unsubscribe');
    expect(compose({ ...alone, text: '{{unsubscribeUrl}}' })).toContain('List-Unsubscribe: <');
    expect(compose({ ...alone, type: 'MARKETING' })).toContain('List-Unsubscribe: <');
  });
});
