import { addSuppressions } from '@postrider/core/audience/contacts';
import { createSegment } from '@postrider/core/audience/segments';
import { createTemplate } from '@postrider/core/content/templates';
import { Resend } from 'resend';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addressesIn, type CompatStack, from, startCompat } from './compat-kit.ts';

/** The official client of Resend, unchanged. */
let stack: CompatStack;
let resend: Resend;
beforeAll(async () => {
  // The client prints what is refused.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  stack = await startCompat();
  resend = clientOf(stack.project.secretKey);
});
afterAll(() => stack.close());

const clientOf = (key: string): Resend => new Resend(key, { baseUrl: `${stack.url}/compat/resend` });
const mail = { from: `Shop <${from}>`, subject: 'Hello', html: '<p>Hello</p>' };

/** The data of a success. */
function dataOf<T>({ data, error }: { data: T | null; error: unknown }): T {
  if (data === null) throw new Error(JSON.stringify(error));
  return data;
}

describe('emails', () => {
  it('sends every field, and the message has it', async () => {
    const file = Buffer.from([0, 1, 2, 250, 251]);
    const { id } = dataOf(
      await resend.emails.send({
        ...mail,
        to: ['Ann <ann@people.test>', 'bob@people.test'],
        cc: 'cc@people.test',
        bcc: ['bcc@people.test'],
        replyTo: ['help@shop.test', 'Desk <desk@shop.test>'],
        text: 'Hello as text',
        headers: { 'X-Order': '1001' },
        tags: [{ name: 'order', value: '1001' }],
        attachments: [
          { filename: 'a.bin', content: file },
          {
            filename: 'logo.png',
            content: file.toString('base64'),
            contentType: 'image/png',
            contentId: 'logo',
          },
        ],
      }),
    );
    const [toAnn, toBob, toCopy, toBlind] = await Promise.all(
      ['ann', 'bob', 'cc', 'bcc'].map((name) => stack.arrived(`${name}@people.test`)),
    );
    for (const message of [toAnn, toBob, toCopy, toBlind]) {
      expect(message?.raw).not.toContain('bcc@people.test');
      expect(addressesIn(message?.to)).toEqual(['ann@people.test', 'bob@people.test']);
      expect(addressesIn(message?.cc)).toEqual(['cc@people.test']);
      expect(addressesIn(message?.replyTo)).toEqual(['help@shop.test', 'desk@shop.test']);
    }
    expect(toAnn).toMatchObject({ subject: 'Hello', from: { address: from, name: 'Shop' } });
    expect(toAnn?.text).toContain('Hello as text');
    expect(toAnn?.html).toContain('<p>Hello</p>');
    expect(toAnn?.headers).toContainEqual(expect.objectContaining({ key: 'x-order', value: '1001' }));
    for (const { content } of toAnn?.attachments ?? [])
      expect(Buffer.from(content as ArrayBuffer)).toEqual(file);
    const logo = toAnn?.attachments.find(({ filename }) => filename === 'logo.png');
    expect(toAnn?.attachments).toHaveLength(2);
    expect(logo).toMatchObject({ contentId: '<logo>', mimeType: 'image/png' });
    const read = dataOf(await resend.emails.get(id));
    expect(read).toMatchObject({
      object: 'email',
      id,
      to: ['ann@people.test', 'bob@people.test'],
      cc: ['cc@people.test'],
      bcc: ['bcc@people.test'],
      from: `Shop <${from}>`,
      subject: 'Hello',
      tags: [{ name: 'order', value: '1001' }],
      scheduled_at: null,
      message_id: toAnn?.messageId,
    });
    expect(['queued', 'sent']).toContain(read.last_event);
  });

  it('sends braces of every template language as they are', async () => {
    const text = '{{name}} {% if x %} {{{ y }}} {{ unclosed {% raw %} %recipient.name% <%x%>';
    dataOf(
      await resend.emails.send({
        ...mail,
        to: 'braces@people.test',
        subject: text,
        html: `<p>${text}</p>`,
        text,
      }),
    );
    const message = await stack.arrived('braces@people.test');
    expect(message.subject).toBe(text);
    expect(message.html).toContain(`<p>${text}</p>`);
    expect(message.text?.trim()).toBe(text);
  });

  it.each([
    '{{{RESEND_UNSUBSCRIBE_URL}}}',
    '{{{ RESEND_UNSUBSCRIBE_URL }}}',
    '{{{ pm:unsubscribe }}}',
    '<%asm_group_unsubscribe_raw_url%>',
    '%unsubscribe_url%',
  ])('refuses %s, which nothing would replace', async (mark) => {
    const before = await stack.stored();
    const { error } = await resend.emails.send({
      ...mail,
      to: 'a@people.test',
      html: `<a href="${mark}">Stop</a>`,
    });
    expect(error).toMatchObject({ statusCode: 422, name: 'validation_error' });
    expect(error?.message).toMatch(/^html: Nothing replaces/);
    expect(await stack.stored()).toBe(before);
  });

  it('fills in a template by its alias and its id, and stores no variable on the contact', async () => {
    const template = await createTemplate.run(stack.project.ctx, {
      name: 'Welcome',
      alias: 'welcome',
      type: 'TRANSACTIONAL',
      subject: 'Welcome {{data.first}}',
      body: '<p>{{data.first}}</p>',
      from,
    });
    for (const [index, id] of ['welcome', template.id].entries()) {
      const to = `template${index}@people.test`;
      dataOf(await resend.emails.send({ to, template: { id, variables: { first: '<Ann>' } } } as never));
      const message = await stack.arrived(to);
      expect([message.subject, message.html]).toEqual([
        'Welcome <Ann>',
        expect.stringContaining('&lt;Ann&gt;'),
      ]);
      expect(dataOf(await resend.contacts.get({ email: to })).properties).toEqual({});
    }
  });

  it('schedules, reschedules and cancels', async () => {
    const { id } = dataOf(
      await resend.emails.send({ ...mail, to: 'later@people.test', scheduledAt: 'in 2 hours' }),
    );
    const read = dataOf(await resend.emails.get(id));
    expect(read.last_event).toBe('scheduled');
    expect(Date.parse(read.scheduled_at ?? '') - Date.now()).toBeGreaterThan(7_000_000);
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
    expect(dataOf(await resend.emails.update({ id, scheduledAt }))).toEqual({ object: 'email', id });
    expect(dataOf(await resend.emails.get(id)).scheduled_at).toBe(scheduledAt);
    expect(dataOf(await resend.emails.cancel(id))).toEqual({ object: 'email', id });
    expect(dataOf(await resend.emails.get(id)).last_event).toBe('canceled');
    expect((await resend.emails.cancel(id)).error).toMatchObject({
      statusCode: 422,
      name: 'validation_error',
    });
  });

  it('lists emails page by page', async () => {
    const first = dataOf(await resend.emails.list({ limit: 2 }));
    expect(first).toMatchObject({ object: 'list', has_more: true });
    const after = first.data[1]?.id ?? '';
    const second = dataOf(await resend.emails.list({ limit: 2, after }));
    expect(first.data.map(({ id }) => id)).not.toContain(second.data[0]?.id);
    expect((await resend.emails.list({ limit: 2, before: after })).error?.message).toMatch(/^before: /);
  });
});

describe('batches', () => {
  const list = (names: string[]) =>
    names.map((name) => ({ ...mail, subject: name, to: `${name}@people.test` }));

  it('sends different emails, all or none by default', async () => {
    const { data } = dataOf(await resend.batch.send(list(['first', 'second', 'third'])));
    expect(data.map(({ id }) => id)).toHaveLength(3);
    expect((await stack.arrived('second@people.test')).subject).toBe('second');
    const before = await stack.stored();
    const refused = await resend.batch.send([...list(['fourth']), { ...mail, to: 'nobody' }]);
    expect(refused.error).toMatchObject({ statusCode: 422, name: 'validation_error' });
    expect(refused.error?.message).toMatch(/^1\.to: /);
    const mark = await resend.batch.send([
      ...list(['fourth']),
      { ...mail, to: 'a@people.test', html: '%unsubscribe_url%' },
    ]);
    expect(mark.error?.message).toMatch(/^1\.html: /);
    expect(await stack.stored()).toBe(before);
  });

  it('sends what it can with permissive validation, and replays both', async () => {
    const options = { batchValidation: 'permissive', idempotencyKey: 'permissive' } as const;
    const emails = [
      ...list(['fifth']),
      { ...mail, to: 'nobody' },
      { ...mail, to: 'a@people.test', attachments: [{ filename: 'a', content: 'YQ==' }] },
      { ...mail, to: 'a@people.test', from: 'a@other.test' },
      ...list(['sixth']),
    ];
    const first = dataOf(await resend.batch.send(emails, options));
    expect(first.data).toHaveLength(2);
    expect(first.errors).toEqual([
      { index: 1, message: expect.stringMatching(/^to: /) },
      { index: 2, message: expect.stringMatching(/^attachments: A batch has none/) },
      { index: 3, message: expect.stringMatching(/not verified/) },
    ]);
    const again = dataOf(await resend.batch.send(emails, options));
    expect(again.data).toEqual(first.data);
    expect(again.errors.map(({ index }) => index)).toEqual([1, 2, 3]);
  });

  it('takes 1 to 100 emails', async () => {
    for (const count of [0, 101]) {
      const { error } = await resend.batch.send(list(Array.from({ length: count }, (_, n) => `n${n}`)));
      expect(error).toMatchObject({ statusCode: 422, message: expect.stringMatching(/1 to 100/) });
    }
    const full = await resend.batch.send(list(Array.from({ length: 100 }, (_, n) => `n${n}`)));
    expect(dataOf(full).data).toHaveLength(100);
  });
});

describe('an Idempotency-Key', () => {
  it('gives 20 parallel and 20 later calls one email and one answer', async () => {
    const send = () => resend.emails.send({ ...mail, to: 'once@people.test' }, { idempotencyKey: 'once' });
    const parallel = await Promise.all(Array.from({ length: 20 }, send));
    const later = [];
    for (let n = 0; n < 20; n += 1) later.push(await send());
    const ids = new Set([...parallel, ...later].map((answer) => dataOf(answer).id));
    expect(ids.size).toBe(1);
    expect(later.every(({ headers }) => headers?.['idempotency-replayed'] === 'true')).toBe(true);
    expect(parallel.filter(({ headers }) => headers?.['idempotency-replayed'] === undefined)).toHaveLength(1);
    const { rows } = await stack.test.services.database.durable.query(
      `SELECT count(*)::int AS count FROM "Email" WHERE "projectId" = $1 AND "to" = 'once@people.test'`,
      [stack.project.id],
    );
    expect(rows[0].count).toBe(1);
  });

  it('is refused with another body, at another path, and in another form', async () => {
    const options = { idempotencyKey: 'taken' };
    dataOf(await resend.emails.send({ ...mail, to: 'taken@people.test' }, options));
    expect((await resend.emails.send({ ...mail, to: 'taken2@people.test' }, options)).error).toMatchObject({
      statusCode: 409,
      name: 'invalid_idempotent_request',
    });
    const own = await stack.test.withKey(stack.project.secretKey)(
      'POST',
      '/v1/send',
      { from, to: 'taken@people.test', subject: 'x', body: 'x' },
      { 'idempotency-key': 'taken' },
    );
    expect(own.status).toBe(409);
    const long = await resend.emails.send(
      { ...mail, to: 'a@people.test' },
      { idempotencyKey: 'x'.repeat(257) },
    );
    expect(long.error).toMatchObject({ statusCode: 400, name: 'invalid_idempotency_key' });
    dataOf(await resend.emails.send({ ...mail, to: 'a@people.test' }, { idempotencyKey: 'x'.repeat(256) }));
  });

  it('replays for a key that may only send', async () => {
    const { key } = await stack.test
      .withSession()
      .then((send) =>
        send('POST', `/users/@me/projects/${stack.project.id}/keys`, { name: 'sender', scope: 'send' }),
      )
      .then(({ body }) => body);
    const sender = clientOf(key);
    const send = () =>
      sender.emails.send({ ...mail, to: 'scoped@people.test' }, { idempotencyKey: 'scoped' });
    const first = dataOf(await send());
    expect(dataOf(await send())).toEqual(first);
    expect((await sender.contacts.list()).error).toMatchObject({
      statusCode: 401,
      name: 'restricted_api_key',
    });
  });
});

describe('contacts and segments', () => {
  it('creates, reads, changes, lists and deletes contacts', async () => {
    const { id } = dataOf(
      await resend.contacts.create({
        email: 'Contact@People.test',
        firstName: 'Ann',
        lastName: 'Lee',
        properties: { plan: 'pro', seats: 4 },
      }),
    );
    expect(dataOf(await resend.contacts.get({ email: 'contact@people.test' }))).toEqual({
      object: 'contact',
      id,
      email: 'contact@people.test',
      first_name: 'Ann',
      last_name: 'Lee',
      unsubscribed: false,
      created_at: expect.any(String),
      properties: { plan: { type: 'string', value: 'pro' }, seats: { type: 'number', value: 4 } },
    });
    expect(dataOf(await resend.contacts.update({ id, firstName: null, unsubscribed: true }))).toEqual({
      object: 'contact',
      id,
    });
    expect(dataOf(await resend.contacts.get({ id }))).toMatchObject({ first_name: null, unsubscribed: true });
    const list = dataOf(await resend.contacts.list({ limit: 1 }));
    expect(list).toMatchObject({ object: 'list', data: [{ id }], has_more: true });
    const next = dataOf(await resend.contacts.list({ limit: 1, after: id }));
    expect(next.data).toHaveLength(1);
    expect(next.data[0]?.id).not.toBe(id);
    expect(dataOf(await resend.contacts.remove({ email: 'contact@people.test' }))).toEqual({
      object: 'contact',
      contact: id,
      deleted: true,
    });
    expect((await resend.contacts.get({ id })).error).toMatchObject({ statusCode: 404, name: 'not_found' });
  });

  it('never subscribes anybody who opted out, whatever a create says', async () => {
    const optedOut = Array.from({ length: 50 }, (_, n) => `out${n}@people.test`);
    for (const email of optedOut) dataOf(await resend.contacts.create({ email, unsubscribed: true }));
    for (const email of optedOut) dataOf(await resend.contacts.create({ email, unsubscribed: false }));
    const { rows } = await stack.test.services.database.durable.query(
      `SELECT count(*)::int AS count FROM "Contact" WHERE "projectId" = $1 AND "email" LIKE 'out%' AND "subscribed"`,
      [stack.project.id],
    );
    expect(rows[0].count).toBe(0);
    dataOf(await resend.contacts.update({ email: 'out0@people.test', unsubscribed: false }));
    expect(dataOf(await resend.contacts.get({ email: 'out0@people.test' })).unsubscribed).toBe(false);
  });

  it('has audiences and segments as static segments', async () => {
    const segment = await createSegment.run(stack.project.ctx, { name: 'News', type: 'STATIC' });
    const { id } = dataOf(
      await resend.contacts.create({
        email: 'listed@people.test',
        audienceId: segment.id,
        unsubscribed: false,
      }),
    );
    expect(dataOf(await resend.contacts.list({ audienceId: segment.id })).data).toMatchObject([{ id }]);
    expect(dataOf(await resend.segments.list()).data).toContainEqual({
      id: segment.id,
      name: 'News',
      created_at: expect.any(String),
    });
    expect(
      dataOf(await resend.contacts.segments.remove({ email: 'listed@people.test', segmentId: segment.id })),
    ).toMatchObject({ id: segment.id, deleted: true });
    expect(dataOf(await resend.contacts.list({ segmentId: segment.id })).data).toEqual([]);
    expect(dataOf(await resend.contacts.segments.add({ contactId: id, segmentId: segment.id }))).toEqual({
      id: segment.id,
    });
    const before = await stack.stored();
    const unknown = '01a1fbbb-6049-7208-955a-65aac1f35b72';
    const refused = await resend.contacts.create({ email: 'new@people.test', audienceId: unknown });
    expect(refused.error).toMatchObject({ statusCode: 404, name: 'not_found' });
    expect(await stack.stored()).toBe(before);
  });
});

describe('refusals', () => {
  const base = { ...mail, to: 'refused@people.test' };
  it.each<[string, object, number, string, RegExp]>([
    ['no recipient', { to: undefined }, 422, 'missing_required_field', /^to: /],
    ['no subject', { subject: undefined }, 422, 'missing_required_field', /./],
    ['no content', { html: undefined }, 422, 'missing_required_field', /^html: /],
    ['an address that is none', { to: ['a@people.test', 'nobody'] }, 422, 'validation_error', /^to\.1: /],
    [
      '51 recipients',
      { to: Array.from({ length: 51 }, (_, n) => `x${n}@people.test`) },
      422,
      'validation_error',
      /50/,
    ],
    ['a sender of another domain', { from: 'a@other.test' }, 403, 'validation_error', /not verified/],
    ['a topic', { topicId: 'x' }, 422, 'validation_error', /^topic_id: Topics/],
    [
      'a file to fetch',
      { attachments: [{ filename: 'a', path: 'https://a.test/a' }] },
      422,
      'invalid_attachment',
      /^attachments\.0\.path/,
    ],
    [
      'no base64',
      { attachments: [{ filename: 'a', content: '%%%' }] },
      422,
      'invalid_attachment',
      /^attachments\.0\.content: /,
    ],
    ['a header of ours', { headers: { 'Message-ID': 'x' } }, 422, 'validation_error', /^headers\.Message-ID/],
    ['a wording', { scheduledAt: 'tomorrow at 9' }, 422, 'validation_error', /^scheduled_at: Give a date/],
    [
      'a date without a zone',
      { scheduledAt: '2099-01-01T00:00:00' },
      422,
      'validation_error',
      /^scheduled_at: /,
    ],
    [
      'an unknown template',
      { html: undefined, subject: undefined, template: { id: 'none' } },
      404,
      'not_found',
      /Template/,
    ],
    ['html beside a template', { template: { id: 'welcome' } }, 422, 'validation_error', /^html: Not beside/],
    [
      'a tag twice',
      {
        tags: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
        ],
      },
      422,
      'validation_error',
      /^tags\.1\.name/,
    ],
  ])('%s', async (_what, change, statusCode, name, message) => {
    const before = await stack.stored();
    const { data, error } = await resend.emails.send({ ...base, ...change } as never);
    expect(data).toBeNull();
    expect(error).toMatchObject({ statusCode, name });
    expect(error?.message).toMatch(message);
    expect(await stack.stored()).toBe(before);
  });

  it('tells a missing, unknown and public key apart', async () => {
    const answer = await stack.test.anyone('POST', '/compat/resend/emails', base);
    expect([answer.status, answer.body.name]).toEqual([401, 'missing_api_key']);
    for (const key of [`sk_${'0'.repeat(64)}`, stack.project.publicKey, 're_123'])
      expect((await clientOf(key).emails.send(base)).error).toMatchObject({
        statusCode: 403,
        name: 'invalid_api_key',
      });
  });

  it('answers what is not offered with what to use, and what another project has like what nobody has', async () => {
    const domains = await resend.domains.list();
    expect(domains.error).toMatchObject({ statusCode: 404, name: 'not_found' });
    expect(domains.error?.message).toMatch(/Resend is not offered. Use the operations of \/domains here/);
    const { id } = dataOf(await resend.emails.send(base));
    const stranger = clientOf((await stack.other()).secretKey);
    for (const answer of [
      await stranger.emails.get(id),
      await stranger.emails.cancel(id),
      await stranger.emails.list({ after: id }),
      await stranger.emails.update({ id, scheduledAt: '2099-01-01T00:00:00Z' }),
    ])
      expect(answer.error?.statusCode).toBeGreaterThanOrEqual(404);
  });

  it('answers unknown fields, lists and broken JSON in the form of the service', async () => {
    const post = stack.test.withKey(stack.project.secretKey);
    const headers = { 'content-type': 'application/json' };
    for (const [payload, status, message] of [
      [JSON.stringify({ ...base, htm: 'x' }), 422, 'htm: Unknown field; did you mean "html"?'],
      [JSON.stringify([base]), 400, /JSON object/],
      ['{', 400, /Invalid JSON/],
    ] as const) {
      const { status: given, body } = await post('POST', '/compat/resend/emails', payload, headers);
      expect([given, body.name]).toEqual([status, 'validation_error']);
      expect(body.message).toMatch(message);
    }
  });

  it('says of a suppressed recipient what became of the email', async () => {
    await addSuppressions.run(stack.project.ctx, { emails: ['gone@people.test'] });
    const { id } = dataOf(await resend.emails.send({ ...mail, to: 'gone@people.test' }));
    expect(dataOf(await resend.emails.get(id)).last_event).toBe('suppressed');
  });
});
