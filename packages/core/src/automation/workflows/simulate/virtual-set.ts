import type { ContactConsent } from '../../../audience/consent/index.ts';
import {
  type ContactChangeById,
  presentDefinitions,
  type TriedContact,
  tryContactChanges,
  type UpdatedContact,
} from '../../../audience/contacts/index.ts';
import { numbersOfTopics } from '../../../audience/topics/index.ts';
import type { SqlDb } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { findTemplate, type TemplateRow } from '../../../content/templates/index.ts';
import {
  judgeWorkflowEmails,
  type PreparedWorkflowMail,
  tryWorkflowMail,
  type WorkflowMail,
} from '../../../mail/sending/index.ts';
import type { FillInInput } from '../runtime/fill-in.task.ts';
import { defaultMaxLength, type FilledTexts, fillIn } from '../runtime/fill-in.ts';
import {
  type EventConditions,
  type EventSearch,
  type FoundEvent,
  findEvents,
  meetConditions,
} from '../runtime/find-events.store.ts';
import { matchTrees } from '../runtime/match-trees.ts';
import type { SetProject } from '../runtime/member.ts';
import type { NewStepRequest } from '../runtime/set.store.ts';
import type { PreparedMail, SetTools } from '../runtime/set-tools.ts';
import { atStep } from '../runtime/step-error.ts';
import { variablesOf } from '../runtime/variables.ts';
import { isTreeCondition } from '../steps/condition.step.ts';
import { type Evaluated, emailsRead, evaluateConditions } from '../steps/evaluate-conditions.ts';
import { idFrom, type Run, type VirtualEmail } from './runs.ts';
import type { Together } from './together.ts';

type Json = Record<string, unknown>;

/** What all sets of a simulation look up once. */
export interface Known {
  services: Services;
  db: SqlDb;
  project: SetProject;
  /** waits find what is stored, up to this time; null: only what the simulation makes happen */
  eventsUntil: Date | null;
  templates: Map<string, Promise<KnownTemplate>>;
  definitions: ReturnType<typeof presentDefinitions> | null;
  topics: ReturnType<typeof numbersOfTopics> | null;
  /** texts that threads have filled in */
  filled: FilledTexts;
}

interface KnownTemplate {
  row: TemplateRow | null;
  prepared: PreparedMail;
}

interface VirtualUpdate {
  run: Run;
  change: ContactChangeById;
}

interface WantedMail {
  stepId: string;
  mail: WorkflowMail;
  output: Json;
}

/** What a set of executions would do besides deciding, done to the virtual contacts of its runs. */
export interface VirtualSet {
  tools: SetTools;
  requests: NewStepRequest[];
  /** texts that a thread has to fill in, by the ids of executions */
  needed: Map<string, FillInInput>;
  /** the events of its changes */
  events: { run: Run; event: FoundEvent }[];
  /** those whose subscription it has written, which ends a snooze */
  awake: Run[];
  /** the first event of each execution that ends its wait later */
  ahead: Map<string, Date>;
  /** Decides which emails would be skipped, after all changes of contacts. */
  judgeEmails(): Promise<{ run: Run; email: VirtualEmail }[]>;
}

/** The questions of all sets of a simulation, each of which is one statement for those that ask it together. */
export interface Questions {
  search(asked: readonly AskedSearch[]): Promise<(FoundEvent | null)[][]>;
  evaluate(asked: readonly Parameters<SetTools['evaluate']>[]): Promise<Evaluated[][]>;
  match(asked: readonly Parameters<SetTools['matches']>[]): Promise<(number | null)[][]>;
  update(asked: readonly (readonly VirtualUpdate[])[]): Promise<Map<string, TriedContact>[]>;
  judge(asked: readonly (readonly AskedMail[])[]): Promise<{ to: string; reason: string | null }[][]>;
}

interface AskedSearch {
  searches: readonly EventSearch[];
  conditions: EventConditions | undefined;
}

type AskedMail = WorkflowMail & Parameters<typeof judgeWorkflowEmails>[3][number];

export function questionsOf({ db, services, project }: Known): Questions {
  return {
    search: (asked) =>
      ofEach(
        asked,
        ({ conditions }) => JSON.stringify(conditions?.events),
        async (those, { conditions }) => {
          const searches = those.map((each) =>
            each.searches.map((search) => ({
              ...search,
              ...(each.conditions && { at: each.conditions.clock.now }),
            })),
          );
          return inParts(searches, await findEvents(db, project.id, searches.flat(), conditions));
        },
      ),
    evaluate: (asked) =>
      ofEach(
        asked,
        ([, config]) => config,
        async (those, [, config, at]) => {
          const members = those.map(([each, , { now }]) => each.map((member) => ({ ...member, now })));
          return inParts(members, await evaluateConditions(db, members.flat(), config, at));
        },
      ),
    match: (asked) =>
      ofEach(
        asked,
        ([, trees]) => trees[0],
        async (those, [, trees, clock]) => {
          const members = those.map(([each, , { now }]) => each.map((member) => ({ ...member, now })));
          return inParts(members, await matchTrees(db, project.id, members.flat(), trees, clock));
        },
      ),
    async update(asked) {
      const updated = await tryContactChanges(
        db,
        services.secrets,
        project.id,
        asked.flat().map(({ run: { member, person }, change }) => ({
          change,
          before: { ...member.contact, isSnoozed: person.isSnoozed, isOwn: person.isOwn },
        })),
      );
      return asked.map(() => updated);
    },
    judge: async (asked) => inParts(asked, await judgeWorkflowEmails(services, db, project.id, asked.flat())),
  };
}

/** Asks the questions of one kind together: each kind is a statement. @returns the answers, in the order of the questions */
async function ofEach<Asked, Answer>(
  asked: readonly Asked[],
  kindOf: (one: Asked) => unknown,
  ask: (those: readonly Asked[], first: Asked) => Promise<Answer[]>,
): Promise<Answer[]> {
  const answers = new Map<Asked, Answer>();
  for (const those of Map.groupBy(asked, kindOf).values()) {
    const [first] = those;
    if (first === undefined) continue;
    const given = await ask(those, first);
    for (const [index, one] of those.entries()) answers.set(one, given[index] as Answer);
  }
  return asked.map((one) => answers.get(one) as Answer);
}

/** Divides answers as the questions were. */
function inParts<Answer>(asked: readonly (readonly unknown[])[], answers: readonly Answer[]): Answer[][] {
  let from = 0;
  return asked.map(({ length }) => {
    from += length;
    return answers.slice(from - length, from);
  });
}

/** @param runs at the same moment, `now`, each of another contact */
export function virtualSet(
  known: Known,
  together: Together,
  { search, evaluate, match, update, judge }: Questions,
  runs: readonly Run[],
  now: Date,
): VirtualSet {
  const { services, db, project, eventsUntil } = known;
  const byContact = new Map(runs.map((run) => [run.member.contact.id, run]));
  const byExecution = new Map(runs.map((run) => [run.member.id, run]));
  let mails: WantedMail[] = [];
  const emails: { run: Run; email: VirtualEmail }[] = [];
  const judgeThose = async (isWanted: (mail: WantedMail) => boolean): Promise<void> => {
    const wanted = mails.filter(isWanted);
    const [first] = wanted;
    if (!first) return;
    mails = mails.filter((each) => !wanted.includes(each));
    const asked = wanted.map(({ mail }): AskedMail => {
      const contact = byContact.get(mail.contactId)?.member.contact;
      const {
        email = '',
        subscribed = false,
        topicsOn = [],
        topicsOff = [],
        topicDefaults = true,
      } = contact ?? {};
      return { ...mail, email, subscribed, topicsOn, topicsOff, topicDefaults };
    });
    const judged = await atStep(first.stepId, () => together.ask(judge, asked));
    for (const [index, { stepId, mail, output }] of wanted.entries()) {
      const run = byExecution.get(mail.workflowExecutionId);
      const verdict = judged[index];
      if (!run || !verdict) throw new Error('an email of a simulation was not judged');
      const { row } = await templateOf(known, mail.content.templateId);
      Object.assign(output, {
        emailId: null,
        recipientEmail: verdict.to,
        queuedAt: now.toISOString(),
        skipped: verdict.reason,
      });
      emails.push({
        run,
        email: {
          at: now,
          executionId: run.member.id,
          withdrawnAt: null,
          stepId,
          templateId: mail.content.templateId,
          output,
          contact: run.member.contact,
          vars: mail.vars,
          reason: verdict.reason,
          isLimited:
            mail.content.type !== 'TRANSACTIONAL' &&
            row?.exemptFromLimits !== true &&
            verdict.to === run.member.contact.email,
          isChanged: row !== null && row.updatedAt > now,
        },
      });
    }
  };
  const set: VirtualSet = {
    requests: [],
    needed: new Map(),
    events: [],
    awake: [],
    ahead: new Map(),
    tools: {
      async search(searches, conditions) {
        const limited =
          eventsUntil === null
            ? []
            : searches.map((each) => ({ ...each, until: earlier(each.until, eventsUntil) }));
        const stored = await together.ask(search, { searches: limited, conditions });
        const happening = searches.map((each) =>
          happeningIn(byContact.get(each.contactId)?.person.events ?? [], each),
        );
        const met = conditions ? await meeting(db, searches, happening, conditions) : happening;
        return searches.map((each, index) => {
          const run = byContact.get(each.contactId);
          if (!run) return null;
          const found = (met[index] ?? []).reduce<FoundEvent | null>(first, stored[index] ?? null);
          if (!found || found.createdAt <= now) return found;
          set.ahead.set(run.member.id, found.createdAt);
          return null;
        });
      },
      async evaluate(...asked) {
        const [members, config, at] = asked;
        if (!isTreeCondition(config)) return evaluateConditions(db, ...asked);
        const isRead = emailsRead(config, members, at);
        await judgeThose(({ stepId, mail }) => isRead(stepId, mail.workflowExecutionId));
        return together.ask(evaluate, asked);
      },
      matches: (...asked) => together.ask(match, asked),
      definitions: () => {
        known.definitions ??= presentDefinitions(db, project.id);
        return known.definitions;
      },
      topics: () => {
        known.topics ??= numbersOfTopics(db, project.id);
        return known.topics;
      },
      async update(changes) {
        const asked = changes.flatMap((change) => {
          const run = byContact.get(change.id);
          return run ? [{ run, change }] : [];
        });
        const updated = await together.ask(update, asked);
        const answers = new Map<string, UpdatedContact>();
        for (const { run, change } of asked) {
          const after = updated.get(change.id);
          if (!after) continue;
          const updatedAt = after.isSame ? new Date(run.member.contact.updatedAt) : now;
          const consent = consentAfter(change.subscribed, after, now);
          answers.set(change.id, { ...after, updatedAt, ...(consent && { consent }) });
          if (after.isTooLarge) continue;
          if (change.subscribed !== null && !after.isRefused) set.awake.push(run);
          if (after.flipped) set.events.push({ run, event: flipOf(run, after.subscribed, now) });
        }
        return answers;
      },
      async mail(templateId) {
        return (await templateOf(known, templateId)).prepared;
      },
      email(stepId, mail, output) {
        mails.push({ stepId, mail, output });
      },
      request({ member, stepExecutionId }, request) {
        set.requests.push({ ...request, stepExecutionId, executionId: member.id });
      },
      fill({ member }, texts, maxLength = defaultMaxLength) {
        const input = { texts, variables: variablesOf(services, project, member), maxLength };
        const filled = fillIn(input, known.filled);
        if (!filled) set.needed.set(member.id, input);
        return filled;
      },
    },
    async judgeEmails() {
      await judgeThose(() => true);
      return emails;
    },
  };
  return set;
}

/** What a subscription that was changed rests on afterwards; null where it is as before. */
function consentAfter(wanted: boolean | null, after: TriedContact, now: Date): ContactConsent | null {
  if (after.isTooLarge) return null;
  if (!after.subscribed)
    return after.flipped || wanted === false
      ? { status: 'unsubscribed', consentBasis: null, consentedAt: null }
      : null;
  return after.flipped ? { status: 'subscribed', consentBasis: 'default', consentedAt: now } : null;
}

const earlier = (until: Date | null, other: Date): Date => (until !== null && until < other ? until : other);

const first = (one: FoundEvent | null, other: FoundEvent | null): FoundEvent | null => {
  if (!one || !other) return one ?? other;
  const byTime = one.createdAt.getTime() - other.createdAt.getTime();
  return byTime < 0 || (byTime === 0 && one.id <= other.id) ? one : other;
};

type VirtualEvent = Run['person']['events'][number];

/** The events for which a wait looks that happen in the simulation alone. */
const happeningIn = (events: readonly VirtualEvent[], { names, since, until }: EventSearch): VirtualEvent[] =>
  events.filter(
    ({ id, name, createdAt }) =>
      names.includes(name) &&
      createdAt >= since.at &&
      id !== since.eventId &&
      (until === null || createdAt <= until),
  );

/** Of the events of each search those that meet its conditions; a drawn one is what the wait looks for. */
async function meeting(
  db: SqlDb,
  searches: readonly EventSearch[],
  happening: readonly (readonly VirtualEvent[])[],
  conditions: EventConditions,
): Promise<VirtualEvent[][]> {
  const asked = happening.flatMap((events, index) =>
    events.filter(({ isDrawn }) => !isDrawn).map((event) => ({ event, index })),
  );
  const met = await meetConditions(
    db,
    asked.map(({ event: { name, data }, index }) => {
      const values = searches[index]?.values;
      return { name, data, ...(values && { values }) };
    }),
    conditions,
  );
  const kept = happening.map((events) => events.filter(({ isDrawn }) => isDrawn));
  for (const [n, { event, index }] of asked.entries()) if (met[n]) kept[index]?.push(event);
  return kept;
}

const flipOf = (run: Run, subscribed: boolean, now: Date): FoundEvent => {
  const name = subscribed ? 'contact.subscribed' : 'contact.unsubscribed';
  return {
    id: idFrom(`${run.member.id}:${name}:${now.getTime()}`),
    name,
    data: { reason: 'workflow' },
    createdAt: now,
  };
};

function templateOf(known: Known, templateId: string): Promise<KnownTemplate> {
  const asked = known.templates.get(templateId) ?? readTemplate(known, templateId);
  known.templates.set(templateId, asked);
  return asked;
}

async function readTemplate({ services, db, project }: Known, templateId: string): Promise<KnownTemplate> {
  const row = await findTemplate(db, project.id, templateId);
  const prepared: PreparedWorkflowMail | { kind: 'no_template' } = row
    ? await tryWorkflowMail(services, db, project, row)
    : { kind: 'no_template' };
  return { row, prepared };
}
