import { type KeyUse, keyUseOf } from '../../base/idempotency/index.ts';
import {
  AppError,
  type Context,
  defaultSuggestions,
  direct,
  invalid,
  type ProjectState,
  parseRequest,
  projectOf,
  senderRefused,
  statusOfKind,
} from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { readTemplate, type SendableTemplate } from '../../content/templates/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import { type AcceptRequest, notifyOutbox } from '../ledger/index.ts';
import { type Judged, storeBatch } from './accept-batch.ts';
import { buildRequest, newBytesOf } from './build-request.ts';
import { pauseFor, pausesOf } from './pause-watch.ts';
import { presentAccepted } from './present-accepted.ts';
import { isShared, sharedRecipients } from './recipients.schema.ts';
import {
  type BatchError,
  type BatchResult,
  batchInput,
  batchOutput,
  mostOfBatch,
} from './send-batch.schema.ts';
import { type SendInput, sendInput } from './sending.schema.ts';

/** A batch counts as one request for each of these. */
const itemsOfRequest = 50;
/** Items that are judged at the same time. */
const judgedAtOnce = 16;

export const sendBatch = direct({
  name: 'sending.sendBatch',
  summary: 'Sends different transactional emails with one request; each is accepted or refused by itself',
  permission: 'mail:send',
  risk: 'mail',
  errors: [
    'BAD_REQUEST',
    'FORBIDDEN',
    'BILLING_LIMIT_EXCEEDED',
    senderRefused,
    'TEMPLATE_NOT_FOUND',
    'CONFLICT',
  ],
  input: batchInput,
  output: batchOutput,
  async handler(ctx, { emails: items, atomic: isAtomic = false }) {
    const project = projectOf(ctx);
    await ctx.request.charge?.(Math.ceil(items.length / itemsOfRequest) - 1);
    const parsed = items.map(parseItem);
    assertFewEmails(parsed);
    const judged = await judge(ctx, project, parsed);
    const use: KeyUse | null = keyUseOf(ctx, 'POST /v1/send/batch');
    const [outcomes, pauses] = await Promise.all([
      storeBatch(ctx, project.id, judged, { isAtomic, use }),
      pausesOf(ctx.services),
    ]);
    const now = new Date();
    const results = outcomes.map((outcome, index): BatchResult => {
      if (outcome instanceof AppError) return { index, status: 'REFUSED', error: shownError(outcome) };
      const { request, warnings, stored } = outcome;
      const { senderDomain: domain, content } = request;
      const pause = pauseFor(pauses, { type: content.type, projectId: project.id, domain });
      return {
        index,
        status: 'ACCEPTED',
        emails: presentAccepted(request, stored, { pause, now }),
        ...(warnings.length > 0 && { warnings }),
      };
    });
    const refused = results.filter(({ status }) => status === 'REFUSED');
    if (isAtomic && refused.length > 0) throw refusalOfAll(outcomes, refused);
    if (outcomes.some((outcome) => !(outcome instanceof AppError) && !outcome.request.scheduledAt))
      notifyOutbox(ctx.services, project.id);
    return { results, accepted: results.length - refused.length, refused: refused.length, timestamp: now };
  },
});

/** As the door of a single send does. */
function parseItem(item: unknown): SendInput | AppError {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return new AppError('INVALID_REQUEST_BODY', 'The request body must be a JSON object');
  try {
    return parseRequest(sendInput, item);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** @throws AppError VALIDATION_ERROR for a batch that is too large as a whole */
function assertFewEmails(parsed: readonly (SendInput | AppError)[]): void {
  const emailsOf = (input: SendInput): number =>
    isShared(input) ? sharedRecipients(input).length : input.to.length;
  const emails = parsed.reduce((sum, item) => sum + (item instanceof AppError ? 0 : emailsOf(item)), 0);
  if (emails <= mostOfBatch) return;
  const message = `The items of a batch make at most ${mostOfBatch.toLocaleString('en')} emails, copies included`;
  throw invalid([{ field: 'emails', code: 'too_big', message }]);
}

/** What can be said of each item without the others, a few at a time. */
async function judge(
  ctx: Context,
  project: ProjectState,
  parsed: readonly (SendInput | AppError)[],
): Promise<(Judged | AppError)[]> {
  const templates = new Map<string, Promise<SendableTemplate | null>>();
  const findOnce = (reference: string): Promise<SendableTemplate | null> => {
    const found =
      templates.get(reference) ?? readTemplate(ctx.services, { projectId: project.id, reference });
    templates.set(reference, found);
    return found;
  };
  const build = async (input: SendInput): Promise<Judged | AppError> => {
    const built = await buildRequest(ctx, project, input, { findTemplate: findOnce, isOfBatch: true });
    return { ...built, isStrict: input.strictVariables === true };
  };
  const judged: (Judged | AppError)[] = [];
  const waiting = parsed.entries();
  await Promise.all(
    Array.from({ length: judgedAtOnce }, async () => {
      for (const [index, item] of waiting)
        judged[index] = item instanceof AppError ? item : await orRefused(build(item));
    }),
  );
  // In their order: what one of them stores is no longer there for the next.
  for (const [index, item] of judged.entries()) {
    if (item instanceof AppError) continue;
    const bytes = newBytesOf(ctx.services, item.request);
    const stored = await orRefused(assertStorage(ctx.services, project.id, bytes));
    if (stored instanceof AppError) judged[index] = stored;
    else judged[index] = { ...item, request: inOrder(item.request) };
  }
  return judged;
}

/** The ids of emails follow the order of the items, whichever of them was judged first. */
const inOrder = (request: AcceptRequest): AcceptRequest => ({
  ...request,
  recipients: request.recipients.map((recipient) => ({ ...recipient, emailId: newId() })),
});

async function orRefused<T>(work: Promise<T>): Promise<T | AppError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function shownError({ code, kind, message, errors, details, suggestion }: AppError): BatchError {
  return {
    code,
    message,
    statusCode: statusOfKind[kind],
    ...(errors && { errors }),
    ...(details && { details }),
    suggestion: suggestion ?? defaultSuggestions[kind],
  };
}

/** The error of the first refused item, which names all refused ones. */
function refusalOfAll(
  outcomes: readonly ({ request: AcceptRequest } | AppError)[],
  refused: readonly BatchResult[],
): AppError {
  const first = outcomes.find((outcome) => outcome instanceof AppError);
  if (!first) throw new Error('no item of the batch was refused');
  const { code, kind, message, errors, details, suggestion } = first;
  return new AppError(code, message, {
    kind,
    ...(errors && { errors }),
    details: { ...details, results: refused },
    ...(suggestion !== undefined && { suggestion }),
  });
}
