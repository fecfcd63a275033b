import { retryConflicts } from '../../base/db/index.ts';
import {
  type AppError,
  conflict,
  invalid,
  type Services,
  suggestions,
  TaskLimitError,
} from '../../base/kernel/index.ts';
import { parseMs, textsOf } from '../../content/templates/index.ts';
import {
  type AcceptedEmail,
  type AcceptRequest,
  acceptIfRendered,
  type StoredVariables,
} from '../ledger/index.ts';
import { findGapsTask } from '../message/find-gaps.task.ts';
import { capsOf } from '../ramp/ramp.rules.ts';

const mostGaps = 20;
/** CPU time for one recipient beside that for parsing, in milliseconds. */
const recipientMs = 50;
/** Data that changes between each rendering and its statement is that of a contact that others write all the time. */
const mostRenderings = 10;

/**
 * Stores a send if every output that its recipients would reach has a value (behaviour B4.2): the emails are made as they would be stored,
 * undone, rendered, and then stored if they have the same values again.
 *
 * @throws AppError VALIDATION_ERROR that names what is missing, or CONFLICT when the data never stays the same; nothing is stored
 */
export async function storeStrictly(services: Services, request: AcceptRequest): Promise<AcceptedEmail[]> {
  const caps = capsOf(services.config);
  const takesLocal = services.config.mailboxUrl !== null;
  let rendered: StoredVariables[] | null = null;
  for (let n = 0; n <= mostRenderings; n += 1) {
    const known: StoredVariables[] | null = rendered;
    const result: Awaited<ReturnType<typeof acceptIfRendered>> = await retryConflicts(() =>
      acceptIfRendered(services.database.durable, request, { caps, takesLocal, rendered: known }),
    );
    if ('accepted' in result) return result.accepted;
    await assertNoGaps(services, request, result.variables);
    rendered = result.variables;
  }
  throw conflict('The data of a recipient changed each time the email was rendered', {
    suggestion: suggestions.CONFLICT.recipientChanges,
  });
}

/** @throws AppError VALIDATION_ERROR that names what is missing */
export async function assertNoGaps(
  { threads }: Services,
  { content }: AcceptRequest,
  variables: readonly StoredVariables[],
): Promise<void> {
  const texts = content.literal ? [] : textsOf(content);
  const length = texts.reduce((sum, { source }) => sum + source.length, 0);
  const recipients = variables.map(({ contactId, address, subscribed, vars }) => ({
    address,
    contact: { id: contactId, email: address, subscribed, data: JSON.parse(vars) as Record<string, unknown> },
  }));
  const { projectId, language } = content;
  const cpuMs = parseMs(length) + recipients.length * recipientMs;
  const gaps = await threads
    .run(findGapsTask, { texts, recipients, language, most: mostGaps }, { projectId, cpuMs })
    .catch((error: unknown) => {
      throw error instanceof TaskLimitError ? tooSlow() : error;
    });
  if (gaps.length === 0) return;
  throw invalid(
    gaps.map(({ address, path }) => ({
      field: `data.${path}`,
      code: 'required',
      message: `The email to ${address} has no value for this variable`,
    })),
  );
}

const tooSlow = (): AppError =>
  invalid([{ field: 'body', code: 'template_too_slow', message: 'This template takes too long to render' }]);
