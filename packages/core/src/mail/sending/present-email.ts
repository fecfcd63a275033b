import type { Db } from '../../base/db/index.ts';
import { type ProjectState, type Services, TaskLimitError } from '../../base/kernel/index.ts';
import { buildVariables, parseTemplate } from '../../content/templates/language/index.ts';
import { linkOwnerOf, shownContactOf } from '../ledger/ledger.rules.ts';
import { createLinkBuilder } from '../message/index.ts';
import { renderSubjectsTask, type SubjectInput } from '../message/render-subjects.task.ts';
import { type EmailRow, queueBefore } from './emails.store.ts';
import type { HeldBy } from './schedule.schema.ts';

type Presented<Row> = Row & { subject: string };
type Project = Pick<ProjectState, 'id' | 'language'>;

/** CPU time for the subjects of one page, in milliseconds. */
const pageMs = 200;

/** An email in the form of the API. */
export async function presentEmail<Row extends EmailRow>(
  services: Services,
  project: Project,
  email: Row,
): Promise<Presented<Row>> {
  const [subject = ''] = await subjectsOf(services, project, [email]);
  return { ...email, subject };
}

/** An email alone, with its place in the queue of its project. */
export async function presentWaiting<Row extends EmailRow>(
  services: Services,
  project: Project,
  db: Db,
  email: Row,
): Promise<Presented<Row>> {
  const presented = await presentEmail(services, project, email);
  return { ...presented, ...(await waitingOf(services, db, email)) };
}

/** What an email alone waits for, with its place in the queue of its project. */
export async function waitingOf(
  { config }: Pick<Services, 'config'>,
  db: Db,
  email: EmailRow,
): Promise<Wait> {
  const { heldBy, estimatedSendAt, nextAttemptAt } = email;
  const isDue = heldBy === null && nextAttemptAt !== null;
  const before = isDue ? await queueBefore(db, email) : null;
  if (!before) return { heldBy, estimatedSendAt };
  const rate = before.sendRate ?? config.SEND_RATE_PER_SECOND;
  return {
    heldBy: 'queue',
    estimatedSendAt:
      before.emails === null ? null : new Date(Date.now() + Math.round((before.emails / rate) * 1_000)),
  };
}

export interface Wait {
  heldBy: HeldBy | null;
  estimatedSendAt: Date | null;
}

/** What a send that was accepted now waits for, by its status. */
export function waitOf(
  status: 'PENDING' | 'SCHEDULED' | 'SKIPPED',
  { scheduledAt, pause, now }: { scheduledAt: Date | null; pause: 'restore' | 'route' | null; now: Date },
): Wait {
  if (status === 'SCHEDULED') return { heldBy: 'schedule', estimatedSendAt: scheduledAt };
  if (status === 'SKIPPED') return { heldBy: null, estimatedSendAt: null };
  return { heldBy: pause, estimatedSendAt: pause === null ? now : null };
}

/** A page of emails in the form of the API. */
export async function presentEmails<Row extends EmailRow>(
  services: Services,
  project: Project,
  emails: readonly Row[],
): Promise<Presented<Row>[]> {
  const subjects = await subjectsOf(services, project, emails);
  return emails.map((email, index) => ({ ...email, subject: subjects[index] ?? '' }));
}

/** A subject that is still a template is rendered here, with one limit for all of them; sending stores the rendered one. */
async function subjectsOf(
  { config, secrets, threads }: Services,
  { id: projectId, language }: Project,
  emails: readonly EmailRow[],
): Promise<string[]> {
  const links = createLinkBuilder(config.LINKS_URL, secrets);
  const plainly = ({ source, contact, owner }: SubjectInput): string =>
    parseTemplate(source, 'text', { plain: true }).render(
      buildVariables({ contact, project: { language }, urls: links.urlsOf(owner) }),
    );
  const subjects = emails.map((email): string | SubjectInput => {
    const { subject, plainSubject: source } = email;
    if (subject !== null) return subject;
    if (email.literal || !source.includes('{') || email.contentClearedAt) return source;
    const input = { source, contact: shownContactOf(email), owner: linkOwnerOf(email), language };
    return parseTemplate(source, 'text').flat ? plainly(input) : input;
  });
  const templates = subjects.filter((subject) => typeof subject !== 'string');
  if (templates.length === 0) return subjects as string[];
  const rendered = await threads
    .run(renderSubjectsTask, templates, { projectId, cpuMs: pageMs })
    .catch((error: unknown) => {
      if (error instanceof TaskLimitError) return templates.map(plainly);
      throw error;
    });
  return subjects.map((subject) => (typeof subject === 'string' ? subject : (rendered.shift() ?? '')));
}
