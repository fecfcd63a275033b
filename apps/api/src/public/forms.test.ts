import { gzipSync } from 'node:zlib';
import { addSuppressions, upsertContact } from '@postrider/core/audience/contacts';
import { createTopic } from '@postrider/core/audience/topics';
import {
  createForm,
  expireSubscriptionRequests,
  submissionsProcessed,
  sweepUnconfirmed,
  updateForm,
} from '@postrider/core/mail/forms';
import { encodeConfirmLink } from '@postrider/core/mail/message';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, startApp, type TestApp } from '../../test/harness.ts';
import { formScript } from './form-script.ts';
import { texts } from './texts/index.ts';

let test: TestApp;
let form: Awaited<ReturnType<typeof createForm.run>>;
let count = 0;

const sandbox = () => test.services.config.sandboxFrom;
const prisma = () => test.services.database.prisma;

beforeAll(async () => {
  test = await startApp();
  await prisma().project.update({
    where: { id: test.project.id },
    data: { consent: { confirmation: { from: sandbox(), fromName: null, replyTo: null, templateId: null } } },
  });
});
afterAll(async () => {
  await submissionsProcessed(test.services);
  await test.close();
});
beforeEach(async () => {
  await prisma().publicAttempt.deleteMany();
  form = await make({});
});

const make = (more: Partial<Parameters<typeof createForm.run>[1]>) =>
  createForm.run(test.project.ctx, {
    name: 'Footer',
    enabled: true,
    title: { en: 'Our newsletter', de: 'Unser Newsletter' },
    consentText: { en: 'Yes, send me news.', de: 'Ja, gern.' },
    ...more,
  });

/** An address that nobody has used, at a domain that needs no name server. */
const fresh = (): string => {
  count += 1;
  return `delivered+${count}@postrider.test`;
};
const path = () => `/f/${form.id}`;
const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
const send = (
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  test.anyone('POST', path(), typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(), {
    ...asForm,
    ...headers,
  });
const sendJson = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  test.anyone('POST', path(), body, { 'content-type': 'application/json', ...headers });
const processed = () => submissionsProcessed(test.services);
const requestOf = async (email: string) => {
  const contact = await prisma().contact.findFirst({ where: { email, projectId: test.project.id } });
  return contact && prisma().subscriptionRequest.findFirst({ where: { contactId: contact.id } });
};

describe('the page of a form', () => {
  it('shows it without a script, in the language of the reader', async () => {
    const page = await test.anyone('GET', path());
    expect(page.status).toBe(200);
    expect(page.text).toContain('<h1>Our newsletter</h1>');
    expect(page.text).toContain('Yes, send me news.');
    expect(page.text).not.toContain('<script');
    expect(page.text).not.toContain(' checked');
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    const german = { 'accept-language': 'de-AT, fr;q=0.9' };
    expect((await test.anyone('GET', path(), undefined, german)).text).toContain('<html lang="de">');
    expect((await test.anyone('GET', `${path()}?lang=de`)).text).toContain('Unser Newsletter');
    // A language that the form does not have.
    expect((await test.anyone('GET', `${path()}?lang=ja`)).text).toContain('Our newsletter');
  });

  it('a frame needs the origins of the form', async () => {
    expect((await test.anyone('GET', `${path()}/embed`)).status).toBe(403);
    form = await updateForm.run(test.project.ctx, { id: form.id, origins: ['https://www.example.com'] });
    const framed = await test.anyone('GET', `${path()}/embed`);
    expect(framed.status).toBe(200);
    expect(framed.headers['content-security-policy']).toContain('frame-ancestors https://www.example.com');
  });

  it('its script has less than 4 KB, and is the same for every id', async () => {
    const script = await test.anyone('GET', `${path()}.js`);
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(gzipSync(script.text).length).toBeLessThan(4_096);
    expect(script.text).toBe(formScript);
  });

  it('unknown, closed and deleted ones', async () => {
    for (const id of ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90', 'x', '%00', 'x.js']) {
      expect((await test.anyone('GET', `/f/${id}`)).status).toBe(404);
      expect((await test.anyone('POST', `/f/${id}`, 'email=a', asForm)).status).toBe(404);
    }
    await updateForm.run(test.project.ctx, { id: form.id, enabled: false });
    const closed = await test.anyone('GET', path());
    expect(closed.status).toBe(410);
    expect(closed.text).toContain(texts.en.form.closed);
    expect((await send({ email: fresh() })).status).toBe(410);
    expect((await sendJson({ email: fresh() })).status).toBe(410);
  });
});

describe('a submission', () => {
  it('asks the owner of the address, and says nothing of it', async () => {
    const email = fresh();
    const page = await send({ email, 'fields.name': 'ignored' });
    expect(page.status).toBe(200);
    expect(page.text).toContain(texts.en.form.received);
    await processed();
    const request = await requestOf(email);
    expect(request).toMatchObject({ status: 'PENDING', formId: form.id, formVersion: 1, madeContact: true });
    expect(await prisma().contact.findFirst({ where: { email } })).toMatchObject({
      subscribed: false,
      stated: false,
    });
    const sent = await prisma().email.findUniqueOrThrow({ where: { id: request?.emailId ?? '' } });
    expect(sent).toMatchObject({ to: email, type: 'TRANSACTIONAL', tracked: false });
  });

  it('as JSON: 202, or the fields to correct', async () => {
    expect(await sendJson({ email: fresh() })).toMatchObject({ status: 202, body: { status: 'received' } });
    const refused = await sendJson({ email: 'nobody' });
    expect(refused.status).toBe(422);
    expect(refused.body.error.errors).toMatchObject([{ field: 'email', code: 'invalid_string' }]);
    const unknown = await sendJson({ email: fresh(), emial: 'x' });
    expect(unknown.body.error.errors).toMatchObject([{ field: 'emial', code: 'unsupported_field' }]);
    for (const body of ['{', '[]', '"x"', 'null', '']) {
      const answer = await test.anyone('POST', path(), body, { 'content-type': 'application/json' });
      expect(answer.status).toBe(422);
    }
  });

  it('with mistakes shows the form again, with what was filled in', async () => {
    form = await make({
      fields: [{ key: 'name', label: { en: 'Name' }, type: 'TEXT', required: true, options: null }],
    });
    const page = await send({ email: 'a"<b>', 'fields.name': '' });
    expect(page.status).toBe(422);
    expect(page.text).toContain('value="a&quot;&lt;b&gt;"');
    expect(page.text.match(/ aria-invalid="true" aria-describedby/g)).toHaveLength(2);
    expect(page.text).toContain(texts.en.form.badEmail);
    expect(page.text).toContain(texts.en.form.required);
  });

  it('of several topics needs one of those that the form offers', async () => {
    const key = `forms-${Date.now()}`;
    await createTopic.run(test.project.ctx, { key, name: { en: 'Product' }, default: 'OUT' });
    form = await make({ topics: ['general', key] });
    expect((await test.anyone('GET', path())).text).not.toContain(' checked');
    expect((await send({ email: fresh() })).status).toBe(422);
    const email = fresh();
    expect((await send(`email=${encodeURIComponent(email)}&topics=${key}&topics=other`)).status).toBe(200);
    await processed();
    expect((await requestOf(email))?.topics).toHaveLength(1);
  });

  it('leads to the redirectUrl, which the policy of the page allows', async () => {
    form = await make({ redirectUrl: 'https://www.example.com/thanks?x=1' });
    expect((await test.anyone('GET', path())).headers['content-security-policy']).toContain(
      "form-action 'self' https://www.example.com",
    );
    const answer = await send({ email: fresh() });
    expect([answer.status, answer.headers['location']]).toEqual([303, 'https://www.example.com/thanks?x=1']);
  });

  it('from another origin than those of the form is refused', async () => {
    form = await make({ origins: ['https://www.example.com'] });
    const email = fresh();
    expect((await sendJson({ email }, { origin: 'https://evil.example' })).status).toBe(403);
    const page = await send({ email }, { origin: 'null' });
    expect([page.status, page.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    const allowed = await sendJson({ email }, { origin: 'https://www.example.com' });
    expect(allowed.status).toBe(202);
    expect(allowed.headers['access-control-allow-origin']).toBe('https://www.example.com');
    const preflight = await test.anyone('OPTIONS', path(), undefined, {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
    });
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
    const own = new URL(test.services.config.LINKS_URL).origin;
    expect((await send({ email: fresh() }, { origin: own })).status).toBe(200);
  });

  it('of a program gets the same answer, and is not stored', async () => {
    await processed();
    const before = await prisma().formSubmission.count();
    const young = /name="token" value="([^"]+)"/.exec((await test.anyone('GET', path())).text)?.[1] ?? '';
    const emails = [fresh(), fresh(), fresh()] as const;
    expect((await send({ email: emails[0], website: 'x' })).text).toContain(texts.en.form.received);
    expect((await send({ email: emails[1], token: young })).text).toContain(texts.en.form.received);
    expect(await sendJson({ email: emails[2], token: 'forged' })).toMatchObject({ status: 202 });
    await processed();
    expect(await prisma().formSubmission.count()).toBe(before);
    expect(await prisma().contact.count({ where: { email: { in: [...emails] } } })).toBe(0);
  });

  it('of a domain without mailboxes is told; one whose name servers do not answer is taken', async () => {
    const answer = await sendJson({ email: 'ann@no-such-domain.invalid' });
    expect([202, 422]).toContain(answer.status);
  });

  it('as multipart/form-data is taken as any other form is', async () => {
    const key = `parts-${Date.now()}`;
    await createTopic.run(test.project.ctx, { key, name: { en: 'Product' }, default: 'OUT' });
    form = await make({
      topics: ['general', key],
      fields: [{ key: 'name', label: { en: 'Name' }, type: 'TEXT', required: true, options: null }],
    });
    const parts = async (fields: readonly (readonly [string, string | Blob])[]) => {
      const data = new FormData();
      for (const [name, value] of fields) data.append(name, value);
      const sent = new Response(data);
      const headers = { 'content-type': sent.headers.get('content-type') ?? '' };
      return test.anyone('POST', path(), Buffer.from(await sent.arrayBuffer()), headers);
    };
    const email = fresh();
    const all = [
      ['email', email],
      ['fields.name', 'Zoë "Z"'],
      ['topics', 'general'],
      ['topics', key],
    ] as const;
    const page = await parts([...all, ['photo', new Blob(['x'])]]);
    expect([page.status, page.text.includes(texts.en.form.received)]).toEqual([200, true]);
    await processed();
    expect(await requestOf(email)).toMatchObject({ data: { name: 'Zoë "Z"' }, topics: { length: 2 } });

    expect((await parts(all.slice(0, 1))).status).toBe(422);
    expect((await parts([['email', new Blob([email])]])).status).toBe(422);
    expect((await parts([...all, ['website', 'x']])).text).toContain(texts.en.form.received);
    expect((await parts([...all, ['fields.name', 'x'.repeat(20_000)]])).status).toBe(413);
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=----------------------------x',
    ]) {
      const broken = await test.anyone('POST', path(), 'email=a', { 'content-type': type });
      expect(broken.status).toBe(422);
      expect(broken.text).toContain(texts.en.form.required);
    }
  });

  it('of more than 16 KB is refused', async () => {
    expect((await send(`email=${'x'.repeat(20_000)}`)).status).toBe(413);
    expect((await sendJson({ email: 'x'.repeat(20_000) })).status).toBe(413);
  });

  it('20 in ten minutes of one network, then 429', async () => {
    for (let time = 0; time < 20; time += 1) expect((await sendJson({ email: fresh() })).status).toBe(202);
    const answer = await sendJson({ email: fresh() });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send({ email: fresh() })).text).toContain(texts.en.form.limited);
    await processed();
  });
});

describe('the answer is the same for every address', () => {
  it('byte by byte', async () => {
    const key = test.withKey(test.project.secretKey);
    const [unknown, known, subscribed, left, suppressed] = [
      fresh(),
      fresh(),
      fresh(),
      fresh(),
      fresh(),
    ] as const;
    await upsertContact.run(test.project.ctx, { email: known, subscribed: false });
    await upsertContact.run(test.project.ctx, { email: subscribed, subscribed: true });
    await key('POST', '/contacts', { email: left, subscribed: true });
    await key('POST', '/contacts', { email: left, subscribed: false });
    await addSuppressions.run(test.project.ctx, { emails: [suppressed] });
    const replies = [];
    for (const email of [unknown, known, subscribed, left, suppressed, unknown]) {
      const { status, text } = await sendJson({ email });
      const page = await send({ email });
      replies.push([status, text, page.status, page.text.replaceAll(email, '…')]);
    }
    for (const reply of replies) expect(reply).toEqual(replies[0]);
    await processed();
  });
});

describe('a guarded form', () => {
  const guard = () =>
    prisma().form.update({
      where: { id: form.id },
      data: { guardedUntil: new Date(Date.now() + 3_600_000) },
    });

  it('asks for work, and gives a challenge', async () => {
    await guard();
    const refused = await sendJson({ email: fresh() });
    expect(refused.status).toBe(422);
    expect(refused.body.error.errors).toMatchObject([{ field: 'work', code: 'required' }]);
    const { body } = await test.anyone('GET', `${path()}/challenge`);
    expect(body).toMatchObject({ token: expect.any(String), work: { bits: 18 } });
    expect(body.token.endsWith(body.work.salt)).toBe(true);
  });

  it('without a script shows a page on which visitors wait', async () => {
    await guard();
    const email = fresh();
    const page = await send({ email, 'fields.x': 'kept' });
    expect(page.status).toBe(200);
    expect(page.text).toContain(texts.en.form.check);
    expect(page.text).toContain('name="fields.x" value="kept"');
    const wait = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const early = await send({ email, token: wait });
    expect(early.text).toContain(texts.en.form.checkEarly);
    // The token belongs to the address.
    expect((await send({ email: fresh(), token: wait })).text).toContain(texts.en.form.received);
    await processed();
    expect(await requestOf(email)).toBeNull();
  });

  it('without work nothing is stored', async () => {
    await guard();
    const before = await prisma().formSubmission.count();
    await sendJson({ email: fresh(), work: '0', token: 'x' });
    expect(await prisma().formSubmission.count()).toBe(before);
  });
});

describe('the link that confirms', () => {
  const asked = async (more: Partial<Parameters<typeof createForm.run>[1]> = {}) => {
    form = await make(more);
    const email = fresh();
    await sendJson({ email });
    await processed();
    const request = await requestOf(email);
    if (!request) throw new Error('nobody was asked');
    return { email, request, link: `/s/${encodeConfirmLink(test.services.secrets, request.id)}` };
  };
  const answer = (link: string, given: string) =>
    test.anyone('POST', link, new URLSearchParams({ answer: given }).toString(), asForm);

  it('GET and HEAD change nothing; POST confirms, once', async () => {
    const { email, link } = await asked();
    for (const method of ['GET', 'HEAD', 'OPTIONS']) await test.anyone(method, link);
    const page = await test.anyone('GET', link);
    expect(page.text).toContain(email);
    expect(page.text).toContain('Yes, send me news.');
    expect(await prisma().contact.findFirst({ where: { email } })).toMatchObject({ subscribed: false });
    const done = await answer(link, 'confirm');
    expect(done.text).toContain('Your subscription is confirmed');
    expect((await answer(link, 'confirm')).text).toContain('You have already confirmed this subscription');
    const contact = await prisma().contact.findFirstOrThrow({ where: { email } });
    expect(contact).toMatchObject({ subscribed: true, consentBasis: 'confirmed', pendingUntil: null });
    const acts = await prisma().consentAct.findMany({
      where: { contactId: contact.id },
      orderBy: { seq: 'asc' },
    });
    expect(acts.map(({ action }) => action)).toEqual(['request', 'confirm']);
    expect(acts[1]?.wordingId).toBe(acts[0]?.wordingId);
    expect(acts[1]?.wordingId).not.toBeNull();
  });

  it('50 at once: one act, one event', async () => {
    const { email, link } = await asked();
    await Promise.all(Array.from({ length: 50 }, () => answer(link, 'confirm')));
    const { id: contactId } = await prisma().contact.findFirstOrThrow({ where: { email } });
    expect(await prisma().consentAct.count({ where: { contactId, action: 'confirm' } })).toBe(1);
    expect(await prisma().event.count({ where: { contactId, name: 'contact.subscription.confirmed' } })).toBe(
      1,
    );
    expect(await prisma().event.count({ where: { contactId, name: 'contact.subscribed' } })).toBe(1);
  });

  it('declining keeps the address out, and asks no more', async () => {
    const { email, link } = await asked();
    expect((await answer(link, 'decline')).text).toContain('Thank you for telling us');
    expect((await answer(link, 'confirm')).text).toContain('Thank you for telling us');
    const contact = await prisma().contact.findFirstOrThrow({ where: { email } });
    expect(contact).toMatchObject({ subscribed: false, stated: true, optOutBy: 'recipient' });
    await prisma().publicAttempt.deleteMany();
    await sendJson({ email });
    await processed();
    expect(await prisma().subscriptionRequest.count({ where: { contactId: contact.id } })).toBe(1);
  });

  it('leads to the confirmedUrl', async () => {
    const { link } = await asked({ confirmedUrl: 'https://www.example.com/welcome' });
    const done = await answer(link, 'confirm');
    expect([done.status, done.headers['location']]).toEqual([303, 'https://www.example.com/welcome']);
  });

  it('after 7 days and a second it is refused, with the way back', async () => {
    const { email, request, link } = await asked();
    await prisma().subscriptionRequest.update({
      where: { id: request.id },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    });
    const page = await answer(link, 'confirm');
    expect(page.text).toContain(texts.en.confirm.expired);
    expect(page.text).toContain(`/f/${form.id}`);
    expect(await prisma().contact.findFirst({ where: { email } })).toMatchObject({ subscribed: false });
  });

  it('unknown ones, and other answers', async () => {
    const { link } = await asked();
    for (const bad of ['/s/x', '/s/%00', `${link}x`, `/s/${'x'.repeat(2_000)}`, link.replace('/s/', '/u/')]) {
      expect((await test.anyone('GET', bad)).status).toBe(404);
      expect((await answer(bad, 'confirm')).status).toBe(bad.startsWith('/u/') ? 200 : 404);
    }
    expect((await answer(link, 'maybe')).status).toBe(400);
    expect((await test.anyone('POST', link, { answer: 'confirm' })).status).toBe(400);
  });
});

describe('what is typed into a form', () => {
  it('never reaches the email', async () => {
    form = await make({
      fields: [{ key: 'firstName', label: { en: 'Name' }, type: 'TEXT', required: false, options: null }],
    });
    const email = fresh();
    await send({ email, 'fields.firstName': 'https://evil.example {{confirmUrl}}' });
    await processed();
    const request = await requestOf(email);
    expect(request?.data).toEqual({ firstName: 'https://evil.example {{confirmUrl}}' });
    const { contentId, vars } = await prisma().email.findUniqueOrThrow({ where: { id: request?.id ?? '' } });
    const content = await prisma().content.findUniqueOrThrow({ where: { id: contentId } });
    expect(JSON.stringify([content, vars])).not.toContain('evil');
  });
});

describe('a public key of a project that confirms subscriptions', () => {
  const settings = (publicSubscriptions: 'DIRECT' | 'CONFIRM') =>
    prisma().project.update({
      where: { id: test.project.id },
      data: {
        consent: {
          confirmation: { from: sandbox(), fromName: null, replyTo: null, templateId: null },
          publicSubscriptions,
        },
      },
    });
  beforeAll(() => settings('CONFIRM'));
  afterAll(() => settings('DIRECT'));

  const track = (body: object, headers: Record<string, string> = {}) =>
    test.anyone(
      'POST',
      '/v1/track',
      { event: 'signed up', ...body },
      { authorization: `Bearer ${test.project.publicKey}`, ...headers },
    );
  const contactOf = (email: string) =>
    prisma().contact.findFirstOrThrow({ where: { email, projectId: test.project.id } });

  it('asks the owner of the address, and subscribes nobody', async () => {
    const email = fresh();
    expect((await track({ email, subscribed: true, data: { plan: 'pro' } })).status).toBe(200);
    await processed();
    expect(await contactOf(email)).toMatchObject({ subscribed: false, stated: false, data: { plan: 'pro' } });
    const request = await requestOf(email);
    expect(request).toMatchObject({ status: 'PENDING', topics: [1], formId: null, madeContact: false });
    const link = `/s/${encodeConfirmLink(test.services.secrets, request?.id ?? '')}`;
    await test.anyone('POST', link, 'answer=confirm', asForm);
    expect(await contactOf(email)).toMatchObject({ subscribed: true, consentBasis: 'confirmed' });
  });

  it('leaves who says nothing as they are, new contacts without a subscription', async () => {
    const [email, known] = [fresh(), fresh()];
    await upsertContact.run(test.project.ctx, { email: known, subscribed: true });
    for (const each of [email, known]) expect((await track({ email: each })).status).toBe(200);
    await processed();
    expect(await contactOf(email)).toMatchObject({ subscribed: false, stated: false });
    expect(await contactOf(known)).toMatchObject({ subscribed: true });
    expect(await requestOf(email)).toBeNull();
  });

  it('a no counts at once, a yes to a topic is asked for', async () => {
    const key = `t${fresh().replace(/\D/g, '')}`;
    const topic = await createTopic.run(test.project.ctx, { key, name: { en: key }, default: 'OUT' });
    const { number } = await prisma().topic.findUniqueOrThrow({ where: { id: topic.id } });
    const email = fresh();
    await upsertContact.run(test.project.ctx, { email, subscribed: true });
    expect((await track({ email, topics: { [key]: true, general: false } })).status).toBe(200);
    await processed();
    expect(await contactOf(email)).toMatchObject({ subscribed: true, topicsOn: [], topicsOff: [1] });
    expect(await requestOf(email)).toMatchObject({ topics: [number] });
    expect((await track({ email, subscribed: false })).status).toBe(200);
    expect(await contactOf(email)).toMatchObject({ subscribed: false });
  });

  it('a request that is refused asks nobody', async () => {
    const email = fresh();
    const key = { 'idempotency-key': `once-${email}` };
    expect((await track({ email: fresh() }, key)).status).toBe(200);
    expect((await track({ email, subscribed: true }, key)).status).toBe(409);
    expect((await track({ email, subscribed: true, event: 'email.open' })).status).toBe(422);
    expect((await track({ email, subscribed: true, data: { big: 'x'.repeat(70_000) } })).status).toBe(422);
    await processed();
    expect(await prisma().contact.count({ where: { email } })).toBe(0);
    expect(await prisma().formSubmission.count({ where: { email } })).toBe(0);
  });

  it('a secret key subscribes as ever', async () => {
    const email = fresh();
    await upsertContact.run(test.project.ctx, { email, subscribed: true });
    expect(await contactOf(email)).toMatchObject({ subscribed: true });
  });
});

describe('too many unconfirmed requests of a project', () => {
  const usedUp = async () => {
    const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
    await prisma().publicAttempt.create({
      data: {
        scope: 'requests',
        key: Buffer.from(test.project.id.replaceAll('-', ''), 'hex'),
        startsAt: hour,
        projectId: test.project.id,
        count: 500,
        expiresAt: new Date(hour.getTime() + 26 * 3_600_000),
      },
    });
  };
  const notices = () => prisma().content.count({ where: { subject: { startsWith: 'Sign-ups of' } } });

  it('are answered with 429, and told to owners and admins once a day', async () => {
    await usedUp();
    const email = fresh();
    for (let time = 0; time < 3; time += 1) {
      const refused = await sendJson({ email });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    const byProgram = await test.withKey(test.project.secretKey)('POST', '/subscription-requests', { email });
    expect(byProgram.status).toBe(429);
    await processed();
    expect(await prisma().contact.count({ where: { email } })).toBe(0);
    expect(await notices()).toBe(1);
  });
});

describe('a contact that nobody confirmed', () => {
  const days = (count: number) => new Date(Date.now() + count * 86_400_000);
  const asked = async () => {
    const email = fresh();
    await sendJson({ email });
    await processed();
    return email;
  };
  const sweep = (now: Date) => sweepUnconfirmed(test.services, now, 1_000);

  it('is deleted 30 days later, unless anything else is known of it', async () => {
    const emails = [await asked(), await asked(), await asked()] as const;
    const [forgotten, tracked, confirmed] = emails;
    const contactId = async (email: string) =>
      (await prisma().contact.findFirstOrThrow({ where: { email, projectId: test.project.id } })).id;
    await prisma().event.create({
      data: {
        id: crypto.randomUUID(),
        projectId: test.project.id,
        contactId: await contactId(tracked),
        name: 'visited',
      },
    });
    const request = await requestOf(confirmed);
    const link = `/s/${encodeConfirmLink(test.services.secrets, request?.id ?? '')}`;
    await test.anyone('POST', link, 'answer=confirm', asForm);
    await prisma().subscriptionRequest.updateMany({
      where: { status: 'PENDING', projectId: test.project.id },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    });
    await expireSubscriptionRequests(test.services, 1_000);
    // The requests ended a second ago, 7 days after they were made.
    await sweep(days(22));
    expect(await prisma().contact.count({ where: { email: { in: [...emails] } } })).toBe(3);
    await sweep(days(24));
    const left = await prisma().contact.findMany({ where: { email: { in: [...emails] } } });
    expect(left.map(({ email }) => email).toSorted()).toEqual([tracked, confirmed].toSorted());
    expect(await prisma().subscriptionRequest.count({ where: { contactId: request?.contactId ?? '' } })).toBe(
      1,
    );
    expect(await prisma().contact.count({ where: { email: forgotten } })).toBe(0);
  });
});
