import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countFilter } from '../../audience/segments/index.ts';
import { createTopic, listTopics, type ReceivedTopic } from '../../audience/topics/index.ts';
import { Prisma } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTemplate } from '../../content/templates/index.ts';
import { type TestProject, verifiedDomain } from '../../testing/index.ts';
import { refusalOf } from '../delivery/intake.ts';
import { anyoneToSendTo, breakDownAudience, countAudience } from '../ledger/audience.store.ts';
import { storeContent } from '../ledger/content.store.ts';
import { insertCampaignEmails } from '../ledger/freeze.store.ts';
import { countersOf, openTestLedger, type TestLedger } from '../ledger/ledger.fixture.ts';
import {
  insertWorkflowEmails,
  judgeEmailsOfSteps,
  type WorkflowMailContent,
} from '../ledger/workflow.store.ts';
import { sendBatch } from './send-batch.ts';
import { sendEmail } from './send-email.ts';

/** The table of behaviour B12.3, every row and column of it, by each way that writes email. */

const statuses = ['subscribed', 'snoozed', 'pending', 'never', 'unsubscribed'] as const;
const choices = ['none', 'yes', 'no'] as const;
const types = ['MARKETING', 'HEADLESS', 'TRANSACTIONAL'] as const;
const topics = [null, 'news', 'labs'] as const;
const either = [true, false];

interface State {
  status: (typeof statuses)[number];
  /** of every topic, `general` included */
  choice: (typeof choices)[number];
  topicDefaults: boolean;
  suppressed: boolean;
}

const states: State[] = statuses.flatMap((status) =>
  choices.flatMap((choice) =>
    either.flatMap((topicDefaults) =>
      either.map((suppressed) => ({ status, choice, topicDefaults, suppressed })),
    ),
  ),
);

interface Kind {
  type: (typeof types)[number];
  topic: (typeof topics)[number];
}

const kinds: Kind[] = types.flatMap((type) => topics.map((topic) => ({ type, topic })));

/** `news` and `general` are received without a choice, `labs` is not. */
const isIn = (topic: Kind['topic']): boolean => topic !== 'labs';

const receives = ({ status, choice, topicDefaults }: State, topic: Kind['topic']): boolean =>
  status === 'subscribed' && (choice === 'yes' || (choice === 'none' && isIn(topic) && topicDefaults));

/** Why a contact does not get an email; null when it does. */
function expected({ type, topic }: Kind, state: State): string | null {
  if (type === 'TRANSACTIONAL') {
    if (topic !== null && state.choice === 'no') return 'topic';
  } else {
    if (state.status !== 'subscribed') return 'unsubscribed';
    if (!receives(state, topic)) return 'topic';
  }
  return state.suppressed ? 'suppressed' : null;
}

/** The same of email about another contact to the address of this one. */
function expectedOfOther({ type, topic }: Kind, state: State): string | null {
  if (type !== 'TRANSACTIONAL' && (state.status === 'unsubscribed' || state.status === 'snoozed'))
    return 'unsubscribed';
  if ((type !== 'TRANSACTIONAL' || topic !== null) && state.choice === 'no') return 'topic';
  return state.suppressed ? 'suppressed' : null;
}

const from = 'team@shop.test';

let ledger: TestLedger;
let project: TestProject;
let domainId: string;
let people: { id: string; email: string; state: State }[];
/** the topics of `general`, `news`, `labs` by key */
let byKey: Map<string, ReceivedTopic & { id: string }>;

const prisma = () => ledger.test.services.database.prisma;
const ofProject = () => ({ projectId: project.id });

/** Gives every contact a state, as its acts would. */
async function write(states: readonly State[]): Promise<void> {
  await prisma().suppression.deleteMany({ where: ofProject() });
  for (const [index, person] of people.entries()) {
    const state = states[index];
    if (!state) throw new Error('a contact has no state');
    person.state = state;
    const { status, choice, topicDefaults } = state;
    const numbers = [...byKey.values()].map(({ number }) => number);
    await prisma().$executeRaw`
      UPDATE "Contact" SET "subscribed" = ${status === 'subscribed'}, "stated" = ${status !== 'never' && status !== 'pending'},
        "snoozedUntil" = CASE WHEN ${status === 'snoozed'} THEN now() + interval '1 day' END,
        "pendingUntil" = CASE WHEN ${status === 'pending'} THEN now() + interval '1 day' END,
        "subscriptionChangedAt" = CASE WHEN ${status === 'unsubscribed'} THEN now() END,
        "topicsOn" = ${choice === 'yes' ? numbers : []}::smallint[], "topicsOff" = ${choice === 'no' ? numbers : []}::smallint[],
        "topicDefaults" = ${topicDefaults}, "consentSeq" = nextval('"ConsentSeq"')
      WHERE "id" = ${person.id}::uuid`;
  }
  await prisma().suppression.createMany({
    data: people
      .filter(({ state }) => state.suppressed)
      .map(({ email }) => ({ ...ofProject(), email, reason: 'MANUAL' as const })),
  });
}

const topicOf = (key: Kind['topic']) => (key === null ? null : (byKey.get(key) ?? null));
const contentOf = ({ type, topic }: Kind, sourceType: 'CAMPAIGN' | 'WORKFLOW') => {
  const { id } = topicOf(topic) ?? {};
  return storeContent(prisma(), {
    ...ofProject(),
    ...{ type, sourceType, subject: `${type} ${topic}`, preheader: null, body: 'B', text: null, from },
    ...{ fromName: null, replyTo: null, headers: {}, projectName: 'Shop', language: 'en' },
    ...(id !== undefined && { topicId: id }),
    attachments: [],
  });
};

beforeAll(async () => {
  ledger = await openTestLedger();
  const { services } = ledger.test;
  Object.assign(services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  project = await ledger.newProject();
  await verifiedDomain(services, project.id, 'shop.test');
  ({ id: domainId } = await prisma().domain.findFirstOrThrow({ where: ofProject() }));
  await createTopic.run(project.ctx, { key: 'news', name: { en: 'News' }, default: 'IN' });
  await createTopic.run(project.ctx, { key: 'labs', name: { en: 'Labs' }, default: 'OUT' });
  const rows = await prisma().topic.findMany({ where: ofProject() });
  byKey = new Map(rows.map((row) => [row.key, row]));
  people = states.map((state, index) => ({ id: newId(), email: `n${index}@people.test`, state }));
  await prisma().contact.createMany({
    data: people.map(({ id, email }) => ({ id, email, ...ofProject(), subscribed: false })),
  });
  await write(states);
});
afterAll(() => ledger.close());

const missed = (kind: Kind): string =>
  people.map(({ email, state }) => `${email} ${expected(kind, state)}`).join('\n');

describe('a campaign', () => {
  it.each(kinds)('of $type with the topic $topic', async (kind) => {
    await write(states);
    const { type, topic } = kind;
    const audience = { ...ofProject(), type, topic: topicOf(topic) };
    const reasons = people.map(({ state }) => expected(kind, state));
    const count = (reason: string | null) => reasons.filter((each) => each === reason).length;
    const statusCount = (status: State['status']) =>
      type === 'TRANSACTIONAL' ? 0 : people.filter(({ state }) => state.status === status).length;
    const figures = {
      matched: people.length,
      willSend: count(null),
      ...{ unsubscribed: count('unsubscribed'), topic: count('topic'), suppressed: count('suppressed') },
      ...{ invalid: 0, duplicate: 0, sandbox: 0 },
      notSubscribed: {
        unsubscribed: statusCount('unsubscribed'),
        never: statusCount('never'),
        pending: statusCount('pending'),
        snoozed: statusCount('snoozed'),
      },
    };
    expect(await breakDownAudience(prisma(), audience, false)).toEqual(figures);
    const scanned = { ...audience, condition: Prisma.sql`c."email" <> ''` };
    expect(await breakDownAudience(prisma(), scanned, false)).toEqual(figures);
    const inAudience = count(null) + count('suppressed');
    expect(await countAudience(prisma(), audience)).toBe(inAudience);
    expect(await anyoneToSendTo(prisma(), audience)).toBe(count(null) > 0);

    const campaignId = newId();
    await prisma().campaign.create({
      data: {
        ...{ id: campaignId, ...ofProject(), name: 'C', subject: 'S', body: 'B', from, type },
        ...{ status: 'SENDING', audienceType: 'ALL' },
      },
    });
    await prisma().campaignCounter.create({ data: { campaignId, ...ofProject() } });
    const frozen = await insertCampaignEmails(prisma(), {
      ...audience,
      ...{ campaignId, contentId: await contentOf(kind, 'CAMPAIGN'), templateId: null, domainId },
      ...{ tracked: false, sentAt: new Date(), addressSalt: Buffer.from('salt'), batchSize: 7 },
      ...{ after: null, limit: null, held: false, careful: false, local: null, holdout: 0, test: null },
    });
    expect(frozen).toMatchObject({
      total: inAudience,
      skipped: count('suppressed') > 0 ? { suppressed: count('suppressed') } : {},
    });
    const written = await prisma().email.findMany({ where: { campaignId } });
    const of = new Map(written.map(({ contactId, reason }) => [contactId, reason]));
    expect(
      people
        .map(({ id, email }, index) => {
          const isIn = reasons[index] === null || reasons[index] === 'suppressed';
          return `${email} ${isIn ? (of.has(id) ? of.get(id) : 'missing') : of.has(id) ? 'written' : reasons[index]}`;
        })
        .join('\n'),
    ).toBe(missed(kind));

    // Everybody changes their mind before the claim.
    const waiting = new Set(people.filter((_, index) => reasons[index] === null).map(({ id }) => id));
    await write(states.map((_, index) => states[(index + 37) % states.length] as State));
    const claimed = new Map<string, string | null>();
    for (;;) {
      const held = await ledger.take(project.id, { kind: 'bulk' });
      if (held.length === 0) break;
      for (const each of held) {
        for (const email of each.emails) {
          const refusal = refusalOf(each.batch, email);
          claimed.set(email.contactId ?? '', refusal?.reason ?? refusal?.outcome ?? null);
          each.answer(email.n, refusal ?? { outcome: 'sent' });
        }
        await each.begin(...each.emails.filter(({ contactId }) => claimed.get(contactId ?? '') === null));
        await each.record();
        await each.write();
      }
    }
    const late = people.filter(({ id }) => waiting.has(id));
    expect(late.map(({ id, email }) => `${email} ${claimed.get(id)}`)).toEqual(
      late.map(({ email, state }) => `${email} ${expected(kind, state)}`),
    );
    const skips = Object.groupBy(late, ({ state }) => expected(kind, state) ?? 'sent');
    const counters = await countersOf(ledger.test, campaignId);
    const { sent = [], ...skipped } = skips;
    expect(counters.sentCount).toBe(sent.length);
    expect(counters.skips).toEqual(
      Object.fromEntries(Object.entries(skipped).map(([reason, all]) => [reason, all?.length])),
    );
    expect(counters.sentCount + counters.skippedCount).toBe(late.length);
  });
});

describe('a step of a workflow', () => {
  const mailOf = (
    content: WorkflowMailContent,
    contactId: string,
    custom: { email: string } | null = null,
  ) => ({
    ...{ id: newId(), content, contactId, vars: {}, workflowExecutionId: newId() },
    workflowStepExecutionId: newId(),
    customAddress: custom?.email ?? null,
    customHash: custom ? 'ff' : null,
  });
  const prepared = async (kind: Kind): Promise<WorkflowMailContent> => {
    const topic = topicOf(kind.topic);
    return {
      ...{ contentId: await contentOf(kind, 'WORKFLOW'), templateId: newId(), domainId },
      ...{ type: kind.type, tracked: false },
      topicNumber: topic?.number ?? null,
      topicIsIn: topic ? topic.default === 'IN' : null,
    };
  };
  const insert = (mails: ReturnType<typeof mailOf>[]) =>
    insertWorkflowEmails(prisma(), {
      ...ofProject(),
      mails,
      caps: { billed: false, ramp: null },
      isStorageFull: false,
    });

  it.each(kinds)('with a template of $type and the topic $topic, at once and at the claim', async (kind) => {
    await write(states);
    const content = await prepared(kind);
    const written = await insert(people.map(({ id }) => mailOf(content, id)));
    expect(people.map(({ email }, n) => `${email} ${written[n]?.reason}`).join('\n')).toBe(missed(kind));
    const numbers = [...byKey.values()].map(({ number }) => number);
    const judged = await judgeEmailsOfSteps(
      prisma(),
      project.id,
      people.map(({ email, state: { status, choice, topicDefaults } }) => ({
        ...{ content, customAddress: null, customHash: null, email },
        ...{ subscribed: status === 'subscribed', topicDefaults },
        topicsOn: choice === 'yes' ? numbers : [],
        topicsOff: choice === 'no' ? numbers : [],
      })),
    );
    expect(people.map(({ email }, n) => `${email} ${judged[n]?.reason}`).join('\n')).toBe(missed(kind));

    const waiting = new Set(people.filter((_, n) => written[n]?.reason === null).map(({ id }) => id));
    await write(states.map((_, index) => states[(index + 23) % states.length] as State));
    const found = new Map<string, string | null>();
    for (const held of await ledger.take(project.id)) {
      for (const email of held.emails)
        found.set(email.contactId ?? '', refusalOf(held.batch, email)?.reason ?? null);
      await held.settle({ outcome: 'sent' });
    }
    const late = people.filter(({ id }) => waiting.has(id));
    expect(late.map(({ id, email }) => `${email} ${found.get(id)}`)).toEqual(
      late.map(({ email, state }) => `${email} ${expected(kind, state)}`),
    );
  });

  it.each(kinds)('to another person, with a template of $type and the topic $topic', async (kind) => {
    await write(states);
    const content = await prepared(kind);
    const author = newId();
    await prisma().$executeRaw`
      INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "topicDefaults", "consentSeq")
      VALUES (${author}::uuid, ${project.id}::uuid, ${`${author}@people.test`}, true, true, nextval('"ConsentSeq"'))`;
    const written = await insert(people.map((person) => mailOf(content, author, person)));
    expect(people.map(({ email }, n) => `${email} ${written[n]?.reason}`)).toEqual(
      people.map(({ email, state }) => `${email} ${expectedOfOther(kind, state)}`),
    );
    await write(states.map((_, index) => states[(index + 11) % states.length] as State));
    const late = new Map<string, string | null>();
    for (const held of await ledger.take(project.id)) {
      for (const email of held.emails) late.set(email.to, refusalOf(held.batch, email)?.reason ?? null);
      await held.settle({ outcome: 'sent' });
    }
    const waiting = people.filter((_, n) => written[n]?.reason === null);
    expect(waiting.map(({ email }) => `${email} ${late.get(email)}`)).toEqual(
      waiting.map(({ email, state }) => `${email} ${expectedOfOther(kind, state)}`),
    );
    await prisma().contact.delete({ where: { id: author } });
  });
});

describe('/v1/send', () => {
  const templates = new Map<Kind, string>();
  beforeAll(async () => {
    await write(states);
    for (const kind of kinds) {
      const { type, topic } = kind;
      const input = { name: `${type} ${topic}`, subject: 'S', body: 'B', from, type, topic };
      templates.set(kind, (await createTemplate.run(project.ctx, input)).id);
    }
  });
  const refusal = ({ topic }: Kind, { email, state: { status } }: (typeof people)[number]) => ({
    code: 'BAD_REQUEST',
    details: { email, topic, status },
  });
  const outcome = (kind: Kind, person: (typeof people)[number]) => {
    const reason = expected(kind, person.state);
    const isRefused = kind.type !== 'TRANSACTIONAL' && (reason === 'unsubscribed' || reason === 'topic');
    return isRefused
      ? refusal(kind, person)
      : { email: person.email, status: reason === null ? 'PENDING' : 'SKIPPED', reason };
  };

  it('in batches, by the topic of the template', async () => {
    const asked = kinds.flatMap((kind) => people.map((person) => ({ kind, person })));
    const { results } = await sendBatch.runRaw(project.ctx, {
      emails: asked.map(({ kind, person }) => ({ to: person.email, template: templates.get(kind) })),
    });
    expect(
      results.map(({ emails, error }) =>
        error
          ? { code: error.code, details: error.details }
          : { email: emails?.[0]?.to, status: emails?.[0]?.status, reason: emails?.[0]?.reason },
      ),
    ).toEqual(asked.map(({ kind, person }) => outcome(kind, person)));
  });

  it.each(kinds)('alone, as $type with the topic $topic of the request', async (kind) => {
    const plain = kinds.find(({ type, topic }) => type === kind.type && topic !== kind.topic);
    const template = templates.get(plain ?? kind);
    // A file is stored with its request, so that it is in no group.
    const attachments = [{ filename: 'a.txt', content: 'YQ==' }];
    // Without a topic of its own, that of the template counts: `general` is named where none is meant.
    const topic = kind.topic ?? (kind.type === 'TRANSACTIONAL' ? undefined : 'general');
    const used = kind.topic === null && kind.type === 'TRANSACTIONAL' ? templates.get(kind) : template;
    const found = await Promise.all(
      people.map(({ email }) =>
        sendEmail
          .runRaw(project.ctx, { to: email, template: used, attachments, ...(topic && { topic }) })
          .then(
            ({ emails: [sent] }) => ({ email: sent?.to, status: sent?.status, reason: sent?.reason }),
            ({ code, details }: { code: string; details: object }) => ({ code, details }),
          ),
      ),
    );
    const named = kind.topic === null && topic !== undefined ? { details: { topic: 'general' } } : {};
    expect(found).toEqual(
      people.map((person) => {
        const wanted = outcome(kind, person);
        return 'details' in wanted ? { ...wanted, details: { ...wanted.details, ...named.details } } : wanted;
      }),
    );
  });
});

it('filters and the counts of topics find who receives a topic', async () => {
  await write(states);
  const counts = new Map(
    (await listTopics.run(project.ctx, {})).map(({ key, subscriberCount }) => [key, subscriberCount]),
  );
  for (const [key, topic] of [
    ['general', null],
    ['news', 'news'],
    ['labs', 'labs'],
  ] as const) {
    const receiving = people.filter(({ state }) => receives(state, topic)).length;
    expect(counts.get(key)).toBe(receiving);
    const counted = async (operator: 'equals' | 'notEquals', value: boolean) =>
      (
        await countFilter.run(project.ctx, {
          condition: { logic: 'AND', groups: [{ filters: [{ field: `topic.${key}`, operator, value }] }] },
        })
      ).count;
    expect(await counted('equals', true)).toBe(receiving);
    expect(await counted('notEquals', true)).toBe(people.length - receiving);
    expect(await counted('equals', false)).toBe(people.length - receiving);
  }
});
