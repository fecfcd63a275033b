import { randomBytes } from 'node:crypto';
import { composeServices } from '@postrider/core/adapters';
import { createSegment } from '@postrider/core/audience/segments';
import { createCampaign } from '@postrider/core/automation/campaigns';
import { addStep, createWorkflow, updateWorkflow } from '@postrider/core/automation/workflows';
import { type Context, readConfig, type Services, systemContext } from '@postrider/core/base/kernel';
import { createTemplate } from '@postrider/core/content/templates';
import { createDomain } from '@postrider/core/people/domains';
import { createProject } from '@postrider/core/people/projects';
import { signup } from '@postrider/core/people/users';
import type { DemoAccess } from '@postrider/local/demo';
import { pino } from 'pino';
import { applyAccess, wantedAccess } from './change-demo.ts';

const demoContacts = 5_000;

/** A column of text that every email program shows alike. */
const letter = (content: string): string =>
  `<div style="max-width:560px;margin:0 auto;padding:32px 16px;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.6;color:#1c1b1a">
${content}
</div>`;

const welcomeBody =
  letter(`<h1 style="margin:0 0 16px;font-size:26px;line-height:1.25">Welcome, {{firstName ?? there}}</h1>
<p>You are on the <strong>{{plan ?? free}}</strong> plan. Reply to this email, or read <a href="https://docs.example.com/start" style="color:#2b4fb0">how to get started</a>.</p>`);

const newsBody = letter(`<h1 style="margin:0 0 16px;font-size:26px;line-height:1.25">What's new</h1>
<p>Hello {{firstName ?? there}},</p>
<p>Every recipient of this campaign has a row in the ledger: sent, failed, skipped or uncertain, with the reason. None is lost, and none gets the email twice.</p>
<p><a href="https://news.example.com/ledger" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#24315e;color:#ffffff;text-decoration:none">Read how it works</a></p>`);

/**
 * Creates the demo account: a project with keys, a domain marked as verified without DNS records, contacts, a
 * template, a segment, a workflow and a campaign draft. Does nothing on a database that already has accounts.
 */
export async function seedDemo(): Promise<DemoAccess | undefined> {
  const services = composeServices(readConfig(process.env), pino({ level: 'warn' }), { connections: 4 });
  try {
    if ((await services.database.prisma.user.count()) > 0) return undefined;
    const made = await makeDemo(services, 'demo');
    return await applyAccess(services, made, wantedAccess(services, made));
  } finally {
    await services.close();
  }
}

/** Creates an additional demo account, so that tests can share a database. The name is part of its addresses. */
export async function seedAnotherDemo(name: string): Promise<DemoAccess> {
  const services = composeServices(readConfig(process.env), pino({ level: 'warn' }), { connections: 4 });
  try {
    return await makeDemo(services, name);
  } finally {
    await services.close();
  }
}

async function makeDemo(services: Services, name: string): Promise<DemoAccess> {
  // Names reserved for examples (RFC 2606), so that demo emails can never reach a real mailbox.
  const demoDomain = `mail.${name}.example`;
  const demoLogin = `demo@${name}.example`;
  const password = randomBytes(9).toString('base64url');
  const { setupToken } = services.secrets;
  const account = await signup.run(systemContext(services), { email: demoLogin, password, setupToken });
  // The mailbox of the demo is on this machine: there is nobody else whom its address could belong to.
  await services.database.prisma.user.update({ where: { id: account.id }, data: { emailVerified: true } });
  const person: Context = {
    ...systemContext(services),
    actor: { type: 'user', userId: account.id, emailVerified: true, projectId: null, role: null },
  };
  const project = await createProject.run(person, { name: 'Demo' });
  const inProject = systemContext(services, {
    project: {
      id: project.id,
      name: project.name,
      disabled: false,
      language: 'en',
      timeZone: 'UTC',
      tracking: 'ENABLED',
      definesFields: false,
    },
  });
  const domain = await createDomain.run(inProject, { domain: demoDomain });
  await services.database.prisma.domain.update({
    where: { id: domain.id },
    // Never checked again: the domain has no DNS records.
    data: { status: 'VERIFIED', verifiedBy: null, verifiedAt: new Date(), nextCheckAt: null, wakeSeq: 0 },
  });
  await addContacts(services, project.id);
  const from = `hello@${demoDomain}`;
  const welcome = await createTemplate.run(inProject, {
    name: 'Welcome',
    description: 'Sent when a contact signs up',
    subject: 'Welcome, {{firstName ?? there}}',
    body: welcomeBody,
    from,
    fromName: 'Demo',
    type: 'TRANSACTIONAL',
  });
  await createSegment.run(inProject, {
    name: 'Pro plan',
    description: 'Contacts on the pro plan',
    type: 'DYNAMIC',
    condition: {
      logic: 'AND',
      groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }],
    },
  });
  await addWelcomeWorkflow(inProject, welcome.id);
  await createCampaign.run(inProject, {
    name: 'First newsletter',
    description: 'A draft to try out: send it and watch the progress',
    subject: 'News for {{firstName ?? you}}',
    body: newsBody,
    from,
    fromName: 'Demo',
    type: 'MARKETING',
    audienceType: 'ALL',
  });
  if (project.secret === null) throw new Error('the owner of a new project must see its secret key');
  return { email: demoLogin, password, secretKey: project.secret, publicKey: project.public, from };
}

/** Tracking `signed up` sends the welcome email, once per contact. */
async function addWelcomeWorkflow(inProject: Context, templateId: string): Promise<void> {
  const { id } = await createWorkflow.run(inProject, { name: 'Welcome', eventName: 'signed up' });
  await addStep.run(inProject, {
    id,
    type: 'SEND_EMAIL',
    name: 'Send the welcome email',
    position: { x: 100, y: 250 },
    config: {},
    templateId,
  });
  await updateWorkflow.run(inProject, { id, enabled: true });
}

/** One statement, so that the demo data does not slow down the first start. */
async function addContacts(services: Services, projectId: string): Promise<void> {
  await services.database.prisma.$executeRaw`
WITH "made" AS (
  INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "data", "createdAt", "optOutBy", "consentBasis", "consentedAt", "consentSeq")
  SELECT uuid7(), ${projectId}::uuid, 'contact-' || lpad(n::text, 4, '0') || '@people.example', n % 20 <> 0,
    jsonb_build_object('firstName', 'Contact ' || n, 'plan', (ARRAY['free', 'pro', 'team'])[1 + n % 3], 'seats', n % 50), p."at",
    CASE WHEN n % 20 = 0 THEN 'request' END::"OptOutBy", CASE WHEN n % 20 <> 0 THEN 'given' END::"ConsentBasis", CASE WHEN n % 20 <> 0 THEN p."at" END,
    nextval('"ConsentSeq"')
  FROM generate_series(1, ${demoContacts}::int) AS n
  CROSS JOIN LATERAL (SELECT now() - (${demoContacts}::int - n) * interval '7 minutes' AS "at") p
  RETURNING *
)
INSERT INTO "ConsentAct" ("seq", "projectId", "contactId", "at", "action", "effect", "source", "actor", "basis", "optOutBy")
SELECT "consentSeq", "projectId", "id", "createdAt", CASE WHEN "subscribed" THEN 'subscribe' ELSE 'unsubscribe' END::"ConsentAction", 'changed', 'import', 'system',
  "consentBasis", "optOutBy" FROM "made"`;
}
