import { issueSession, sessionCookie } from '@postrider/core/people/users';
import { createTestUser, type TestProject, verifiedDomain } from '@postrider/core/testing';
import type { Send, TestApp } from './harness.ts';
import type { Json } from './openapi-walk.ts';

/** What an id of the API can name. */
export const kinds = [
  'project',
  'contact',
  'template',
  'campaign',
  'segment',
  'goal',
  'wording',
  'workflow',
  'step',
  'transition',
  'execution',
  'domain',
  'email',
  'endpoint',
  'delivery',
  'replay',
  'import',
  'bulk',
  'export',
  'key',
  'user',
  'session',
] as const;
export type Kind = (typeof kinds)[number];
/** The id of a record of every kind in one project, and an address that it may send from. */
export interface World extends Record<Kind, string> {
  secondStep: string;
  from: string;
}

const everyone = {
  logic: 'AND',
  groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@' }] }],
};
/** Creates a record of every kind in a project; every text of them contains the name. */
export async function worldOf(test: TestApp, project: TestProject, name: string): Promise<World> {
  const send = test.withKey(project.secretKey);
  const headers = {
    cookie: `${sessionCookie}=${await issueSession(test.services, { id: project.ownerId })}`,
    'x-project-id': project.id,
    'sec-fetch-site': 'same-origin',
  };
  const make = async (url: string, body: object = {}): Promise<Json> => {
    const isOwners = url.startsWith('/users/');
    const answer = await (isOwners ? test.anyone : send)('POST', url, body, isOwners ? headers : {});
    if (answer.status >= 300) throw new Error(`${url}: ${answer.text}`);
    return answer.body.success ? answer.body.data : answer.body;
  };
  const domain = await verifiedDomain(test.services, project.id, `${name}.example.com`);
  const from = `${name}@${name}.example.com`;
  const mail = { subject: name, body: `<p>${name}</p>`, from };
  const contact = (await make('/contacts', { email: from, data: { name } })).id;
  const template = (await make('/templates', { ...mail, name })).id;
  const workflow = (await make('/workflows', { name, eventName: 'signup' })).id;
  const position = { x: 0, y: 0 };
  const wait = { type: 'DELAY', position, config: { amount: 1, unit: 'days' } };
  const step = (await make(`/workflows/${workflow}/steps`, { ...wait, name })).id;
  const secondStep = (await make(`/workflows/${workflow}/steps`, { ...wait, name: `${name} 2` })).id;
  const detail = (await send('GET', `/workflows/${workflow}`)).body;
  await enable();
  const endpoint = (await make('/webhook-endpoints', { url: 'https://hooks.example.com/', types: ['*'] })).id;
  const user = await createTestUser(test.services, from);
  const { prisma } = test.services.database;
  await prisma.member.create({ data: { projectId: project.id, userId: user, role: 'MEMBER' } });
  await issueSession(test.services, { id: user });
  const range = { from: '2026-01-01', to: '2099-01-01' };
  const execution = (await make(`/workflows/${workflow}/executions`, { contactId: contact })).id;
  await send('DELETE', `/workflows/${workflow}/executions/${execution}`);
  return {
    project: project.id,
    domain,
    from,
    contact,
    template,
    campaign: (await make('/campaigns', { ...mail, name, audienceType: 'ALL' })).id,
    segment: (await make('/segments', { name, condition: everyone })).id,
    goal: (await make('/goals', { name, eventName: 'order.paid' })).id,
    wording: (await make('/wordings', { language: 'en', text: name })).id,
    workflow,
    step,
    secondStep,
    transition: detail.transitions[0].id,
    execution,
    email: (await make('/v1/send', { ...mail, to: from })).emails[0].email,
    endpoint,
    delivery: (await make(`/webhook-endpoints/${endpoint}/test`)).deliveryId,
    replay: (await make(`/webhook-endpoints/${endpoint}/replay`, range)).id,
    import: await importOf(send),
    bulk: (await make('/contacts/bulk-subscribe', { contactIds: [contact] })).jobId,
    export: (await make('/exports', { type: 'contacts' })).id,
    key: (await make(`/users/@me/projects/${project.id}/keys`, { name, scope: 'read' })).id,
    user,
    session: (await prisma.session.findFirstOrThrow({ where: { userId: user } })).id,
  };

  async function enable(): Promise<void> {
    const enabled = await send('PATCH', `/workflows/${workflow}`, { enabled: true });
    if (enabled.status !== 200) throw new Error(enabled.text);
  }
}

async function importOf(send: Send): Promise<string> {
  const file = 'content-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv';
  const form = `--x\r\n${file}\r\n\r\nemail\na@people.test\r\n--x--\r\n`;
  const answer = await send('POST', '/contacts/import', form, {
    'content-type': 'multipart/form-data; boundary=x',
  });
  return answer.body.jobId;
}
