import { statedBy } from '../../audience/consent/index.ts';
import {
  definitionsOf,
  type FieldWarning,
  prepareChanges,
  settledData,
  splitContactData,
  storableValue,
} from '../../audience/contacts/index.ts';
import {
  AppError,
  assertSenderAllowed,
  badRequest,
  type Context,
  invalid,
  type ProjectState,
  type Services,
} from '../../base/kernel/index.ts';
import { currentTrace } from '../../base/kernel/traces.ts';
import { newId } from '../../base/lib/index.ts';
import { assertTemplateSyntax, bytesOfTexts, type SendableTemplate } from '../../content/templates/index.ts';
import {
  type AcceptRequest,
  identifyBlob,
  identifyContent,
  type NewContent,
  ofTopic,
} from '../ledger/index.ts';
import { priorities, scheduledPriority } from '../ledger/ledger.rules.ts';
import { fitsIntoMessage } from '../message/index.ts';
import { isTracked } from '../message/tracked.rules.ts';
import { isKnownContent } from './accept-send.ts';
import { typeOfFile } from './attachment-types.rules.ts';
import { idOfNamedTopic } from './named-topic.ts';
import { isShared, sharedRecipients } from './recipients.schema.ts';
import { sendTimeOf } from './schedule.schema.ts';
import type { AttachmentInput, SendInput } from './sending.schema.ts';

const megabyte = 1_048_576;

/** What a send adds to the storage; a content that this process has stored already takes no room again. */
export function newBytesOf(services: Services, { content, identity, blobs }: AcceptRequest): number {
  const attached = blobs.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return isKnownContent(services, identity.id) ? attached : attached + bytesOfTexts(content);
}

export interface BuildOptions {
  findTemplate(reference: string): Promise<SendableTemplate | null>;
  /** one of a batch, which waits for single sends */
  isOfBatch?: boolean;
}

/**
 * What is stored for the body of a send. Looks at everything that does not depend on other requests; stores nothing.
 *
 * @throws AppError for what is wrong with it
 */
export async function buildRequest(
  ctx: Context,
  project: ProjectState,
  input: SendInput,
  { findTemplate, isOfBatch = false }: BuildOptions,
): Promise<{ request: AcceptRequest; warnings: FieldWarning[] }> {
  const { config, secrets } = ctx.services;
  const now = new Date();
  const sendAt = sendTimeOf(input);
  const scheduledAt = sendAt && sendAt > now ? sendAt : null;
  const given = splitContactData(input.data ?? {}, 'transient-allowed');
  if (given.issues.length > 0) {
    throw invalid(
      given.issues.map(({ path, code, message }) => ({ field: ['data', ...path].join('.'), code, message })),
    );
  }
  const definitions = await definitionsOf(ctx);
  const split = await settledData(ctx, given, 'lenient');
  const said = await statedBy(ctx, project.id, input.consent);
  const template = input.template === undefined ? null : await findTemplate(input.template);
  const topicId = input.topic === undefined ? template?.topicId : await idOfNamedTopic(ctx, input.topic);
  const from = input.from?.email ?? template?.from;
  const attachments = input.attachments ?? [];
  const made = { input, template, topicId: topicId ?? null };
  const plain =
    from === undefined || attachments.length > 0 ? null : identified(contentOf(project, made, from, []), now);
  const isChecked = plain !== null && isKnownContent(ctx.services, plain.identity.id);
  if (!isChecked) {
    if (!input.literal) await assertTemplateSyntax(ctx, input);
    assertAttachmentSizes(attachments, config);
  }
  if (input.template !== undefined && !template)
    throw new AppError('TEMPLATE_NOT_FOUND', 'Template not found');
  const shared = isShared(input) ? sharedRecipients(input) : null;
  if (shared && template) assertShareable(template);
  if (from === undefined) {
    throw invalid([{ field: 'from', code: 'required', message: 'Could not parse sender email' }]);
  }
  const blobs = attachments.map(({ content: bytes }) => ({ bytes, hash: identifyBlob(bytes, now) }));
  const hashes = blobs.map(({ hash }) => hash);
  assertSenderAllowed(ctx.actor, from);
  const { content, identity } = plain ?? identified(contentOf(project, made, from, hashes), now);
  if (!isChecked) assertMessageSize(content, attachments, config);
  const namesItself = input.data !== undefined && Object.hasOwn(input.data, 'name');
  const to = shared?.filter(({ field }) => field === 'to') ?? input.to;
  const copied = shared?.filter(({ field }) => field !== 'to') ?? [];
  const changes = prepareChanges(
    secrets,
    project.id,
    to.map(({ email, name }) => {
      const stored =
        name === null || namesItself ? undefined : storableValue(definitions, project.timeZone, 'name', name);
      return {
        email,
        subscribed: input.subscribed ?? null,
        set: stored === undefined ? split.set : { ...split.set, name: stored },
        unset: split.unset,
        lists: split.lists,
      };
    }),
    false,
    said,
  );
  const request: AcceptRequest = {
    changes,
    recipients: [
      ...to.map(({ email, name }) => ({
        emailId: newId(),
        address: email,
        name,
        // Another recipient element may have set the contact's name; each email uses its own.
        transient: name !== null && !namesItself ? { name, ...split.transient } : split.transient,
      })),
      ...copied.map(({ email, name, field }) => ({
        emailId: newId(),
        address: email,
        name,
        transient: {},
        copy: field === 'cc' ? ('CC' as const) : ('BCC' as const),
      })),
    ],
    ...(shared && { isShared: true }),
    content,
    identity,
    blobs,
    senderDomain: from === config.sandboxFrom ? null : domainOf(from),
    priority: scheduledAt || isOfBatch ? scheduledPriority : priorities.TRANSACTIONAL,
    scheduledAt,
    tracked: input.tracking ?? isTracked(project.tracking, content.type),
    templateId: template?.id ?? null,
    tags: input.tags,
    // Without keys it says nothing.
    metadata: input.metadata && Object.keys(input.metadata).length > 0 ? input.metadata : undefined,
    idempotency: null,
    trace: currentTrace() ?? undefined,
  };
  return { request, warnings: split.warnings };
}

/** Who sees who else got it has not asked for marketing email together with them. */
function assertShareable({ type }: SendableTemplate): void {
  if (type === 'TRANSACTIONAL') return;
  throw badRequest(`A ${type} template cannot be sent as one message to several recipients`, {
    suggestion:
      'Use a TRANSACTIONAL template, or send without cc, bcc and together: each recipient then gets its own email',
  });
}

const identified = (content: NewContent, now: Date) => ({
  content,
  identity: identifyContent(content, now),
});

/** The content of a request: its own texts before those of the template. */
const contentOf = (
  project: ProjectState,
  {
    input,
    template,
    topicId,
  }: { input: SendInput; template: SendableTemplate | null; topicId: string | null },
  from: string,
  blobs: readonly Buffer[],
): NewContent => ({
  projectId: project.id,
  type: template?.type ?? 'TRANSACTIONAL',
  sourceType: 'TRANSACTIONAL',
  subject: input.subject ?? template?.subject ?? '',
  preheader: input.preheader ?? template?.preheader ?? null,
  body: input.body ?? template?.body ?? '',
  // The text of the template belongs to its body.
  text: input.text ?? (input.body === undefined ? template?.text : null) ?? null,
  ...(input.literal ? { literal: true } : {}),
  from,
  fromName: senderNameOf(input) ?? input.from?.name ?? template?.fromName ?? null,
  replyTo: input.replyTo ?? input.reply ?? template?.replyTo ?? null,
  headers: input.headers ?? {},
  projectName: project.name,
  language: project.language,
  ...ofTopic({ topicId }),
  attachments: (input.attachments ?? []).map((item, index) => ({
    filename: item.filename,
    contentType: item.contentType ?? typeOfFile(item.filename),
    contentId: item.contentId ?? null,
    disposition: item.disposition,
    blob: blobs[index]?.toString('hex') ?? '',
  })),
});

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** The deprecated `name` applies to a `from` that is a string. */
const senderNameOf = ({ from, name }: SendInput): string | null =>
  from?.isText ? name?.trim() || null : null;

interface SizeLimits {
  ATTACHMENTS_MAX_COUNT: number;
  ATTACHMENTS_MAX_MB: number;
  MESSAGE_MAX_MB: number;
}

const tooBig = (message: string): AppError => invalid([{ field: 'attachments', code: 'too_big', message }]);

/** Checks the limits of B4.2 on attachments. */
function assertAttachmentSizes(attachments: AttachmentInput[], limits: SizeLimits): void {
  if (attachments.length > limits.ATTACHMENTS_MAX_COUNT)
    throw tooBig(`At most ${limits.ATTACHMENTS_MAX_COUNT} attachments`);
  const bytes = attachments.reduce((sum, item) => sum + item.content.length, 0);
  if (bytes > limits.ATTACHMENTS_MAX_MB * megabyte)
    throw tooBig(`At most ${limits.ATTACHMENTS_MAX_MB} MB of attachments in total`);
}

/** Checks the limit of B4.2 on the whole message: its size on the wire before values are filled in. */
function assertMessageSize(content: NewContent, attachments: AttachmentInput[], limits: SizeLimits): void {
  const files = attachments.map((item, index) => ({
    ...item,
    contentType: content.attachments[index]?.contentType ?? '',
  }));
  if (!fitsIntoMessage({ ...content, attachments: files, tracking: true }, limits.MESSAGE_MAX_MB * megabyte))
    throw tooBig(`The whole message can have at most ${limits.MESSAGE_MAX_MB} MB`);
}
