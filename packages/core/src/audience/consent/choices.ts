import type { SqlDb } from '../../base/db/index.ts';
import { type FieldError, invalid } from '../../base/kernel/index.ts';
import { findTopicNumbers } from './topics.store.ts';

/** Choices by the numbers of topics, as the writers of acts take them; a part is absent without any. */
export interface NumberedChoices {
  yes?: number[];
  no?: number[];
}

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
    numbers.has(key)
      ? []
      : [{ field: `topics.${key}`, code: 'unknown_topic', message: 'The project has no such topic' }],
  );
  if (unknown.length > 0) throw invalid(unknown);
  const chosen = (choice: boolean): number[] =>
    keys
      .flatMap((key) => (choices[key] === choice ? (numbers.get(key) ?? []) : []))
      .toSorted((a, b) => a - b);
  const [yes, no] = [chosen(true), chosen(false)];
  return { ...(yes.length > 0 && { yes }), ...(no.length > 0 && { no }) };
}
