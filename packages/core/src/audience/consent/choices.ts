import type { SqlDb } from '../../base/db/index.ts';
import { type FieldError, invalid } from '../../base/kernel/index.ts';
import type { NumberedChoices } from './statements.rules.ts';
import { findTopicNumbers } from './topics.store.ts';

/** What is said of a key that no topic has, or only an archived one. @param field where the request names it */
export const unknownTopic = (field: string, key: string): FieldError => ({
  field,
  code: 'unknown_topic',
  message: 'No such topic in this project, or it is archived',
  received: key,
});

/**
 * The topics that a request names by their keys.
 *
 * @throws AppError VALIDATION_ERROR `unknown_topic` at `topics.<key>` for a key that the project does not have, or whose topic is archived
 */
export async function numberedChoices(
  db: SqlDb,
  projectId: string,
  choices: Readonly<Record<string, boolean>> | undefined,
): Promise<NumberedChoices> {
  const keys = Object.keys(choices ?? {});
  if (!choices || keys.length === 0) return {};
  const numbers = await findTopicNumbers(db, projectId, keys);
  const unknown: FieldError[] = keys.flatMap((key) =>
    numbers.has(key) ? [] : [unknownTopic(`topics.${key}`, key)],
  );
  if (unknown.length > 0) throw invalid(unknown);
  const chosen = (choice: boolean): number[] =>
    keys
      .flatMap((key) => (choices[key] === choice ? (numbers.get(key) ?? []) : []))
      .toSorted((a, b) => a - b);
  const [yes, no] = [chosen(true), chosen(false)];
  return { ...(yes.length > 0 && { yes }), ...(no.length > 0 && { no }) };
}
