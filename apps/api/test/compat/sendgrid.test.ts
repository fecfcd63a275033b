import { createSegment, listSegmentContacts } from '@postrider/core/audience/segments';
import { createTemplate } from '@postrider/core/content/templates';
import sgMail from '@sendgrid/mail';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addressesIn, type CompatStack, from, startCompat } from './compat-kit.ts';

/** The official client of SendGrid, unchanged. */
let stack: CompatStack;
beforeAll(async () => {
  // The client says that a key does not begin with SG.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  stack = await startCompat();
  use(stack.project.secretKey);
});
afterAll(() => stack.close());

/** In this order: the first call resets what the second sets. */
function use(key: string): void {
  sgMail.setApiKey(key);
  const { client } = sgMail as unknown as {
    client: { setDefaultRequest(name: string, value: string): void };
  };
  client.setDefaultRequest('baseUrl', `${stack.url}/compat/sendgrid/`);
}

type Mail = Parameters<typeof sgMail.sendMultiple>[0];
interface ResponseError {
  code: number;
  response: { body: unknown };
}
const mail = { from, subject: 'Hello', html: '<p>Hello</p>' };
const errorOf = (sent: Promise<unknown>): Promise<ResponseError> =>
  sent.then(
    () => Promise.reject(new Error('accepted')),
    (error: ResponseError) => error,
  );
async function sendAs(key: string, message: object): Promise<unknown> {
  use(key);
  try {
    return await sgMail.send(message as Mail);
  } finally {
    use(stack.project.secretKey);
  }
}
const put = (body: object) =>
  stack.test.withKey(stack.project.secretKey)('PUT', '/compat/sendgrid/v3/marketing/contacts', body);

describe('mail', () => {
  it('sends every field, and the message has it', async () => {
    const file = Buffer.from([0, 1, 2, 250, 251]).toString('base64');
    const [response] = await sgMail.send({
      ...mail,
      from: { email: from, name: 'Shop' },
      to: ['ann@people.test', { email: 'bob@people.test', name: 'Bob' }],
      cc: 'cc@people.test',
      bcc: 'bcc@people.test',
      replyTo: 'help@shop.test',
      text: 'Hello as text',
      headers: { 'X-Order': '1001' },
      categories: ['receipt'],
      customArgs: { order: '1001' },
      ipPoolName: 'pool',
      trackingSettings: {
        clickTracking: { enable: false },
        openTracking: { enable: false },
        ganalytics: { enable: false },
      },
      mailSettings: {
        sandboxMode: { enable: false },
        spamCheck: { enable: true, threshold: 3 },
        footer: { enable: false },
      },
      attachments: [
        { content: file, filename: 'a.bin', type: 'application/octet-stream', disposition: 'attachment' },
        { content: file, filename: 'logo.png', type: 'image/png', disposition: 'inline', content_id: 'logo' },
      ],
    } as unknown as Mail);
    expect(response.statusCode).toBe(202);
    const id = response.headers['x-message-id'] as string;
    for (const name of ['ann', 'bob', 'cc', 'bcc']) {
      const message = await stack.arrived(`${name}@people.test`);
      expect(message.raw).not.toContain('bcc@people.test');
      expect(addressesIn(message.to)).toEqual(['ann@people.test', 'bob@people.test']);
      expect(addressesIn(message.cc)).toEqual(['cc@people.test']);
      expect(addressesIn(message.replyTo)).toEqual(['help@shop.test']);
      expect([message.subject, message.text?.trim(), message.from?.name]).toEqual([
        'Hello',
        'Hello as text',
        'Shop',
      ]);
      for (const { content } of message.attachments)
        expect(Buffer.from(content as ArrayBuffer).toString('base64')).toBe(file);
      expect(message.attachments.find(({ filename }) => filename === 'logo.png')?.contentId).toBe('<logo>');
    }
    const { body } = await stack.test.withKey(stack.project.secretKey)('GET', `/emails/${id}`);
    expect(body).toMatchObject({ to: 'ann@people.test', tags: ['receipt'], metadata: { order: '1001' } });
  });

  it('sends one message to each personalization, with its own substitutions, as plain text', async () => {
    await sgMail.send({
      from,
      subject: 'For -name-',
      html: '<p>-name- -name2- {{data}} -nobody-</p>',
      customArgs: { order: '1' },
      personalizations: [
        { to: 'p1@people.test', substitutions: { '-name-': '-name2-', '-name2-': '<b>{{email}}</b>' } },
        { to: 'p2@people.test', subject: 'Own', customArgs: { order: '2' }, headers: { 'X-Own': 'yes' } },
      ],
      substitutionWrappers: ['', ''],
    } as unknown as Mail);
    const [first, second] = [await stack.arrived('p1@people.test'), await stack.arrived('p2@people.test')];
    expect(first.subject).toBe('For -name2-');
    expect(first.html).toContain('<p>-name2- <b>{{email}}</b> {{data}} -nobody-</p>');
    expect([second.subject, second.html]).toEqual(['Own', expect.stringContaining('-name- -name2-')]);
    expect(addressesIn(second.to)).toEqual(['p2@people.test']);
    expect(second.headers).toContainEqual(expect.objectContaining({ key: 'x-own', value: 'yes' }));
  });

  it('sends to several apart by isMultiple, and all or none', async () => {
    await sgMail.sendMultiple({ ...mail, to: ['m1@people.test', 'm2@people.test'] });
    expect(addressesIn((await stack.arrived('m1@people.test')).to)).toEqual(['m1@people.test']);
    const before = await stack.stored();
    const error = await errorOf(sgMail.sendMultiple({ ...mail, to: ['m3@people.test', 'nobody'] }));
    expect(error.response.body).toMatchObject({
      errors: [{ field: expect.stringMatching(/^personalizations\.1\.to/), help: null }],
    });
    expect(await stack.stored()).toBe(before);
  });

  it('fills in a template by its alias', async () => {
    await createTemplate.run(stack.project.ctx, {
      name: 'Receipt',
      alias: 'd-receipt',
      type: 'TRANSACTIONAL',
      subject: 'Receipt {{data.number}}',
      body: '<p>{{data.customer}}</p>',
      from,
    });
    await sgMail.send({
      from,
      to: 'template@people.test',
      templateId: 'd-receipt',
      dynamicTemplateData: { number: 7, customer: '<Ann>' },
    } as Mail);
    const message = await stack.arrived('template@people.test');
    expect([message.subject, message.html]).toEqual(['Receipt 7', expect.stringContaining('&lt;Ann&gt;')]);
  });

  it('schedules by sendAt', async () => {
    const sendAt = Math.floor(Date.now() / 1_000) + 7_200;
    const [response] = await sgMail.send({ ...mail, to: 'later@people.test', sendAt });
    const { body } = await stack.test.withKey(stack.project.secretKey)(
      'GET',
      `/emails/${response.headers['x-message-id']}`,
    );
    expect([body.status, Date.parse(body.scheduledAt)]).toEqual(['SCHEDULED', sendAt * 1_000]);
  });

  it('tries in sandbox mode and stores nothing', async () => {
    const before = await stack.stored();
    const mailSettings = { sandboxMode: { enable: true } };
    const [response] = await sgMail.send({ ...mail, to: 'tried@people.test', mailSettings });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    const several = await sgMail.sendMultiple({
      ...mail,
      to: ['t1@people.test', 't2@people.test'],
      mailSettings,
    });
    expect(several[0].statusCode).toBe(200);
    expect((await errorOf(sgMail.send({ ...mail, to: 'nobody', mailSettings }))).code).toBe(400);
    expect(await stack.stored()).toBe(before);
  });

  it('replays a used key', async () => {
    const post = () =>
      stack.test.withKey(stack.project.secretKey)(
        'POST',
        '/compat/sendgrid/v3/mail/send',
        {
          from: { email: from },
          subject: 'x',
          content: [{ type: 'text/plain', value: 'x' }],
          personalizations: [{ to: [{ email: 'r1@people.test' }] }, { to: [{ email: 'r2@people.test' }] }],
        },
        { 'idempotency-key': 'several' },
      );
    const [first, again] = [await post(), await post()];
    expect([first.status, first.text, again.status]).toEqual([202, '', 202]);
    expect(again.headers['x-message-id']).toBe(first.headers['x-message-id']);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });
});

describe('refusals', () => {
  it.each<[string, object, number, string]>([
    [
      'no content',
      { html: undefined, text: undefined, content: [{ type: 'text/plain', value: '' }] },
      400,
      'content',
    ],
    [
      'calendar content',
      { html: undefined, content: [{ type: 'text/calendar', value: 'x' }] },
      400,
      'content.0.type',
    ],
    ['a sender of another domain', { from: 'a@other.test' }, 403, 'from'],
    ['a batch id', { batchId: 'x' }, 400, 'batch_id'],
    ['a group', { asm: { groupId: 1 } }, 400, 'asm.group_id'],
    ['sections', { sections: { a: 'b' } }, 400, 'sections'],
    ['a footer', { mailSettings: { footer: { enable: true, text: 'x' } } }, 400, 'mail_settings.footer'],
    ['bcc of all', { mailSettings: { bcc: { enable: true, email: 'a@b.test' } } }, 400, 'mail_settings.bcc'],
    [
      'a bypass',
      { mailSettings: { bypassListManagement: { enable: true } } },
      400,
      'mail_settings.bypass_list_management',
    ],
    [
      'a link to opt out',
      { trackingSettings: { subscriptionTracking: { enable: true } } },
      400,
      'tracking_settings.subscription_tracking',
    ],
    [
      'parameters of links',
      { trackingSettings: { ganalytics: { enable: true } } },
      400,
      'tracking_settings.ganalytics',
    ],
    ['a mark', { html: '<%asm_group_unsubscribe_raw_url%>' }, 400, 'content'],
    [
      'an unknown template',
      { html: undefined, subject: undefined, templateId: 'd-none' },
      400,
      'template_id',
    ],
    [
      'an old template',
      { html: undefined, subject: undefined, templateId: '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90' },
      400,
      'template_id',
    ],
    ['no base64', { attachments: [{ content: '%%%', filename: 'a' }] }, 400, 'attachments.0.content'],
    ['a header of ours', { headers: { 'Message-ID': 'x' } }, 400, 'headers.Message-ID'],
    ['a time in years', { sendAt: 4_102_444_800 }, 400, 'send_at'],
  ])('%s', async (_what, change, code, field) => {
    const before = await stack.stored();
    const error = await errorOf(sgMail.send({ ...mail, to: 'refused@people.test', ...change } as Mail));
    expect([error.code, error.response.body]).toEqual([
      code,
      { errors: expect.arrayContaining([{ message: expect.any(String), field, help: null }]) },
    ]);
    expect(await stack.stored()).toBe(before);
  });

  it('has statuses for keys, paths and too much at once', async () => {
    const base = { ...mail, to: 'a@people.test' };
    for (const key of [`sk_${'0'.repeat(64)}`, stack.project.publicKey])
      expect((await errorOf(sendAs(key, base))).code).toBe(401);
    const send = stack.test.withKey(stack.project.secretKey);
    const stats = await send('GET', '/compat/sendgrid/v3/stats');
    expect([stats.status, stats.body.errors[0].message]).toEqual([404, expect.stringMatching(/analytics/)]);
    const huge = {
      from: { email: from },
      subject: 'x',
      content: [{ type: 'text/html', value: 'x'.repeat(200_000) }],
      personalizations: Array.from({ length: 1_000 }, (_, n) => ({ to: [{ email: `h${n}@people.test` }] })),
    };
    const refused = await send('POST', '/compat/sendgrid/v3/mail/send', huge);
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'content']);
  });
});

describe('contacts', () => {
  it('stores contacts and adds them to lists, and changes no subscription', async () => {
    const { id } = await createSegment.run(stack.project.ctx, { name: 'List', type: 'STATIC' });
    const send = stack.test.withKey(stack.project.secretKey);
    await send('POST', '/contacts', { email: 'out@people.test', subscribed: false });
    const contacts = [
      { email: 'out@people.test', first_name: 'Ann', custom_fields: { plan: 'pro' } },
      { email: 'in@people.test', last_name: 'Lee', external_id: 'c-1' },
    ];
    const { status, body } = await put({ list_ids: [id], contacts });
    expect([status, body]).toEqual([202, { job_id: expect.any(String) }]);
    const members = await listSegmentContacts.run(stack.project.ctx, { id });
    expect(members.data).toHaveLength(2);
    expect(members.data.find(({ email }) => email === 'out@people.test')).toMatchObject({
      subscribed: false,
      data: { firstName: 'Ann', plan: 'pro' },
    });
    expect(members.data.find(({ email }) => email === 'in@people.test')).toMatchObject({
      subscribed: true,
      externalId: 'c-1',
      data: { lastName: 'Lee' },
    });
  });

  it('stores nothing when one of them is wrong', async () => {
    const before = await stack.stored();
    for (const [body, status, field] of [
      [{ contacts: [{ email: 'new@people.test' }, { email: 'nobody' }] }, 400, 'contacts.1.email'],
      [
        { contacts: [{ email: 'new@people.test', custom_fields: { e1_T: 'x' } }] },
        400,
        'contacts.0.custom_fields.e1_T',
      ],
      [{ contacts: [{ email: 'new@people.test', city: 'x' }] }, 400, 'contacts.0.city'],
      [{ contacts: [] }, 400, 'contacts'],
      [
        { list_ids: ['01a1fbbb-6049-7208-955a-65aac1f35b72'], contacts: [{ email: 'new@people.test' }] },
        404,
        null,
      ],
    ] as const) {
      const answer = await put(body);
      expect([answer.status, answer.body.errors[0].field]).toEqual([status, field]);
    }
    expect(await stack.stored()).toBe(before);
  });
});
