import { type Services, TaskLimitError } from '../../base/kernel/index.ts';
import { parseMs } from '../../content/templates/index.ts';
import { readContentTask } from './content/read-content.task.ts';
import type { Reading, WrittenContent } from './content/reading.rules.ts';

/** What is found in the texts of an email, on a thread: large ones delay no one else. Texts that take too long are not checked. */
export async function checkTexts(
  { threads }: Pick<Services, 'threads'>,
  projectId: string,
  content: WrittenContent,
): Promise<Reading> {
  const { subject, preheader, body, text } = content;
  const length = subject.length + (preheader?.length ?? 0) + body.length + (text?.length ?? 0);
  try {
    return await threads.run(readContentTask, content, { projectId, cpuMs: parseMs(length) });
  } catch (error) {
    if (!(error instanceof TaskLimitError)) throw error;
    return { problems: [], bare: [], isUnread: true };
  }
}
