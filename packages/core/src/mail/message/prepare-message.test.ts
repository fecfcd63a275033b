import PostalMime, { type Email } from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { MAIL_LANGUAGES } from '../../base/lib/index.ts';
import { type MessageContent, type MessageRecipient, prepareMessage } from './index.ts';
import { makeContent, makeRecipient, testLinks } from './prepare-message.fixtures.ts';

const now = new Date('2026-03-01T09:30:00.000Z');

function compose(content: Partial<MessageContent>, recipient: MessageRecipient = makeRecipient()): Buffer {
  return prepareMessage(makeContent(content), testLinks).compose(recipient, now).mime;
}

async function parse(content: Partial<MessageContent>, recipient?: MessageRecipient): Promise<Email> {
  return PostalMime.parse(compose(content, recipient));
}

function header(email: Email, name: string): string | undefined {
  return email.headers.find((line) => line.key === name.toLowerCase())?.value;
}

/** Every value of the headers that concern automatic replies. */
const automatic = (email: Email): string[][] =>
  ['auto-submitted', 'x-auto-response-suppress'].map((name) =>
    email.headers.filter(({ key }) => key === name).map(({ value }) => value),
  );

describe('headers of every message', () => {
  test('sender, recipient, subject, date, id', async () => {
    const email = await parse(
      { subject: 'Hi {{name}}', from: 'news@shop.example', fromName: 'The Shop' },
      makeRecipient({ name: 'Kim' }, { toName: 'Kim K.' }),
    );
    expect(email.from).toEqual({ name: 'The Shop', address: 'news@shop.example' });
    expect(email.to).toEqual([{ name: 'Kim K.', address: 'kim@example.org' }]);
    expect(email.subject).toBe('Hi Kim');
    expect(email.date).toBe('2026-03-01T09:30:00.000Z');
    expect(email.messageId).toBe('<01900000-0000-7000-8000-000000000001@shop.example>');
    expect(header(email, 'X-Postrider-Email')).toBe('01900000-0000-7000-8000-000000000001');
    expect(header(email, 'X-Postrider-Proof')).toBe('abcdefghij');
    expect(header(email, 'MIME-Version')).toBe('1.0');
    expect(header(email, 'X-Postrider-Test')).toBeUndefined();
  });

  test('a sender without a name gets the project’s; Reply-To defaults to the sender', async () => {
    const email = await parse({ projectName: 'Ünïcode & Söhne' });
    expect(email.from).toEqual({ name: 'Ünïcode & Söhne', address: 'news@shop.example' });
    expect(email.replyTo).toEqual([{ name: '', address: 'news@shop.example' }]);
    expect((await parse({ replyTo: 'help@shop.example' })).replyTo?.[0]?.address).toBe('help@shop.example');
  });

  test('several addresses for replies are one header', async () => {
    const replyTo = `"Help, now" <a@shop.example>, ${'Jörg '.repeat(20).trim()} <b@shop.example>, c@xn--mller-kva.example`;
    const mime = compose({ replyTo }).toString();
    expect(mime).toMatch(/^Reply-To: "Help, now" <a@shop\.example>,\r\n =\?UTF-8\?/m);
    for (const line of mime.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78);
    expect((await PostalMime.parse(mime)).replyTo).toEqual([
      { name: 'Help, now', address: 'a@shop.example' },
      { name: 'Jörg '.repeat(20).trim(), address: 'b@shop.example' },
      { name: '', address: 'c@xn--mller-kva.example' },
    ]);
  });

  test('a test email is marked as one, and has the headers of campaigns', async () => {
    for (const type of ['MARKETING', 'HEADLESS', 'TRANSACTIONAL'] as const) {
      const email = await parse({ sourceType: 'TEST', type: type });
      expect(header(email, 'X-Postrider-Test')).toBe('true');
      expect(header(email, 'Precedence')).toBe('bulk');
    }
  });

  test('headers that callers may not set are not sent, even if stored', async () => {
    const headers = {
      'X-SMTPAPI': '{}',
      'x-ses-configuration-set': 'other',
      'ARC-Seal': 'i=1',
      Received: 'x',
      'X-Ok': 'yes',
    };
    const email = await parse({ headers });
    expect(Object.keys(headers).map((name) => header(email, name))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'yes',
    ]);
  });

  test('names and subjects in any script, with quotes, of any length', async () => {
    const name = 'Przemysław "Żółw", 株式会社 — 🎉';
    const subject = `${'Długi temat 件名 '.repeat(30)}🎉`;
    const email = await parse(
      { subject, from: 'news@shop.example', fromName: name },
      makeRecipient({}, { toName: `${name} \\ (x) <y@z.example>` }),
    );
    expect(email.from?.name).toBe(name);
    expect(email.to?.[0]).toEqual({ name: `${name} \\ (x) <y@z.example>`, address: 'kim@example.org' });
    expect(email.subject).toBe(subject);
  });

  test('non-ASCII domains become punycode', async () => {
    const email = await parse(
      { from: 'news@bücher.example', fromName: 'B' },
      makeRecipient({}, { to: 'kim@münchen.example' }),
    );
    expect(email.from?.address).toBe('news@xn--bcher-kva.example');
    expect(email.to?.[0]?.address).toBe('kim@xn--mnchen-3ya.example');
    expect(email.messageId).toContain('@xn--bcher-kva.example>');
  });
});

describe('header injection', () => {
  const evil = 'x\r\nBcc: victim@example.com\r\n\r\n<script>';

  test('subject, names, addresses and header values lose line ends', async () => {
    const email = await parse(
      {
        subject: 'Hi {{name}}',
        from: 'news@shop.example',
        fromName: evil,
        replyTo: `help@shop.example${evil}`,
        headers: { 'X-Own': evil },
        attachments: [
          {
            filename: `a${evil}.txt`,
            contentType: `text/plain${evil}`,
            disposition: 'inline',
            contentId: `i${evil}`,
            content: Buffer.from('a'),
          },
        ],
      },
      makeRecipient({ name: evil }, { toName: evil, to: `kim@example.org${evil}` }),
    );
    expect(header(email, 'bcc')).toBeUndefined();
    expect(email.bcc).toBeUndefined();
    expect(email.subject).toBe('Hi xBcc: victim@example.com<script>');
    expect(email.html).toContain('<p>Hello</p>');
    expect(email.attachments).toHaveLength(1);
    expect(email.to).toHaveLength(1);
  });

  test('an unusual address stays one address', async () => {
    const email = await parse({}, makeRecipient({}, { to: 'a>,<b@x.example>,c d@example.org' }));
    expect(email.to).toHaveLength(1);
  });

  test('an invalid header name is refused, reserved names are not overridden', async () => {
    expect(() => compose({ headers: { 'X: y\r\nBcc': 'x' } })).toThrow(TypeError);
    const email = await parse({
      headers: { 'message-id': '<x@y>', From: 'a@b.example', 'X-Postrider-Email': 'x' },
    });
    expect(email.messageId).toContain('01900000');
    expect(email.from?.address).toBe('news@shop.example');
    expect(header(email, 'X-Postrider-Email')).toContain('01900000');
  });
});

describe('List-Unsubscribe and automatic email', () => {
  const oneClick = '<https://api.example.net/u/contact-1.0001>';

  test('MARKETING has all the headers', async () => {
    const email = await parse({ type: 'MARKETING' });
    expect(header(email, 'List-Unsubscribe')).toBe(oneClick);
    expect(header(email, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(header(email, 'Precedence')).toBe('bulk');
  });

  test.each(['HEADLESS', 'TRANSACTIONAL'] as const)('%s only with a link in the HTML', async (kind) => {
    expect(header(await parse({ type: kind }), 'List-Unsubscribe')).toBeUndefined();
    for (const html of [
      '<a href="{{unsubscribeUrl}}">x</a>',
      '{{manageUrl}}',
      '{{unsubscribeUrl ?? none}}',
      '{% if true %}{{ manageUrl }}{% endif %}',
    ]) {
      const email = await parse({ type: kind, body: html });
      expect(header(email, 'List-Unsubscribe')).toBe(oneClick);
      expect(header(email, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    }
    expect(header(await parse({ type: kind, body: '{{subscribeUrl}}' }), 'List-Unsubscribe')).toBeUndefined();
  });

  test('email of every type and source says that no person wrote it', async () => {
    for (const type of ['MARKETING', 'HEADLESS', 'TRANSACTIONAL'] as const)
      for (const sourceType of ['TRANSACTIONAL', 'CAMPAIGN', 'WORKFLOW', 'TEST'] as const)
        for (const more of [{}, { toOther: true }, { literal: true }])
          expect(automatic(await parse({ type, sourceType, ...more }))).toEqual([
            ['auto-generated'],
            ['DR, RN, NRN, OOF, AutoReply'],
          ]);
  });

  test.each(['no', 'No', ' NO ', 'no (written by hand)', 'no; by=kim'])(
    'a letter, Auto-Submitted: %s, may be answered by programs',
    async (value) => {
      for (const name of ['Auto-Submitted', 'auto-submitted', 'AUTO-SUBMITTED'])
        for (const type of ['MARKETING', 'TRANSACTIONAL'] as const)
          expect(automatic(await parse({ type, headers: { [name]: value } }))).toEqual([[value.trim()], []]);
    },
  );

  test.each(['auto-replied', 'auto-notified', 'none', 'not-a-keyword', 'x-no'])(
    'another value of Auto-Submitted, %s, replaces ours alone',
    async (value) => {
      expect(automatic(await parse({ headers: { 'auto-submitted': value } }))).toEqual([
        [value],
        ['DR, RN, NRN, OOF, AutoReply'],
      ]);
    },
  );

  test('X-Auto-Response-Suppress of the caller is sent, in a letter too', async () => {
    const headers = { 'x-auto-response-suppress': 'OOF' };
    expect(automatic(await parse({ headers }))).toEqual([['auto-generated'], ['OOF']]);
    expect(automatic(await parse({ headers: { ...headers, 'Auto-Submitted': 'no' } }))).toEqual([
      ['no'],
      ['OOF'],
    ]);
  });

  test('campaigns of every type are marked as bulk, single emails are not', async () => {
    const campaign = await parse({ type: 'TRANSACTIONAL', sourceType: 'CAMPAIGN' });
    expect(header(campaign, 'Precedence')).toBe('bulk');
    for (const source of ['TRANSACTIONAL', 'WORKFLOW'] as const) {
      expect(header(await parse({ type: 'HEADLESS', sourceType: source }), 'Precedence')).toBeUndefined();
    }
  });

  test('headers of the caller replace defaults in any case; either unsubscribe header drops both', async () => {
    const email = await parse({
      type: 'MARKETING',
      headers: {
        'list-unsubscribe': '<mailto:x@y.example>',
        PRECEDENCE: 'list',
        'reply-to': 'me@y.example',
        'X-A': 'é',
      },
    });
    expect(header(email, 'List-Unsubscribe')).toBe('<mailto:x@y.example>');
    expect(header(email, 'List-Unsubscribe-Post')).toBeUndefined();
    expect(email.headers.filter((line) => line.key === 'precedence').map((line) => line.value)).toEqual([
      'list',
    ]);
    expect(email.replyTo?.[0]?.address).toBe('me@y.example');
    expect(header(email, 'X-A')).toBe('=?UTF-8?B?w6k=?=');
  });
});

test('email to another person than the contact offers no opt-out of the contact', async () => {
  const body = '<p>New order</p><a href="{{manageUrl}}">x</a>';
  for (const type of ['MARKETING', 'HEADLESS', 'TRANSACTIONAL'] as const)
    for (const html of [body, `${body}{% if true %}!{% endif %}`]) {
      const email = await parse({ type, body: html, toOther: true });
      expect(header(email, 'List-Unsubscribe')).toBeUndefined();
      expect(header(email, 'List-Unsubscribe-Post')).toBeUndefined();
      expect(email.html).not.toContain('<hr>');
    }
});

describe('the footer', () => {
  test('comes before the last </body> with rule, project and manage link, in text too', async () => {
    const html = '<html><body><p>A</p></BODY ></html>';
    const email = await parse({ type: 'MARKETING', body: html, projectName: '<Shop> & Co' });
    expect(email.html).toMatch(
      /<p>A<\/p>\s*<hr>\s*<p[^>]*>You receive this email because you are subscribed to &lt;Shop&gt; &amp; Co\. <a href="https:\/\/api\.example\.net\/u\/contact-1\.0001\/manage"[^>]*>Manage your subscription<\/a><\/p>\s*<\/BODY ><\/html>/,
    );
    expect(email.text).toContain(
      '---\n\nYou receive this email because you are subscribed to <Shop> & Co. ' +
        'Manage your subscription (https://api.example.net/u/contact-1.0001/manage)',
    );
  });

  test('comes at the end without a </body>', async () => {
    const email = await parse({ type: 'MARKETING', body: '<html><p>A</p>' });
    expect(email.html).toMatch(/<p>A<\/p>\s*<hr>[\s\S]*<\/p>\s*$/);
  });

  test.each(['HEADLESS', 'TRANSACTIONAL'] as const)('%s has none', async (kind) => {
    expect((await parse({ type: kind })).html).not.toContain('<hr>');
  });

  test('has eleven languages; the region is ignored, unknown languages fall back', async () => {
    const footers = new Set<string>();
    for (const locale of MAIL_LANGUAGES) {
      const email = await parse({ type: 'MARKETING' }, makeRecipient({}, { locale: `${locale}-XX` }));
      footers.add(email.text?.split('---')[1] ?? '');
      expect(email.text).toContain('Shop');
    }
    expect(footers.size).toBe(11);
    const dutch = await parse({ type: 'MARKETING', language: 'nl' }, makeRecipient({}, { locale: 'xx' }));
    expect(dutch.text).toContain('Beheer je inschrijving');
    const english = await parse({ type: 'MARKETING', language: 'sv' });
    expect(english.text).toContain('Manage your subscription');
  });
});

describe('email of a topic', () => {
  const topic = { key: 'product-news', name: { en: 'Product {project} $& news', de: 'Neues <hier>' } };
  const general = { key: 'general', name: { en: 'News and offers' } };

  test.each(['MARKETING', 'HEADLESS', 'TRANSACTIONAL'] as const)(
    'can be left with one click, and is a list of its own: %s',
    async (type) => {
      const email = await parse({ type, topic, body: '<p>Nothing to leave by</p>' });
      expect(header(email, 'List-Unsubscribe')).toBe('<https://api.example.net/u/contact-1.0001>');
      expect(header(email, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
      expect(header(email, 'List-Id')).toBe(
        'Product {project} $& news <product-news.01900000-0000-7000-8000-00000000000a.shop.example>',
      );
    },
  );

  test('is told by its headers alone, not by those of general or of another person', async () => {
    for (const content of [{ topic: general }, { topic: null }, { topic, toOther: true }]) {
      const email = await parse({ type: 'TRANSACTIONAL', ...content });
      expect(header(email, 'List-Unsubscribe')).toBeUndefined();
      expect(header(email, 'List-Id')).toBeUndefined();
    }
    const ofCampaign = await parse({ type: 'MARKETING', sourceType: 'CAMPAIGN', topic: general });
    expect(header(ofCampaign, 'List-Id')).toBe('Shop <01900000-0000-7000-8000-00000000000a.shop.example>');
  });

  test('is named by the footer, in the language of the recipient', async () => {
    const inGerman = await parse({ type: 'MARKETING', topic }, makeRecipient({}, { locale: 'de-AT' }));
    expect(inGerman.html).toContain('bei Shop für „Neues &lt;hier&gt;“ angemeldet');
    expect(inGerman.text).toContain('bei Shop für „Neues <hier>“ angemeldet');
    const inFrench = await parse({ type: 'MARKETING', topic }, makeRecipient({}, { locale: 'fr' }));
    expect(inFrench.text).toContain('abonné à « Product {project} $& news » de Shop');
    expect((await parse({ type: 'MARKETING', topic: general })).text).toContain('subscribed to Shop.');
  });

  test('has a footer in eleven languages', async () => {
    const footers = new Set<string>();
    for (const locale of MAIL_LANGUAGES) {
      const email = await parse({ type: 'MARKETING', topic }, makeRecipient({}, { locale }));
      expect(email.text).toContain(locale === 'de' ? 'Neues <hier>' : 'Product {project} $& news');
      footers.add(email.text?.split('---')[1] ?? '');
    }
    expect(footers.size).toBe(11);
  });
});

describe('the postal address', () => {
  const postalAddress = '1 Main Street & Sons, London';
  const last = async (content: Partial<MessageContent>) =>
    (await parse({ type: 'MARKETING', postalAddress, ...content })).text?.trim().split('\n').at(-1);

  test('is the end of the footer', async () => {
    expect(await last({})).toBe(postalAddress);
    const html = (await parse({ type: 'MARKETING', postalAddress })).html;
    expect(html).toContain('<br>1 Main Street &amp; Sons, London</p>');
    expect(await last({ text: 'Hello' })).toBe(postalAddress);
    expect(await last({ body: '', text: 'Hello' })).toBe(postalAddress);
  });

  test('is not there twice, and is only in a footer', async () => {
    const count = async (content: Partial<MessageContent>) =>
      (await parse({ type: 'MARKETING', postalAddress, ...content })).html?.split('Main Street').length;
    expect(await count({ body: '<p>1 Main Street &amp; Sons, London</p>' })).toBe(2);
    expect(await count({ body: `<p>${postalAddress}</p>` })).toBe(2);
    expect(await count({ type: 'HEADLESS' })).toBe(1);
    expect(await count({ toOther: true })).toBe(1);
  });
});

describe('structure', () => {
  test('text made from the HTML, then the HTML, both in quoted-printable', async () => {
    const mime = compose({
      body: '<h1>Añb</h1><p>See <a href="https://x.example/?a=1&amp;b=2">this</a></p>',
    });
    const raw = mime.toString('latin1');
    expect(raw).toMatch(/Content-Type: multipart\/alternative;[\s\S]*text\/plain[\s\S]*text\/html/);
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const email = await PostalMime.parse(mime);
    expect(email.text?.trim()).toBe('Añb\n\nSee this (https://x.example/?a=1&b=2)');
    expect(email.html).toContain('<h1>Añb</h1>');
  });

  test('an HTML fragment is wrapped, a document stays unchanged', async () => {
    expect((await parse({ body: '<p>A</p>' })).html).toMatch(
      /^<!DOCTYPE html>\s*<html lang="en">\s*<head>\s*<meta charset="utf-8">\s*<title>Hello<\/title>\s*<\/head>\s*<body>\s*<p>A<\/p>\s*<\/body>\s*<\/html>\s*$/,
    );
    expect(
      (await parse({ subject: 'For {{name}}', language: 'nl', projectName: 'A & B', body: 'A' })).html,
    ).toMatch(/<html lang="nl">\s*<head>\s*<meta charset="utf-8">\s*<title>A &amp; B<\/title>/);
    const html = '<!doctype html><HTML lang="nl"><body>A</body></HTML>';
    expect((await parse({ body: html })).html?.trim()).toBe(html);
  });

  test('values are escaped in HTML and plain in text; lists are items, or one line', async () => {
    const data = { name: `<b>"O'Neil" & co</b>`, items: ['a<', 'b'] };
    for (const html of [
      '<p>{{name}}</p><ul>{{items}}</ul>',
      '{% if 1 %}<p>{{name}}</p><ul>{{items}}</ul>{% endif %}',
    ]) {
      const email = await parse({ body: html }, makeRecipient(data));
      expect(email.html).toContain('<p>&lt;b&gt;&quot;O&#39;Neil&quot; &amp; co&lt;/b&gt;</p>');
      expect(email.html).toContain('<ul><li>a&lt;</li>\n<li>b</li></ul>');
      expect(email.text).toContain(data.name);
      expect(email.text).toContain('a<, b');
    }
  });

  test.each([
    ['white space of a value is kept in preformatted text', '<pre>{{v}}</pre>', 'a  b\n c', 'a  b\n c'],
    ['and one space elsewhere', '<p>x {{v}}</p>', 'a  b\n c', 'x a b c'],
    ['an empty value leaves no space', '<p>Hello {{v}} you</p>', '', 'Hello you'],
    ['nor a value of spaces', '<p>Hello {{v}}</p><p>you</p>', ' ', 'Hello\n\nyou'],
    ['words that are the URL are not repeated', '<a href="https://a.example">{{v}}</a>', 'https://a.example'],
    ['nor an address', '<a href="mailto:a@b.example">{{v}}</a>', 'a@b.example'],
  ])('the text part of a compiled message: %s', async (_what, body, v, expected = v) => {
    const prepared = prepareMessage(makeContent({ body }), testLinks);
    expect(prepared.isFlat).toBe(true);
    const { text } = await PostalMime.parse(prepared.compose(makeRecipient({ v })).mime);
    expect(text?.replaceAll('\r\n', '\n').trim()).toBe(expected);
  });

  test('inline attachments are next to the HTML, others around both', async () => {
    const content = Buffer.from(Array.from({ length: 1_000 }, (_, i) => i % 256));
    const mime = compose({
      body: '<img src="cid:logo@x"> {{name}}',
      attachments: [
        {
          filename: 'logo.png',
          contentType: 'image/png',
          contentId: 'logo@x',
          disposition: 'inline',
          content,
        },
        {
          filename: 'Rechnung März 2026 – für die Größten unter uns, die alles aufheben.pdf',
          contentType: 'application/pdf',
          disposition: 'attachment',
          content,
        },
        { filename: 'odd.bin', contentType: 'not a type', disposition: 'attachment', content },
      ],
    });
    const raw = mime.toString('latin1');
    expect(raw).toMatch(
      /multipart\/mixed[\s\S]*multipart\/alternative[\s\S]*text\/plain[\s\S]*multipart\/related[\s\S]*text\/html/,
    );
    const email = await PostalMime.parse(mime);
    expect(email.attachments.map((part) => [part.filename, part.mimeType, part.disposition])).toEqual([
      ['logo.png', 'image/png', 'inline'],
      [
        'Rechnung März 2026 – für die Größten unter uns, die alles aufheben.pdf',
        'application/pdf',
        'attachment',
      ],
      ['odd.bin', 'application/octet-stream', 'attachment'],
    ]);
    expect(email.attachments[0]?.contentId).toBe('<logo@x>');
    for (const part of email.attachments)
      expect(Buffer.from(part.content as ArrayBuffer).equals(content)).toBe(true);
    expect(email.html).toContain('cid:logo@x');
  });

  test('boundaries are equal for equal content', () => {
    expect(compose({})).toEqual(compose({}));
  });

  test('no line is longer than 998 characters, whatever the input', () => {
    const long = 'x'.repeat(5_000);
    const mime = compose(
      {
        subject: '{{long}}',
        body: `<p title="${long}">{{long}}</p>`,
        headers: { 'X-Long': long, 'X-Blank': `a${' '.repeat(3_000)}b` },
        attachments: [
          {
            filename: 'é'.repeat(255),
            contentType: 'image/png',
            contentId: 'é'.repeat(255),
            disposition: 'inline',
            content: Buffer.alloc(5_000),
          },
        ],
      },
      makeRecipient({ long }, { toName: long }),
    );
    const lengths = mime
      .toString('latin1')
      .split('\r\n')
      .map((line) => line.length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(998);
  });
});

describe('tracking', () => {
  const html =
    '<p>{{name}}</p><a href="https://a.example/?x=1&amp;y=2">a</a><A class=x HREF=\'http://b.example\'>b</A>' +
    '<a href=https://c.example/>c</a><a href="https://a.example/?x=1&#38;y=2">a again</a>' +
    '<a href="mailto:a@b.example">m</a><a href="tel:1">t</a><a href="#top">top</a><a name="n">n</a>' +
    '<a href="{{unsubscribeUrl}}">u</a><a href="https://api.example.net/u/other/manage">o</a>' +
    '<!-- <a href="https://hidden.example">h</a> --><link href="https://d.example">';

  test('web links become click links, all others stay unchanged', async () => {
    const prepared = prepareMessage(makeContent({ body: html, tracking: true }), testLinks);
    expect(prepared.linkTable).toEqual([
      'https://a.example/?x=1&y=2',
      'http://b.example',
      'https://c.example/',
    ]);
    const recipient = makeRecipient({ name: 'Kim' });
    const email = await PostalMime.parse(prepared.compose(recipient, now).mime);
    const click = (id: number): string => `https://api.example.net/t/c/${recipient.emailId}-${id}`;
    expect(email.html).toContain(`<a href="${click(0)}">a</a>`);
    expect(email.html).toContain(`<A class=x HREF='${click(1)}'>b</A>`);
    expect(email.html).toContain(`<a href="${click(2)}">c</a>`);
    expect(email.html).toContain(`<a href="${click(0)}">a again</a>`);
    expect(email.html).toContain(
      '<a href="mailto:a@b.example">m</a><a href="tel:1">t</a><a href="#top">top</a><a name="n">n</a>',
    );
    expect(email.html).toContain('<a href="https://api.example.net/u/contact-1.0001/unsubscribe">u</a>');
    expect(email.html).toContain('<a href="https://api.example.net/u/other/manage">o</a>');
    expect(email.html).toContain('<!-- <a href="https://hidden.example">h</a> -->');
    expect(email.html).toContain('<link href="https://d.example">');
    expect(email.html).toMatch(/<img src="https:\/\/api\.example\.net\/t\/o\/[^"]+\.gif"[^>]*><\/body>/);
    expect(email.text).toContain('a (https://a.example/?x=1&y=2)');
    expect(email.text).not.toContain('/t/');
  });

  test('the click link of a rendered URL carries the URL', async () => {
    const source =
      '<a href="https://shop.example/{{id}}">x</a>{% for l in links %}<a href="{{l}}">y</a>{% endfor %}';
    const prepared = prepareMessage(makeContent({ body: source, tracking: true }), testLinks);
    expect(prepared.linkTable).toEqual([]);
    expect(prepared.isFlat).toBe(false);
    const recipient = makeRecipient({ links: ['https://l.example/?a=1&b=2'] });
    const { html: out } = await PostalMime.parse(prepared.compose(recipient).mime);
    expect(out).toContain(encodeURIComponent('https://shop.example/contact-1'));
    expect(out).toContain(encodeURIComponent('https://l.example/?a=1&b=2'));
  });

  test('without tracking nothing is rewritten; previews never are', async () => {
    expect((await parse({ body: html })).html).toContain('https://a.example');
    const {
      html: preview,
      text,
      subject,
    } = prepareMessage(
      makeContent({ body: html, tracking: true, type: 'MARKETING', subject: 'S {{name}}' }),
      testLinks,
    ).preview(makeRecipient({ name: 'Kim' }));
    expect(preview).toContain('https://a.example');
    expect(preview).toMatch(/\/manage"[^>]*>Manage/);
    expect(preview).not.toContain('/t/');
    expect(text).toContain('Kim');
    expect(subject).toBe('S Kim');
  });
});

describe('which contents are flat', () => {
  test.each([
    ['<p>{{name}}</p>', true],
    ['<a href="{{unsubscribeUrl}}">x</a>', true],
    ['<a href="{{name}}">x</a>', false],
    ['{% if name %}x{% endif %}', false],
    ['{{ name | upcase }}', false],
  ])('%s: %s', (html, isFlat) => {
    expect(prepareMessage(makeContent({ body: html }), testLinks).isFlat).toBe(isFlat);
  });
});
