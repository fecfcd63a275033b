import { storeWording, workOnSubmissions } from '../../audience/consent/index.ts';
import { presentDefinitions, settleData, splitContactData } from '../../audience/contacts/index.ts';
import { readTopics } from '../../audience/topics/index.ts';
import { type Database, type Db, retryConflicts } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { consentSettingsOf, showProject } from '../../people/projects/index.ts';
import { notifyOutbox } from '../ledger/index.ts';
import { findAsker } from './find-asker.ts';
import { findPublicForm } from './forms.store.ts';
import { requestSubscription } from './request-subscription.ts';
import { countForForms, countRequest, guardForm } from './requests.store.ts';
import {
  findFormVersion,
  removeOldSubmissions,
  type SubmissionRow,
  takeSubmission,
} from './submissions.store.ts';
import { tellOfUnconfirmed } from './tell-of-unconfirmed.ts';

/** Between two looks at how many requests of a form were confirmed, of one process, in milliseconds. */
const guardedEveryMs = 60_000;

interface Work {
  running: Promise<number> | null;
  /** something was stored since the running work began to look */
  isAsked: boolean;
  /** by form: when it was last looked whether it has to be guarded */
  lookedAt: Map<string, number>;
  /** projects whose leaders are to be told that no more requests are taken */
  toTell: Set<string>;
}

const works = new WeakMap<Database, Work>();

function workOf(database: Database): Work {
  const known = works.get(database) ?? {
    running: null,
    isAsked: false,
    lookedAt: new Map<string, number>(),
    toTell: new Set<string>(),
  };
  works.set(database, known);
  return known;
}

/** To be called after a submission was stored and answered: it is worked on in the background of this process, or of any other. */
export function processSoon(services: Services): void {
  const work = workOf(services.database);
  work.isAsked = true;
  if (work.running) return;
  work.running = run(services, work).finally(() => {
    work.running = null;
    if (work.isAsked) processSoon(services);
  });
}

/** From now on, this process works on submissions as soon as they are stored here. */
export const startSubmissions = (services: Services): void =>
  workOnSubmissions(services.database, {
    stored: () => processSoon(services),
    refused: (projectId) => tellSoon(services, projectId),
  });

/** Tells the leaders of a project that no more requests are taken, after the answer and once a day. */
export function tellSoon(services: Services, projectId: string): void {
  workOf(services.database).toTell.add(projectId);
  processSoon(services);
}

async function run(services: Services, work: Work): Promise<number> {
  work.isAsked = false;
  try {
    for (const projectId of work.toTell) {
      work.toTell.delete(projectId);
      await tellOfUnconfirmed(services, projectId);
    }
    return await processSubmissions(services);
  } catch (error) {
    // What is left is found by `reconcile`.
    services.log.error({ err: error }, 'submissions of forms could not be processed');
    return 0;
  }
}

/** Resolves when this process works on no submission. */
export async function submissionsProcessed({ database }: Pick<Services, 'database'>): Promise<void> {
  const work = workOf(database);
  while (work.running) await work.running;
}

/** How many submissions one call takes. */
const mostAtOnce = 1_000;

/**
 * Works on submissions that are stored, oldest first: for each, one transaction makes the request and its email, and removes it.
 *
 * @param olderThanSeconds leaves those to the process that has stored them
 * @returns how many
 */
export async function processSubmissions(services: Services, olderThanSeconds = 0): Promise<number> {
  const skipped: string[] = [];
  for (let count = 0; count < mostAtOnce; count += 1) {
    const done = await processNext(services, { skipped, olderThanSeconds });
    if (done === null) return count;
    if ('failed' in done) skipped.push(done.failed);
    else {
      if (done.hasMail) notifyOutbox(services, done.projectId);
      services.scheduleFollowUps(done.projectId);
      if (done.formId !== null) await guardSometimes(services, done.formId);
    }
  }
  return mostAtOnce;
}

interface Done {
  projectId: string;
  formId: string | null;
  hasMail: boolean;
}

async function processNext(
  services: Services,
  look: { skipped: readonly string[]; olderThanSeconds: number },
): Promise<Done | { failed: string } | null> {
  let taken: SubmissionRow | null = null;
  try {
    return await retryConflicts(() =>
      services.database.prisma.$transaction(async (db) => {
        taken = await takeSubmission(db, look);
        if (!taken) return null;
        const { projectId, formId } = taken;
        return { projectId, formId, hasMail: await processOne(services, db, taken) };
      }),
    );
  } catch (error) {
    const submission = taken as SubmissionRow | null;
    if (!submission) throw error;
    services.log.error(
      { err: error, formId: submission.formId },
      'a submission of a form could not be processed',
    );
    return { failed: submission.id };
  }
}

/** @returns whether there is an email to be sent */
async function processOne(services: Services, db: Db, submission: SubmissionRow): Promise<boolean> {
  const { projectId, formId, formVersion, language } = submission;
  if (formId === null || formVersion === null) return processWithoutForm(services, db, submission);
  const form = await findPublicForm(db, formId);
  const settings = form && consentSettingsOf(form.project.consent);
  // Closed since it was sent.
  if (!form?.enabled || form.deleted || !form.project.open || !settings?.confirmation) {
    await countRequest(db, projectId, 'none');
    return false;
  }
  const version = await findFormVersion(db, formId, formVersion);
  const words = version?.consentText[language];
  const wording = words === undefined ? null : await storeWording(db, projectId, { language, text: words });
  const topics = await readTopics(db, projectId);
  const { outcome, hasMail } = await requestSubscription(services, db, {
    projectId,
    projectLanguage: form.project.language,
    project: showProject(form.project),
    sender: settings.confirmation,
    email: submission.email,
    topics: topics.filter(({ number }) => submission.topics.includes(number)),
    data: await dataOf(db, form, submission.fields),
    language,
    wordingId: wording?.wording.id ?? null,
    form: { id: formId, version: formVersion },
    page: submission.page,
    ip: submission.ip,
    userAgent: submission.userAgent,
    saying: { by: 'recipient', source: 'form', actor: 'recipient' },
  });
  await countForForms(db, projectId, [formId], outcome === 'sent' ? 'submitted' : 'refused');
  if (outcome !== 'sent') await countRequest(db, projectId, 'none');
  return hasMail;
}

/** Of a request with a public key: who may be anybody, so that the owner of the address is asked (behaviour B4.3). */
async function processWithoutForm(services: Services, db: Db, submission: SubmissionRow): Promise<boolean> {
  const { projectId, email, page, ip, userAgent } = submission;
  const asker = await findAsker(db, projectId);
  // Nobody asks any more.
  if (!asker) {
    await countRequest(db, projectId, 'none');
    return false;
  }
  const topics = await readTopics(db, projectId);
  const { outcome, hasMail } = await requestSubscription(services, db, {
    ...asker,
    ...{ projectId, email, page, ip, userAgent },
    topics: topics.filter(({ number }) => submission.topics.includes(number)),
    data: null,
    language: null,
    wordingId: null,
    form: null,
    saying: { by: 'public', source: 'api', actor: 'key' },
  });
  if (outcome !== 'sent') await countRequest(db, projectId, 'none');
  return hasMail;
}

/** The fields by the definitions of the project; what does not fit its definition is left out. */
async function dataOf(
  db: Db,
  { projectId, project }: { projectId: string; project: { definesFields: boolean; timeZone: string } },
  fields: Record<string, unknown>,
): Promise<Record<string, unknown> | null> {
  const { issues: _, ...split } = splitContactData(fields, 'stored-only');
  const definitions = project.definesFields ? await presentDefinitions(db, projectId) : new Map();
  const { set } = settleData(split, definitions, project.timeZone, 'lenient');
  return Object.keys(set).length === 0 ? null : set;
}

async function guardSometimes(services: Services, formId: string): Promise<void> {
  const { lookedAt } = workOf(services.database);
  const now = performance.now();
  if (now - (lookedAt.get(formId) ?? Number.NEGATIVE_INFINITY) < guardedEveryMs) return;
  if (lookedAt.size > 10_000) lookedAt.clear();
  lookedAt.set(formId, now);
  await guardForm(services.database.prisma, formId);
}

/** Submissions that could not be processed for a day. */
export const sweepSubmissions = (
  { database }: Pick<Services, 'database'>,
  now: Date,
  limit: number,
): Promise<number> => removeOldSubmissions(database.prisma, now, limit);
