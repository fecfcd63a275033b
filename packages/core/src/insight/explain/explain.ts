import type { z } from 'zod';
import { findNewestEvents } from '../../audience/events/index.ts';
import type { FilterFact, FilterTree } from '../../audience/segments/filters.rules.ts';
import { findSegment, readFilterFacts, segmentNotFound } from '../../audience/segments/index.ts';
import { campaignNotFound } from '../../automation/campaigns/index.ts';
import {
  asObject,
  findMovesFrom,
  findNewestExecutions,
  findStepExecutions,
  findTakenEvents,
  findWorkflow,
  idOfWorkflow,
  readDefinitionsOf,
  readGraph,
  workflowNotFound,
} from '../../automation/workflows/index.ts';
import { projectIdOf, query } from '../../base/kernel/index.ts';
import { projectPage } from '../../base/kernel/project-page.ts';
import { withExpiredEmails } from '../../mail/ledger/index.ts';
import { findEmailOfCampaign, findEmailsOfExecution } from '../../mail/sending/index.ts';
import { explainNotCreated } from './checks/audience.rules.ts';
import type { Link, Next } from './checks/check.rules.ts';
import { explainContact } from './checks/contact.rules.ts';
import { type Explained, explainEmail } from './checks/email.rules.ts';
import { endFactOf } from './checks/ends.rules.ts';
import { explainSegment } from './checks/segment.rules.ts';
import { explainWorkflow } from './checks/workflow.rules.ts';
import { explainInput, explanation } from './explain.schema.ts';
import {
  isInvalidAddress,
  readCampaign,
  readEmailsTo,
  readFacts,
  readLastEmails,
  readMembership,
  readProject,
  readSender,
} from './explain.store.ts';
import { readEntry } from './read-entry.ts';
import { type Reading, readAudit, readEmail, readingOf, readPerson, requirePerson } from './read-facts.ts';

type Input = z.output<typeof explainInput>;
type Explanation = z.output<typeof explanation>;
type Question = Explanation['question'];

interface Answer {
  question: Partial<Question>;
  explained: Explained<Explanation['verdict']>;
  wait?: Pick<Awaited<ReturnType<typeof readEmail>>, 'heldBy' | 'estimatedSendAt'>;
}

const most = { links: 100, next: 3, emails: 20, events: 10, lastEmails: 3 };

export const explain = query({
  name: 'explain.get',
  summary:
    'Explains why an email arrived or did not, why a contact gets none, or is in a campaign, workflow or segment',
  permission: 'data:read',
  errors: [
    'RESOURCE_NOT_FOUND',
    'CONTACT_NOT_FOUND',
    'CAMPAIGN_NOT_FOUND',
    'WORKFLOW_NOT_FOUND',
    'SEGMENT_NOT_FOUND',
  ],
  input: explainInput,
  output: explanation,
  handler: (ctx, input) =>
    readFacts(ctx.services.database, async (db) => {
      const projectId = projectIdOf(ctx);
      const reading = readingOf(ctx, db, await readProject(db, projectId));
      const { question, explained, wait } = await answer(reading, input);
      const { verdict, headline, cause, links, next } = explained;
      const url = ({ page, ...rest }: Next) => ({
        ...rest,
        url: page === null ? null : projectPage(ctx.services.config, projectId, page),
      });
      return {
        question: { ...noQuestion, ...question },
        verdict,
        headline,
        cause,
        chain: chainOf(links),
        next: next.slice(0, most.next).map(url),
        heldBy: wait?.heldBy ?? null,
        estimatedSendAt: wait?.estimatedSendAt ?? null,
      };
    }),
});

const noQuestion: Question = {
  email: null,
  contact: null,
  address: null,
  campaign: null,
  workflow: null,
  execution: null,
  segment: null,
};

/** Oldest first, what holds now last. Of too many links, the oldest are left out. */
function chainOf(links: readonly Link[]): Link[] {
  const timeOf = ({ at }: Link): number => at?.getTime() ?? Number.POSITIVE_INFINITY;
  return links
    .map((each, place) => ({ each, place }))
    .toSorted((one, other) =>
      timeOf(one.each) < timeOf(other.each)
        ? -1
        : timeOf(one.each) > timeOf(other.each)
          ? 1
          : one.place - other.place,
    )
    .map(({ each }) => each)
    .slice(-most.links);
}

async function answer(reading: Reading, input: Input): Promise<Answer> {
  const { email, contact, campaign, workflow, segment } = input;
  if (email !== undefined) return ofEmail(reading, email);
  if (contact === undefined) throw new Error('a question without an email has a contact');
  const found = await requirePerson(reading, contact);
  const asked = { person: found, address: found?.email ?? contact.value };
  if (campaign !== undefined) return ofCampaign(reading, asked, campaign);
  if (workflow !== undefined) return ofWorkflow(reading, asked, workflow);
  if (segment !== undefined) return ofSegment(reading, asked, segment);
  return ofContact(reading, asked);
}

interface Asked {
  person: Awaited<ReturnType<typeof requirePerson>>;
  address: string;
}

const askedOf = ({ person, address }: Asked): Pick<Question, 'contact' | 'address'> => ({
  contact: person?.id ?? null,
  address,
});

async function ofEmail(reading: Reading, id: string): Promise<Answer> {
  const facts = await readEmail(reading, id);
  const { email, step } = facts;
  return {
    question: {
      email: id,
      contact: email.contactId,
      address: email.to === '' ? null : email.to,
      campaign: email.campaignId,
      workflow: step?.workflowId ?? null,
      execution: email.executionId,
    },
    explained: explainEmail(facts),
    wait: facts,
  };
}

async function ofContact(reading: Reading, asked: Asked): Promise<Answer> {
  const { db, projectId, project } = reading;
  const { person, address } = asked;
  const facts = {
    project,
    person: await readPerson(reading, person, address),
    invalid: await isInvalidAddress(db, address),
    audit: await readAudit(reading, [person?.id ?? null]),
    lastEmails: person
      ? await readLastEmails(db, projectId, person.id, most.lastEmails)
      : await readEmailsTo(db, projectId, address, most.lastEmails),
  };
  return { question: askedOf(asked), explained: explainContact(facts) };
}

async function ofCampaign(reading: Reading, asked: Asked, campaignId: string): Promise<Answer> {
  const { db, projectId, project } = reading;
  const { person, address } = asked;
  const campaign = await readCampaign(db, projectId, campaignId);
  if (!campaign) throw campaignNotFound();
  const emailId = person && (await findEmailOfCampaign(db, { projectId, campaignId, contactId: person.id }));
  if (emailId) {
    const found = await ofEmail(reading, emailId);
    return { ...found, question: { ...found.question, ...askedOf(asked), campaign: campaignId } };
  }
  const segment =
    campaign.audienceType === 'SEGMENT' && campaign.segmentId !== null
      ? await findSegment(db, projectId, campaign.segmentId)
      : null;
  const tree =
    campaign.audienceType === 'FILTERED'
      ? (campaign.audienceCondition as FilterTree | null)
      : (segment?.condition ?? null);
  const judged = person && tree ? await readFilterFacts(db, { projectId, contactId: person.id }, tree) : null;
  const membership =
    person && segment?.type === 'STATIC' ? await readMembership(db, segment.id, person.id) : null;
  const matches =
    campaign.audienceType === 'ALL'
      ? true
      : segment?.type === 'STATIC'
        ? membership !== null && membership.exitedAt === null
        : (judged?.matches ?? false);
  const explained = explainNotCreated({
    project,
    campaign,
    isExpired: (await withExpiredEmails(db, [campaignId])).size > 0,
    person: await readPerson(reading, person, address, campaign.frozenAt ?? undefined),
    filters: judged?.filters ?? null,
    matches: person ? matches : null,
    segment,
    membership,
    domain: (await readSender(db, projectId, campaign.from, '')).domain,
    audit: await readAudit(reading, [campaignId]),
  });
  return { question: { ...askedOf(asked), campaign: campaignId, segment: segment?.id ?? null }, explained };
}

async function ofSegment(reading: Reading, asked: Asked, segmentId: string): Promise<Answer> {
  const { db, projectId } = reading;
  const { person, address } = asked;
  const segment = await findSegment(db, projectId, segmentId);
  if (!segment) throw segmentNotFound();
  let judged: { matches: boolean; filters: FilterFact[] } | null = null;
  if (person && segment.condition)
    judged = await readFilterFacts(db, { projectId, contactId: person.id }, segment.condition);
  const explained = explainSegment({
    segment,
    person: { address, contact: person, acts: [], suppression: null, optOut: null },
    matches: judged?.matches ?? null,
    filters: judged?.filters ?? null,
    membership: person ? await readMembership(db, segmentId, person.id) : null,
    audit: await readAudit(reading, [segmentId]),
  });
  return { question: { ...askedOf(asked), segment: segmentId }, explained };
}

async function ofWorkflow(reading: Reading, asked: Asked, reference: string): Promise<Answer> {
  const { db, projectId, project } = reading;
  const { person, address } = asked;
  const workflowId = await idOfWorkflow(db, projectId, reference);
  const workflow = workflowId === null ? null : await findWorkflow(db, projectId, workflowId);
  if (!workflow || workflowId === null) throw workflowNotFound();
  const executions = person
    ? await findNewestExecutions(db, { projectId, workflowId, contactId: person.id }, 2)
    : [];
  const [execution] = executions;
  const { steps, transitions } = execution
    ? await readGraphOf(db, workflowId, execution.version)
    : { steps: [], transitions: [] };
  const moves =
    execution && execution.version !== null ? await findMovesFrom(db, workflowId, execution.version) : [];
  const runs = execution ? await findStepExecutions(db, { projectId, executionId: execution.id }) : [];
  const emails = execution
    ? await findEmailsOfExecution(db, { projectId, executionId: execution.id }, most.emails)
    : [];
  const { eventName } = asObject(workflow.triggerConfig);
  const name = workflow.triggerType === 'EVENT' && typeof eventName === 'string' ? eventName : null;
  const events =
    person && name !== null
      ? await findNewestEvents(db, { projectId, contactId: person.id }, [name], most.events)
      : [];
  const taken = new Set(
    await findTakenEvents(
      db,
      projectId,
      asObject(workflow.triggerConfig),
      events.map(({ id }) => id),
    ),
  );
  // Only the newest one decides; the others are told as they are.
  const lost = emails.findLast(({ status }) => unsent.has(status));
  const why = lost && explainEmail(await readEmail(reading, lost.id));
  const explained = explainWorkflow({
    project,
    workflow: { ...workflow, eventName: name },
    person: { address, contact: person, acts: [], suppression: null, optOut: null },
    executions: executions.map((each) => ({ ...each, endedBy: endFactOf(each.endedBy) })),
    steps,
    transitions,
    moves: moves.map(({ version, publishedAt: at }) => ({ version, at })),
    runs: runs.map((run) => ({ ...run, output: run.output === null ? null : asObject(run.output) })),
    events: events.map(({ id, createdAt: at, isQueued, seq }) => ({
      ...{ id, at, isQueued, seq },
      isTaken: taken.has(id),
    })),
    entry: await readEntry(reading, workflow, person),
    emails: emails.map(({ id, to, status, createdAt: at }) => ({
      id,
      to,
      status,
      at,
      finding: id === lost?.id && why?.cause ? { ...why, cause: why.cause } : null,
    })),
    audit: await readAudit(reading, [workflowId, execution?.id ?? null]),
  });
  return {
    question: { ...askedOf(asked), workflow: workflowId, execution: execution?.id ?? null },
    explained,
  };
}

/** What an execution runs, with the steps of the versions that it ran before. */
async function readGraphOf(db: Reading['db'], workflowId: string, version: number | null) {
  const key = { workflowId, version };
  const lineage = version === null ? undefined : (await readDefinitionsOf(db, [key]))(key);
  if (!lineage) return readGraph(db, workflowId);
  const { runs, versions } = lineage;
  const steps = new Map(runs.steps.map((step) => [step.id, step]));
  for (const step of versions.toReversed().flatMap((version) => version.steps))
    if (!steps.has(step.id)) steps.set(step.id, step);
  return { transitions: runs.transitions, steps: [...steps.values()] };
}

/** Email of an execution whose cause may be that of the execution. */
const unsent = new Set<string>(['SKIPPED', 'FAILED', 'BOUNCED', 'UNCERTAIN']);
