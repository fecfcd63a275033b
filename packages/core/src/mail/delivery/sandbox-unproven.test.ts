import { type Sink, type SinkMessage, startSink } from '@postrider/local/sink';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { sandboxEmailsPerDay, sandboxLimitError } from '../../people/projects/sandbox.rules.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { takeSandboxSlots } from '../eligibility/index.ts';
import { sendEmail } from '../sending/send-email.ts';
import { readSubmission } from '../submission/read-submission.ts';
import { submitMessage } from '../submission/submit-message.ts';
import { drained, startDelivery, withDelivery } from './delivery.fixture.ts';

let sink: Sink;
let test: TestServices;
let project: TestProject;
/** of the owner, who has not proven it */
let owner: string;

const from = 'sandbox@platform.test';
const prisma = () => test.services.database.prisma;

beforeAll(async () => {
  sink = await startSink({ keepRaw: true });
  test = await createTestServices({
    env: { SMTP_URL: sink.url, PLATFORM_FROM: 'Platform <notices@platform.test>' },
  });
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
});
afterAll(async () => {
  await test.close();
  await sink.stop();
});
beforeEach(async () => {
  sink.clear();
  project = await createTestProject(test.services, { name: 'Your Bank' });
  owner = await prove(false);
});

async function prove(emailVerified: boolean): Promise<string> {
  const user = await prisma().user.update({ where: { id: project.ownerId }, data: { emailVerified } });
  return user.email;
}

const send = (given: object = {}, of: TestProject = project) =>
  sendEmail.runRaw(of.ctx, { to: owner, from, subject: 'Hello', body: '<p>Hi</p>', ...given });

const deliver = () => withDelivery(test.services, sink.url, () => drained(test.services, project.id));

/** Another project of the same owner. */
async function sibling(): Promise<TestProject> {
  const made = await createTestProject(test.services);
  await prisma().member.updateMany({
    where: { projectId: made.id, role: 'OWNER' },
    data: { userId: project.ownerId },
  });
  return made;
}

/** How many emails ended with each status, reason and error. */
async function outcomes(projects = [project]): Promise<Record<string, number>> {
  const emails = await prisma().email.findMany({
    where: { projectId: { in: projects.map(({ id }) => id) } },
  });
  const counts: Record<string, number> = {};
  for (const { status, reason, error } of emails) {
    const outcome = [status, reason, error].filter((part) => part !== null).join(' ');
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

const beyond = `SKIPPED sandbox ${sandboxLimitError}`;
const read = ({ raw = '' }: SinkMessage) => PostalMime.parse(raw);
const onlyMessage = async () => {
  const [message, ...others] = sink.messages();
  expect(others).toEqual([]);
  if (!message) throw new Error('no message arrived');
  return read(message);
};
const note = /^Test email\. Somebody signed up at localhost:3000 with this address\. If it was not you: /;

describe('email from the sandbox of an owner who has not proven the address (B11.4)', () => {
  it('goes to that address only: other members get nothing, proven or not', async () => {
    const member = `${newId()}@people.test`;
    await prisma().user.create({
      data: {
        id: newId(),
        email: member,
        emailVerified: true,
        memberships: { create: { projectId: project.id, role: 'ADMIN' } },
      },
    });
    await send({ to: [owner, member, 'customer@people.test'] });
    await deliver();
    expect(await outcomes()).toEqual({ SENT: 1, 'SKIPPED sandbox': 2 });
    expect(sink.messages().map(({ to }) => to)).toEqual([[owner]]);
  });

  it('is a test of the platform, whatever the request says: its name, a note, no attachments; the subject is kept', async () => {
    const attachment = { filename: 'invoice.pdf', content: 'aGk=', contentType: 'application/pdf' };
    await send({
      subject: 'Your account',
      from: { email: from, name: 'Your Bank' },
      body: '<p>Pay <a href="https://evil.example">here</a></p>',
      attachments: [attachment],
    });
    await deliver();
    const message = await onlyMessage();
    expect(message.from).toEqual({ name: 'Platform', address: from });
    expect(message.subject).toBe('Your account');
    expect(message.attachments).toEqual([]);
    expect(message.text).toMatch(note);
    expect(message.html).toMatch(/<body>\s*<div lang="en"[^>]*>Test email\. Somebody signed up at/);
    expect(message.html).toMatch(/<\/div>\s*<p>Pay <a /);
  });

  it.each([
    [
      'a document',
      '<!DOCTYPE html><html><head><style>div{display:none!important}</style></head><body>Hi</body></html>',
    ],
    ['a comment around its start', '<!-- <html><body> --><p>Hi</p><!-- </body> -->'],
    ['an open comment', '<!-- Hi'],
    ['an open template', '<template><p>Hi</p>'],
    ['a program', '{% if contact.email %}<html><body>Hi</body></html>{% endif %}'],
  ])('has the note before everything else, in HTML and text: %s', async (_, body) => {
    await send({ body });
    await deliver();
    const { html = '', text } = await onlyMessage();
    expect(text).toMatch(note);
    const shown = html.replace(/^(<!DOCTYPE html>|<html[^>]*>|<head>[\s\S]*?<\/head>|<body>|\s)*/i, '');
    expect(shown).toMatch(/^<div lang="en" dir="ltr" style="display:block !important;[^"]*">Test email\./);
  });

  it.each([
    ['HTML', 'text/html', '<p>{{ 1 | plus: 1 }} Pay</p>'],
    ['text', 'text/plain', '{{ 1 | plus: 1 }} Pay'],
  ])('writes a submitted message anew from its %s, which is no template', async (_, type, content) => {
    const source = `From: Your Bank <${from}>\r\nTo: ${owner}\r\nSubject: {{ 1 }}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;
    const submission = readSubmission(Buffer.from(source));
    await submitMessage.run(project.ctx, { submission, recipients: [owner] });
    await deliver();
    const message = await onlyMessage();
    expect(message.from?.name).toBe('Platform');
    expect(message.subject).toBe('{{ 1 }}');
    expect(message.text).toMatch(note);
    expect(message.text).toContain('{{ 1 | plus: 1 }} Pay');
  });

  it('has the note in the language of the owner', async () => {
    await prisma().user.update({ where: { id: project.ownerId }, data: { language: 'de' } });
    await send();
    await deliver();
    expect((await onlyMessage()).text).toMatch(
      /^Test-E-Mail\. Jemand hat sich mit dieser Adresse bei localhost:3000/,
    );
  });

  it('tracks no click on the link of the note, and the links of the body keep their numbers', async () => {
    await send({ body: '<p><a href="https://shop.example/a">A</a></p>', tracking: true });
    await prisma().email.updateMany({ where: { projectId: project.id }, data: { tracked: true } });
    await deliver();
    const { html = '' } = await onlyMessage();
    expect(html).toMatch(/href="http:\/\/localhost:3000\/u\/not-me\/u[\w-]+"/);
    expect(html.match(/\/t\/c\/[\w-]+/g)).toEqual([expect.stringMatching(/-0-[\w-]{12}$/)]);
  });

  it('ends with the proof: then nothing is marked, and nothing counted', async () => {
    for (let n = 0; n <= sandboxEmailsPerDay; n += 1) await send();
    await prove(true);
    await deliver();
    expect(await outcomes()).toEqual({ SENT: sandboxEmailsPerDay + 1 });
    for (const message of sink.messages()) {
      const { html = '', from: sender } = await read(message);
      expect(html).not.toContain('Test email');
      expect(sender?.name).toBe('Your Bank');
    }
  });
});

describe('the first five of a day', () => {
  it('are sent over all projects of the owner, by many requests and processes at a time: never more, never fewer', async () => {
    const projects = [project, await sibling(), await sibling()];
    const processes = [1, 2, 3].map(() => startDelivery(test.services, sink.url, { connections: 2 }));
    try {
      await Promise.all(Array.from({ length: 60 }, (_, n) => send({}, projects[n % projects.length])));
      for (const { id } of projects) await drained(test.services, id);
    } finally {
      await Promise.all(processes.map((runtime) => runtime.stop()));
    }
    expect(await outcomes(projects)).toEqual({
      SENT: sandboxEmailsPerDay,
      [beyond]: 60 - sandboxEmailsPerDay,
    });
    expect(sink.messages()).toHaveLength(sandboxEmailsPerDay);
  });

  it('are not more when emails with smaller ids become visible later', async () => {
    const ids = Array.from({ length: 3 * sandboxEmailsPerDay }, newId);
    const client = await test.services.database.durable.connect();
    const takeFor = async (part: string[]) =>
      (
        await takeSandboxSlots(
          client,
          part.map((id) => ({ id, ownerId: project.ownerId })),
          sandboxEmailsPerDay,
        )
      ).size;
    try {
      const late = ids.slice(0, 2 * sandboxEmailsPerDay);
      expect(await takeFor(ids.slice(2 * sandboxEmailsPerDay))).toBe(sandboxEmailsPerDay);
      expect(await takeFor(late)).toBe(0);
      // Claimed again, after its process has ended.
      expect(await takeFor(ids)).toBe(sandboxEmailsPerDay);
    } finally {
      client.release();
    }
  });

  it('leave each day five of its own', async () => {
    const dayLater = (id: string) => {
      const time = (Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) + 86_400_000)
        .toString(16)
        .padStart(12, '0');
      return `${time.slice(0, 8)}-${time.slice(8)}${id.slice(13)}`;
    };
    const ids = Array.from({ length: 7 }, newId);
    const client = await test.services.database.durable.connect();
    try {
      const mails = [...ids, ...ids.map(dayLater)].map((id) => ({ id, ownerId: project.ownerId }));
      const taken = await takeSandboxSlots(client, mails, sandboxEmailsPerDay);
      expect([...taken].sort()).toEqual([...ids.slice(0, 5), ...ids.slice(0, 5).map(dayLater)].sort());
    } finally {
      client.release();
    }
  });

  it('do not include what is skipped for another reason', async () => {
    for (let n = 0; n < 8; n += 1) await send({ to: `customer-${n}@people.test` });
    await send();
    await deliver();
    expect(await outcomes()).toEqual({ SENT: 1, 'SKIPPED sandbox': 8 });
  });
});
