import { z } from 'zod';
import { clientOf, maxPage, storeSubmission } from '../../audience/consent/index.ts';
import type { AttemptLimit } from '../../base/attempts/index.ts';
import { type Context, direct, mailLanguage, type Services, uuid } from '../../base/kernel/index.ts';
import { isSimulated } from '../../base/kernel/simulator.rules.ts';
import { clientNetwork, newId } from '../../base/lib/index.ts';
import { systemProjectId } from '../../people/projects/index.ts';
import { ageOfFormToken, makeFormToken, saltOf } from './form-tokens.ts';
import { networkLimits, shownLanguage } from './forms.rules.ts';
import { findPublicForm, type PublicForm } from './forms.store.ts';
import { hasMailboxes } from './has-mailboxes.ts';
import { isOverCaps } from './over-caps.ts';
import { processSoon, tellSoon } from './process-submissions.ts';
import { type Mistakes, readAnswers } from './read-answers.rules.ts';
import { isFormOpen, presentShownForm, shownForm } from './show-form.ts';
import { challengeMs, isRightWork, longestWork, waitMs, youngestMs } from './work.ts';

const submission = z.object({
  id: uuid,
  email: z.unknown().optional(),
  fields: z.record(z.string(), z.unknown()).nullish(),
  topics: z.array(z.unknown()).max(100).nullish(),
  language: z.string().nullish(),
  page: z.string().nullish(),
  token: z.string().nullish(),
  work: z.string().nullish(),
  website: z.unknown().optional(),
  languages: z.array(mailLanguage).max(11).describe('Those that the visitor asks for, best first'),
  origin: z.string().nullable().describe('Value of the Origin header'),
});

type Submission = z.output<typeof submission>;

/**
 * What became of it: `received` says nothing about the address. `work`: the form is guarded, and work is missing, wrong, or came too early; `wait`
 * is the token of a page on which a visitor without a script waits.
 */
const submitted = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unknown') }),
  z.object({ kind: z.literal('refused'), form: shownForm }),
  z.object({ kind: z.literal('closed'), form: shownForm }),
  z.object({ kind: z.literal('invalid'), form: shownForm, mistakes: z.record(z.string(), z.string()) }),
  z.object({
    kind: z.literal('work'),
    form: shownForm,
    problem: z.enum(['required', 'custom']),
    wait: z.string(),
  }),
  z.object({ kind: z.literal('limited'), form: shownForm, retryAfter: z.int() }),
  z.object({ kind: z.literal('received'), form: shownForm }),
]);

type Submitted = z.input<typeof submitted>;

export const submitForm = direct({
  name: 'forms.submit',
  summary: 'Takes a sign-up of a visitor. The answer is the same for every address',
  permission: 'public',
  risk: 'closed',
  allowDisabled: true,
  input: submission,
  output: submitted,
  async handler({ services, db, request }, input): Promise<Submitted> {
    const form = await findPublicForm(db, input.id);
    if (!form) return { kind: 'unknown' };
    return submit(services, form, input, request);
  },
});

async function submit(
  services: Services,
  form: PublicForm,
  input: Submission,
  info: Context['request'],
): Promise<Submitted> {
  const now = new Date();
  const asked = mailLanguage.safeParse(input.language);
  const language = shownLanguage(form, [asked.success ? asked.data : null, ...input.languages]);
  const shown = presentShownForm(services, form, language);
  if (!isFormOpen(form)) return { kind: 'closed', form: shown };
  if (!isAllowedOrigin(services, form, input.origin)) return { kind: 'refused', form: shown };
  // A program that is told that it was found out would learn from it.
  if (isOfProgram(services, form, input, now)) return { kind: 'received', form: shown };
  const read = readAnswers(form, {
    email: input.email,
    topics: input.topics ?? [],
    fields: input.fields ?? {},
  });
  if ('mistakes' in read) return { kind: 'invalid', form: shown, mistakes: read.mistakes };
  const { email, topics, data } = read.answers;
  if (!isSimulated(email) && !(await hasMailboxes(services, email.slice(email.lastIndexOf('@') + 1)))) {
    const mistakes: Mistakes = { email: 'domain' };
    return { kind: 'invalid', form: shown, mistakes };
  }
  const problem = workProblem(services, form, input, now);
  if (problem) {
    const wait = makeFormToken(
      services.secrets,
      { kind: 'wait', formId: form.id, email: sentAddress(input) },
      now,
    );
    return { kind: 'work', form: shown, problem, wait };
  }
  if (await isOverCaps(services, form.projectId)) return { kind: 'limited', form: shown, retryAfter: 3_600 };
  const client = clientOf(info);
  const { over, resetSeconds } = await storeSubmission(
    services.database.durable,
    {
      id: newId(),
      projectId: form.projectId,
      form: { id: form.id, version: form.version },
      email,
      topics,
      fields: data,
      language,
      page: input.page?.slice(0, maxPage) ?? client.page ?? null,
      ip: client.ip ?? null,
      userAgent: client.userAgent ?? null,
    },
    limitsOf(services, form.projectId, info.ip),
  );
  if (over === 'project') tellSoon(services, form.projectId);
  if (over !== null) return { kind: 'limited', form: shown, retryAfter: resetSeconds };
  processSoon(services);
  return { kind: 'received', form: shown };
}

const sentAddress = ({ email }: Submission): string => (typeof email === 'string' ? email : '');

function limitsOf(
  { secrets }: Pick<Services, 'secrets'>,
  projectId: string,
  ip: string | null,
): AttemptLimit[] {
  if (ip === null) return [];
  const network = clientNetwork(ip);
  const keyOf = (project: string): string => secrets.addressHash(project, network).toString('hex');
  return [
    { scope: 'network_project', key: keyOf(projectId), project: projectId, ...networkLimits.project },
    { scope: 'network_all', key: keyOf(systemProjectId), project: null, ...networkLimits.installation },
  ];
}

/** Pages of this installation, and those that the form names; without any, every page. A client that is no browser has no origin. */
export const isAllowedOrigin = (
  { config }: Pick<Services, 'config'>,
  { origins }: Pick<PublicForm, 'origins'>,
  origin: string | null,
): boolean =>
  origins.length === 0 ||
  origin === null ||
  origins.includes(origin) ||
  [config.LINKS_URL, config.API_URL].some((url) => new URL(url).origin === origin);

/** People leave the hidden field empty, and do not fill in a form within two seconds. */
function isOfProgram(
  { secrets }: Pick<Services, 'secrets'>,
  form: PublicForm,
  input: Submission,
  now: Date,
): boolean {
  if (input.website !== undefined && input.website !== null && input.website !== '') return true;
  if (!input.token) return false;
  const age = ageOfFormToken(secrets, input.token, { kind: 'page', formId: form.id }, now);
  if (age !== null) return age < youngestMs;
  return ageOfWait({ secrets }, form, input, now) === null;
}

const ageOfWait = (
  { secrets }: Pick<Services, 'secrets'>,
  { id }: PublicForm,
  input: Submission,
  now: Date,
): number | null =>
  ageOfFormToken(secrets, input.token ?? '', { kind: 'wait', formId: id, email: sentAddress(input) }, now);

/** What is missing of the work that a guarded form asks for; null if nothing is. */
function workProblem(
  services: Pick<Services, 'secrets'>,
  form: PublicForm,
  input: Submission,
  now: Date,
): 'required' | 'custom' | null {
  if (form.guardedUntil === null || form.guardedUntil <= now) return null;
  const { token, work } = input;
  const waited = ageOfWait(services, form, input, now);
  if (waited !== null) return waited >= waitMs && waited <= challengeMs ? null : 'custom';
  if (!token || !work) return 'required';
  const age = ageOfFormToken(services.secrets, token, { kind: 'page', formId: form.id }, now);
  const isRight =
    age !== null &&
    age <= challengeMs &&
    work.length <= longestWork &&
    isRightWork(saltOf(token), sentAddress(input), work);
  return isRight ? null : 'custom';
}
