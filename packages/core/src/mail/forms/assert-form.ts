import { readTopics, type TopicRow } from '../../audience/topics/index.ts';
import type { Db } from '../../base/db/index.ts';
import {
  type Context,
  type FieldError,
  invalid,
  projectIdOf,
  senderNotVerified,
} from '../../base/kernel/index.ts';
import { findSender } from '../../people/domains/index.ts';
import { findConsentSettings } from '../../people/projects/index.ts';
import { missingLanguage } from './forms.rules.ts';
import type { FormContent } from './forms.store.ts';

/**
 * The numbers of the topics that a form names.
 *
 * @throws AppError VALIDATION_ERROR at `topics.<position>` for what visitors cannot choose
 */
export function numbersOfTopics(topics: readonly TopicRow[], keys: readonly string[]): number[] {
  const errors: FieldError[] = [];
  const numbers = keys.flatMap((key, index) => {
    const topic = topics.find((each) => each.key === key && !each.archived);
    if (!topic) {
      errors.push({ field: `topics.${index}`, code: 'unknown_topic', message: `There is no topic ${key}` });
      return [];
    }
    if (topic.visibility === 'PRIVATE') {
      errors.push({
        field: `topics.${index}`,
        code: 'custom',
        message: `${key} is PRIVATE: it can be on no form`,
      });
      return [];
    }
    return topic.number;
  });
  if (errors.length > 0) throw invalid(errors);
  return numbers;
}

/** @throws AppError VALIDATION_ERROR where a text is missing in a language of the form */
export function assertTexts(
  form: Pick<FormContent, 'title' | 'consentText' | 'language'>,
  enabled: boolean,
): void {
  const missing = missingLanguage(form, form.language);
  if (!missing || (missing.field === 'consentText' && !enabled)) return;
  throw invalid([
    {
      field: `${missing.field}.${missing.language}`,
      code: 'required',
      message: 'Every language of the form needs this text',
    },
  ]);
}

/**
 * A form that takes sign-ups has somebody to ask for their confirmation, and something to subscribe to.
 *
 * @throws AppError INTERNAL_SERVER_ERROR (403) without a verified sender; VALIDATION_ERROR without a topic that visitors may choose
 */
export async function assertCanOpen(ctx: Context, db: Db, topicNumbers: readonly number[]): Promise<void> {
  const projectId = projectIdOf(ctx);
  const { confirmation } = await findConsentSettings(db, projectId);
  if (!confirmation) {
    throw invalid([
      {
        field: 'enabled',
        code: 'custom',
        message: 'Set consent.confirmation of the project first: who asks for the confirmation',
      },
    ]);
  }
  if (!(await findSender(ctx.services.config, db, projectId, confirmation.from)))
    throw senderNotVerified(confirmation.from.slice(confirmation.from.lastIndexOf('@') + 1));
  const offered = (await readTopics(db, projectId, { archived: false })).filter(
    ({ number, visibility }) => visibility === 'PUBLIC' && topicNumbers.includes(number),
  );
  if (offered.length > 0) return;
  throw invalid([
    { field: 'topics', code: 'required', message: 'Name at least one topic that visitors may choose' },
  ]);
}
