import { z } from 'zod';
import { sayingOf } from '../../audience/consent/index.ts';
import {
  type ContactChange,
  type Definitions,
  definitionsOf,
  prepareChanges,
  storableValue,
} from '../../audience/contacts/index.ts';
import { keyUseOf } from '../../base/idempotency/index.ts';
import {
  AppError,
  assertSenderAllowed,
  type Context,
  direct,
  emailAddress,
  type ProjectState,
  projectOf,
  recordId,
  senderRefused,
} from '../../base/kernel/index.ts';
import { currentTrace } from '../../base/kernel/traces.ts';
import { newId } from '../../base/lib/index.ts';
import { requireVerifiedSender } from '../../people/domains/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import {
  type AcceptRequest,
  identifyBlob,
  identifyContent,
  type NewContent,
  notifyOutbox,
} from '../ledger/index.ts';
import { priorities } from '../ledger/ledger.rules.ts';
import { acceptRequest } from '../sending/index.ts';
import type { Submission } from './read-submission.ts';

/** Recipients of one submission (behaviour B11.8). */
export const mostSubmissionRecipients = 1_000;

/** The request in the row of an idempotency key. */
export const submissionLabel = 'SMTP submission';

const submitInput = z.object({
  submission: z.custom<Submission>(
    (value) => typeof value === 'object' && value !== null && 'message' in value,
  ),
  recipients: z.array(emailAddress).min(1).max(mostSubmissionRecipients),
});

/** The door of SMTP: there a message is read and refused with the replies of that protocol. */
export const submitMessage = direct({
  name: 'sending.submit',
  summary: 'Accepts a message that was submitted by SMTP, and sends it as it is to each recipient',
  permission: 'mail:send',
  risk: 'mail',
  internal: true,
  errors: ['FORBIDDEN', 'BILLING_LIMIT_EXCEEDED', senderRefused],
  input: submitInput,
  output: z.object({
    emails: z.array(recordId).describe('Ids of the emails, in the order of the recipients.'),
  }),
  async handler(ctx, { submission, recipients }) {
    const project = projectOf(ctx);
    assertSenderAllowed(ctx.actor, submission.from.email);
    const message = await withAllowedSender(ctx, submission);
    const definitions = await definitionsOf(ctx);
    const request = requestOf(
      ctx,
      project,
      { ...submission, message },
      [...new Set(recipients)],
      definitions,
    );
    await assertStorage(ctx.services, project.id, message.length);
    await acceptRequest(ctx, request);
    notifyOutbox(ctx.services, project.id);
    return { emails: request.recipients.map(({ emailId }) => emailId) };
  },
});

/** The message without a `Sender` that the project, or the key of the request, may not send from. */
async function withAllowedSender(ctx: Context, { message, sender }: Submission): Promise<Buffer> {
  if (!sender || (await maySendFrom(ctx, sender.email))) return message;
  return Buffer.concat([message.subarray(0, sender.start), message.subarray(sender.end)]);
}

async function maySendFrom(ctx: Context, address: string): Promise<boolean> {
  try {
    await requireVerifiedSender(ctx, address);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function requestOf(
  ctx: Context,
  project: ProjectState,
  submission: Submission,
  addresses: readonly string[],
  definitions: Definitions,
): AcceptRequest {
  const { config, secrets } = ctx.services;
  const { message, from, names, subject, messageId, hasAttachments } = submission;
  const now = new Date();
  const hash = identifyBlob(message, now);
  const content = contentOf(project, submission, hash);
  const named = addresses.map((email) => ({ email, name: names.get(email) ?? null }));
  return {
    changes: prepareChanges(
      secrets,
      project.id,
      named.map(({ email, name }): ContactChange => {
        const stored = name === null ? undefined : storableValue(definitions, project.timeZone, 'name', name);
        return { email, subscribed: null, set: stored === undefined ? {} : { name: stored }, unset: [] };
      }),
      false,
      sayingOf(ctx),
    ),
    recipients: named.map(({ email, name }) => ({ emailId: newId(), address: email, name, transient: {} })),
    content,
    identity: identifyContent(content, now),
    blobs: [{ hash, bytes: message }],
    senderDomain:
      from.email === config.sandboxFrom ? null : from.email.slice(from.email.lastIndexOf('@') + 1),
    priority: priorities.TRANSACTIONAL,
    tracked: submission.isTracked,
    templateId: null,
    tags: submission.tags,
    metadata:
      submission.metadata && Object.keys(submission.metadata).length > 0 ? submission.metadata : undefined,
    idempotency: keyUseOf(ctx, submissionLabel),
    submitted: { subject, messageId, hasAttachments },
    trace: currentTrace() ?? undefined,
  };
}

/** The texts are what lists and previews show. */
const contentOf = (project: ProjectState, submission: Submission, hash: Buffer): NewContent => ({
  projectId: project.id,
  type: 'TRANSACTIONAL',
  sourceType: 'TRANSACTIONAL',
  subject: submission.subject,
  preheader: null,
  text: null,
  body: submission.html ?? '',
  from: submission.from.email,
  fromName: submission.from.name,
  replyTo: submission.replyTo,
  headers: {},
  projectName: project.name,
  language: project.language,
  attachments: [],
  raw: { blob: hash.toString('hex'), text: submission.text, idempotencyKey: submission.idempotencyKey },
});
