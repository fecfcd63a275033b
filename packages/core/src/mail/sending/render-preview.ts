import { invalid, type Services, TaskLimitError } from '../../base/kernel/index.ts';
import { parseMs } from '../../content/templates/index.ts';
import type { MessagePreview } from '../message/index.ts';
import { type PreviewInput, previewTask } from '../message/preview.task.ts';

/** CPU time of one preview beside that for parsing, in milliseconds. */
const previewMs = 200;

/**
 * Renders a preview on a thread. One that takes too long is rendered again by plain replacement.
 *
 * @throws AppError VALIDATION_ERROR when even that takes too long
 */
export async function renderPreview(
  services: Pick<Services, 'threads'>,
  projectId: string,
  input: Omit<PreviewInput, 'plain'>,
  { plain = false }: { plain?: boolean } = {},
): Promise<MessagePreview> {
  const { subject, body, text } = input.content;
  const cpuMs = previewMs + parseMs(subject.length + body.length + (text?.length ?? 0));
  try {
    return await services.threads.run(previewTask, { ...input, plain }, { projectId, cpuMs });
  } catch (error) {
    if (!(error instanceof TaskLimitError)) throw error;
    if (!plain) return renderPreview(services, projectId, input, { plain: true });
    throw invalid([
      { field: 'body', code: 'template_too_slow', message: 'This template takes too long to render' },
    ]);
  }
}
