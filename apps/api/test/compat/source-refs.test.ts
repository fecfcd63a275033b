import { createSegment, deleteSegment, listContacts } from '@postrider/core/audience/segments';
import { listSourceRefs, removeSourceRef, setSourceRef } from '@postrider/core/content/source-refs';
import { createTemplate, deleteTemplate } from '@postrider/core/content/templates';
import { verifiedDomain } from '@postrider/core/testing';
import sgMail from '@sendgrid/mail';
import FormData from 'form-data';
import Mailgun from 'mailgun.js';
import { ServerClient } from 'postmark';
import { Resend } from 'resend';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CompatStack, domain, from, startCompat } from './compat-kit.ts';

/** Ids of other services in unchanged code find what they became (behaviour B16.11). */
let stack: CompatStack;
let template: { id: string };
let segment: { id: string };
beforeAll(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  stack = await startCompat();
  template = await createTemplate.run(stack.project.ctx, {
    name: 'Moved',
    type: 'TRANSACTIONAL',
    subject: 'Moved {{data.first}}',
    body: '<p>{{data.first}}</p>',
    from,
  });
  segment = await createSegment.run(stack.project.ctx, { name: 'Moved', type: 'STATIC' });
});
afterAll(() => stack.close());

const set = (source: string, kind: string, sourceId: string, id: string) =>
  setSourceRef.runRaw(stack.project.ctx, { source, kind, sourceId, id });
async function otherProject() {
  const other = await stack.other();
  await verifiedDomain(stack.test.services, other.id, 'other.test');
  return other;
}
const theirs = 'team@other.test';
const emailsIn = async (id: string): Promise<string[]> =>
  (await listContacts.run(stack.project.ctx, { segmentId: id, limit: 100 })).data.map(({ email }) => email);

const key = () => stack.project.secretKey;
const clients = {
  resend: () => new Resend(key(), { baseUrl: `${stack.url}/compat/resend` }),
  postmark: () =>
    new ServerClient(key(), {
      requestHost: `${stack.url.replace('http://', '')}/compat/postmark`,
      useHttps: false,
    }),
  mailgun: () =>
    new Mailgun(FormData).client({ username: 'api', key: key(), url: `${stack.url}/compat/mailgun` }),
  sendgrid() {
    sgMail.setApiKey(key());
    const { client } = sgMail as unknown as {
      client: { setDefaultRequest(name: string, value: string): void };
    };
    client.setDefaultRequest('baseUrl', `${stack.url}/compat/sendgrid/`);
    return sgMail;
  },
};

describe('templates', () => {
  it('of each service are found by the id that unchanged code sends', async () => {
    await set('resend', 'TEMPLATE', '34a080c9-b17d-4187-ad80-5af20266e535', template.id);
    await set('postmark', 'TEMPLATE', '1234', template.id);
    await set('sendgrid', 'TEMPLATE', 'd-0123456789abcdef0123456789abcdef', template.id);
    await set('sendgrid', 'TEMPLATE', '13b8f94f-bcae-4ec6-b752-70d6cb59f932', template.id);
    await set('mailgun', 'TEMPLATE', 'Welcome Mail', template.id);
    const { error } = await clients.resend().emails.send({
      to: 'r1@people.test',
      template: { id: '34a080c9-b17d-4187-ad80-5af20266e535', variables: { first: 'Ann' } },
    } as never);
    expect(error).toBeNull();
    await clients.resend().batch.send([
      {
        to: 'r2@people.test',
        template: { id: '34a080c9-b17d-4187-ad80-5af20266e535', variables: { first: 'Ann' } },
      },
    ] as never);
    await clients.postmark().sendEmailWithTemplate({
      From: from,
      To: 'p1@people.test',
      TemplateId: 1234,
      TemplateModel: { first: 'Ann' },
    });
    const batch = await clients.postmark().sendEmailBatchWithTemplates([
      { From: from, To: 'p2@people.test', TemplateId: 1234, TemplateModel: { first: 'Ann' } },
      { From: from, To: 'p3@people.test', TemplateId: 99, TemplateModel: {} },
    ]);
    expect(batch.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 1101]);
    for (const [index, templateId] of [
      'd-0123456789abcdef0123456789abcdef',
      '13b8f94f-bcae-4ec6-b752-70d6cb59f932',
    ].entries())
      await clients.sendgrid().send({
        from,
        to: `s${index}@people.test`,
        templateId,
        dynamicTemplateData: { first: 'Ann' },
      });
    await clients.mailgun().messages.create(domain, {
      from,
      to: 'm1@people.test',
      template: 'Welcome Mail',
      't:variables': JSON.stringify({ first: 'Ann' }),
    });
    for (const to of ['r1', 'r2', 'p1', 'p2', 's0', 'm1'])
      expect([to, (await stack.arrived(`${to}@people.test`)).subject]).toEqual([to, 'Moved Ann']);
    // For an id that does not begin with d-, the client sends no dynamicTemplateData.
    expect((await stack.arrived('s1@people.test')).subject?.trim()).toBe('Moved');
  });

  it('that are unknown are refused as each service refuses them', async () => {
    const { error } = await clients.resend().emails.send({
      to: 'a@people.test',
      template: { id: '00000000-b17d-4187-ad80-5af20266e535' },
    } as never);
    expect(error).toMatchObject({ statusCode: 404, name: 'not_found' });
    await expect(
      clients
        .postmark()
        .sendEmailWithTemplate({ From: from, To: 'a@people.test', TemplateId: 99, TemplateModel: {} }),
    ).rejects.toMatchObject({ code: 1101, statusCode: 422 });
    await expect(
      clients.sendgrid().send({ from, to: 'a@people.test', templateId: 'd-0000' }),
    ).rejects.toMatchObject({ code: 400, response: { body: { errors: [{ field: 'template_id' }] } } });
    await expect(
      clients.mailgun().messages.create(domain, { from, to: 'a@people.test', template: 'Other' }),
    ).rejects.toMatchObject({ status: 400 });
  });
});

describe('lists', () => {
  it('of each service are the segments that they became', async () => {
    const audience = '78261eea-8f8b-4381-83c6-79fa7120f1cf';
    await set('resend', 'SEGMENT', audience, segment.id);
    await set('sendgrid', 'SEGMENT', 'list-1', segment.id);
    await set('mailgun', 'SEGMENT', 'news@lists.example', segment.id);
    const resend = clients.resend();
    expect(
      (await resend.contacts.create({ audienceId: audience, email: 'l1@people.test' })).error,
    ).toBeNull();
    expect(await emailsIn(segment.id)).toEqual(['l1@people.test']);
    const listed = await resend.contacts.list({ segmentId: audience } as never);
    expect(listed.data?.data).toMatchObject([{ email: 'l1@people.test' }]);
    await resend.contacts.create({ email: 'l2@people.test' });
    expect(
      (await resend.contacts.segments.add({ email: 'l2@people.test', segmentId: audience })).error,
    ).toBeNull();
    expect(
      (await resend.contacts.segments.remove({ email: 'l1@people.test', segmentId: audience })).error,
    ).toBeNull();
    const put = await stack.test.withKey(key())('PUT', '/compat/sendgrid/v3/marketing/contacts', {
      list_ids: ['list-1'],
      contacts: [{ email: 'l3@people.test' }],
    });
    expect(put.status).toBe(202);
    await clients.mailgun().lists.members.createMember('News@lists.example', { address: 'l4@people.test' });
    expect((await emailsIn(segment.id)).toSorted()).toEqual([
      'l2@people.test',
      'l3@people.test',
      'l4@people.test',
    ]);
  });

  it('that are unknown store nothing', async () => {
    const before = await stack.stored();
    const put = await stack.test.withKey(key())('PUT', '/compat/sendgrid/v3/marketing/contacts', {
      list_ids: ['list-2'],
      contacts: [{ email: 'l5@people.test' }],
    });
    expect([put.status, await stack.stored()]).toEqual([400, before]);
  });
});

describe('a source reference', () => {
  it('is set, set again, listed and removed, at every door', async () => {
    const send = stack.test.withKey(key());
    const body = { source: 'sendgrid', kind: 'TEMPLATE', sourceId: 'Ünïcode id', id: template.id };
    const first = await send('PUT', '/source-refs', body);
    expect([first.status, first.body]).toEqual([200, { ...body, createdAt: expect.any(String) }]);
    expect((await send('PUT', '/source-refs', body)).body).toEqual(first.body);
    const pages: unknown[] = [];
    let cursor = '';
    do {
      const page = await send(
        'GET',
        `/source-refs?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      expect(page.status).toBe(200);
      pages.push(...page.body.data);
      cursor = page.body.cursor ?? '';
    } while (cursor);
    const all = await listSourceRefs.run(stack.project.ctx, { limit: 100 });
    expect(pages).toHaveLength(all.data.length);
    expect(new Set(pages.map((each) => JSON.stringify(each))).size).toBe(all.data.length);
    const some = await send('GET', '/source-refs?source=mailgun&kind=SEGMENT');
    expect(some.body).toMatchObject({ total: 1, data: [{ sourceId: 'news@lists.example' }] });
    const graphql = await send('POST', '/graphql', {
      query: `mutation { setSourceRef(input: {source: resend, kind: TEMPLATE, sourceId: "g", id: "${template.id}"}) { id sourceId } removeSourceRef(input: {source: resend, kind: TEMPLATE, sourceId: "g"}) }`,
    });
    expect(graphql.body).toMatchObject({
      data: { setSourceRef: { id: template.id, sourceId: 'g' }, removeSourceRef: 'g' },
    });
    const read = await send('POST', '/graphql', {
      query:
        '{ sourceRefs(first: 2, source: sendgrid) { totalCount edges { cursor node { sourceId } } pageInfo { endCursor } } }',
    });
    const after = read.body.data.sourceRefs.pageInfo.endCursor;
    const next = await send('POST', '/graphql', {
      query: `{ sourceRefs(first: 50, source: sendgrid, after: "${after}") { edges { node { sourceId } } } }`,
    });
    expect(read.body.data.sourceRefs.edges.length + next.body.data.sourceRefs.edges.length).toBe(
      read.body.data.sourceRefs.totalCount,
    );
    const { source, kind, sourceId } = body;
    expect((await send('DELETE', '/source-refs', { source, kind, sourceId })).status).toBe(204);
    expect((await send('DELETE', '/source-refs', { source, kind, sourceId })).status).toBe(404);
  });

  it('goes with its target', async () => {
    const gone = await createTemplate.run(stack.project.ctx, {
      name: 'Gone',
      type: 'TRANSACTIONAL',
      subject: 'x',
      body: 'x',
      from,
    });
    const left = await createSegment.run(stack.project.ctx, { name: 'Gone', type: 'STATIC' });
    await set('sendgrid', 'TEMPLATE', 'gone', gone.id);
    await set('sendgrid', 'SEGMENT', 'gone', left.id);
    await deleteTemplate.run(stack.project.ctx, { id: gone.id });
    await deleteSegment.run(stack.project.ctx, { id: left.id });
    const { data } = await listSourceRefs.run(stack.project.ctx, { limit: 100 });
    expect(data.filter(({ sourceId }) => sourceId === 'gone')).toEqual([]);
  });

  it('never leads to a record of another project, nor is it seen by one', async () => {
    const other = await otherProject();
    const foreign = await createTemplate.run(other.ctx, {
      name: 'F',
      type: 'TRANSACTIONAL',
      subject: 'x',
      body: 'x',
      from: theirs,
    });
    const list = await createSegment.run(other.ctx, { name: 'F', type: 'STATIC' });
    await expect(set('sendgrid', 'TEMPLATE', 'f', foreign.id)).rejects.toMatchObject({
      code: 'TEMPLATE_NOT_FOUND',
    });
    await expect(set('sendgrid', 'SEGMENT', 'f', list.id)).rejects.toMatchObject({
      code: 'SEGMENT_NOT_FOUND',
    });
    await expect(set('sendgrid', 'SEGMENT', 'f', template.id)).rejects.toMatchObject({
      code: 'SEGMENT_NOT_FOUND',
    });
    expect((await listSourceRefs.run(other.ctx, {})).data).toEqual([]);
    await expect(
      removeSourceRef.run(other.ctx, { source: 'postmark', kind: 'TEMPLATE', sourceId: '1234' }),
    ).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    const client = new Resend(other.secretKey, { baseUrl: `${stack.url}/compat/resend` });
    const { error } = await client.emails.send({
      to: 'a@people.test',
      template: { id: '34a080c9-b17d-4187-ad80-5af20266e535' },
    } as never);
    expect(error).toMatchObject({ statusCode: 404 });
  });

  it.each([
    [{ source: 'brevo' }, 'source', 'invalid_enum_value'],
    [{ source: '__proto__' }, 'source', 'invalid_enum_value'],
    [{ kind: 'TOPIC' }, 'kind', 'invalid_enum_value'],
    [{ sourceId: '' }, 'sourceId', 'required'],
    [{ sourceId: 'x'.repeat(256) }, 'sourceId', 'too_big'],
    [{ sourceId: 'a\nb' }, 'sourceId', 'custom'],
    [{ sourceId: 'a\u0000' }, 'sourceId', 'custom'],
    [{ sourceId: 12 }, 'sourceId', 'invalid_type'],
    [{ sourceId: { a: 1 } }, 'sourceId', 'invalid_type'],
    [{ id: 'x' }, 'id', 'invalid_string'],
  ])('with %j is refused', async (change, field, code) => {
    const answer = await stack.test.withKey(key())('PUT', '/source-refs', {
      source: 'sendgrid',
      kind: 'TEMPLATE',
      sourceId: 'x',
      id: template.id,
      ...change,
    });
    expect([answer.status, answer.body.error?.errors?.[0] ?? answer.body.errors?.[0]]).toEqual([
      422,
      expect.objectContaining({ field, code }),
    ]);
  });

  it('is one of 10,000 at most, also when several are set at once', async () => {
    const other = await otherProject();
    const target = await createTemplate.run(other.ctx, {
      name: 'T',
      type: 'TRANSACTIONAL',
      subject: 'x',
      body: 'x',
      from: theirs,
    });
    await stack.test.services.database.durable.query(
      `INSERT INTO "SourceRef" ("projectId", "source", "kind", "sourceId", "templateId")
       SELECT $1, 'resend', 'TEMPLATE', n::text, $2 FROM generate_series(1, 9998) n`,
      [other.id, target.id],
    );
    const results = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((sourceId) =>
        setSourceRef.run(other.ctx, { source: 'resend', kind: 'TEMPLATE', sourceId, id: target.id }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await setSourceRef.run(other.ctx, { source: 'resend', kind: 'TEMPLATE', sourceId: '1', id: target.id });
  });

  it('costs hostile references in doors nothing', async () => {
    const ids = ['x'.repeat(100_000), 'a\u0001b', "'; DROP TABLE x; --", '__proto__', '%', '\ud800'];
    for (const id of ids) {
      const { error } = await clients
        .resend()
        .emails.send({ to: 'a@people.test', template: { id } } as never);
      expect([400, 404, 422]).toContain(error?.statusCode);
    }
    for (const TemplateId of [1.5, -1, 2 ** 60, '1234', { a: 1 }, true])
      await expect(
        clients
          .postmark()
          .sendEmailWithTemplate({ From: from, To: 'a@people.test', TemplateId, TemplateModel: {} } as never),
      ).rejects.toMatchObject({ statusCode: 422 });
  });
});
