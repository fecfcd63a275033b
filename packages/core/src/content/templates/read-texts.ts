import { type Services, TaskLimitError } from '../../base/kernel/index.ts';
import { type TemplateField, templateFields } from './email-content.schema.ts';
import { type ReadTexts, readTextsOf, readTextsTask, type TemplateText } from './read-texts.task.ts';

/** Sources of up to this many characters are parsed at once, which takes less time than asking a thread. */
const inlineLength = 20_000;

/** CPU time for parsing sources of a length, in milliseconds. Parsing is linear and needs about a fifth of it. */
export const parseMs = (length: number): number => 200 + length / 2_000;

/** The parts of a template given by a caller. */
export type TemplateSource = { [Field in TemplateField]?: string | null | undefined };

export const textsOf = (source: TemplateSource): TemplateText[] =>
  Object.entries(templateFields).flatMap(([field, output]) => {
    const text = source[field as TemplateField];
    return text === undefined || text === null ? [] : [{ field, source: text, output }];
  });

/** The syntax errors of these sources (behaviour B1.2), and the contact fields that they name. */
export async function readTexts(
  { threads }: Pick<Services, 'threads'>,
  projectId: string,
  texts: readonly TemplateText[],
): Promise<ReadTexts> {
  const templates = texts.filter(({ source }) => source.includes('{'));
  const length = templates.reduce((sum, { source }) => sum + source.length, 0);
  if (length <= inlineLength) return readTextsOf(templates);
  try {
    return await threads.run(readTextsTask, templates, { projectId, cpuMs: parseMs(length) });
  } catch (error) {
    if (!(error instanceof TaskLimitError)) throw error;
    const message = 'the template takes too long to read';
    const problems = templates.slice(0, 1).map(({ field }) => ({ field, message, line: 1, column: 1 }));
    return { problems, reads: [] };
  }
}

interface UnreadRow {
  id: string;
  projectId: string;
  updatedAt: Date;
  texts: TemplateText[];
}

/** Rows of one table whose texts have not been read since they were stored. */
export interface UnreadTexts {
  find(limit: number): Promise<UnreadRow[]>;
  /** leaves a row alone that was stored again meanwhile */
  write(row: UnreadRow, reads: string[]): Promise<void>;
}

/** Texts are up to 2 MB each. */
const rowsAtOnce = 5;

/**
 * Reads what a version before this one has stored. Each row is written for itself, so that it goes on where it was interrupted.
 *
 * @param endsAt by `performance.now()`
 * @returns how many rows were read
 */
export async function readUnread(
  services: Services,
  { find, write }: UnreadTexts,
  endsAt: number,
): Promise<number> {
  let done = 0;
  while (performance.now() < endsAt) {
    const rows = await find(rowsAtOnce);
    if (rows.length === 0) break;
    for (const row of rows) {
      const { reads } = await readTexts(services, row.projectId, row.texts);
      await write(row, reads);
      done += 1;
    }
  }
  return done;
}
