import { AppError } from '@postrider/core/base/kernel';
import { findSourceTargets } from '@postrider/core/content/source-refs';
import type { SourceRefKind, SourceService } from '@postrider/core/content/source-refs/contract';
import type { Call } from './door.ts';

/** A number names a template of another service alone: no alias is one. */
const number = /^\d+$/;

/**
 * Gives each message the template here that its reference to one of the service means (behaviour B16.11); other references are ours. A number
 * that means nothing becomes an error in the place of its message.
 */
export async function withTemplates<Message extends object>(
  call: Call,
  source: SourceService,
  messages: readonly (Message | AppError)[],
): Promise<(Message | AppError)[]> {
  const named = messages.flatMap((message) => templateOf(message) ?? []);
  if (named.length === 0) return [...messages];
  const targets = await findSourceTargets(call.ctx, { source, kind: 'TEMPLATE' }, named);
  return messages.map((message) => {
    const template = templateOf(message);
    if (template === null) return message;
    const target = targets.get(template);
    if (target !== undefined) return { ...message, template: target };
    return number.test(template) ? unknownTemplate(source, template) : message;
  });
}

/** The same for messages that are sent together. @throws AppError TEMPLATE_NOT_FOUND */
export async function allWithTemplates<Message extends object>(
  call: Call,
  source: SourceService,
  messages: readonly Message[],
): Promise<Message[]> {
  return (await withTemplates(call, source, messages)).map((message) => {
    if (message instanceof AppError) throw message;
    return message;
  });
}

const templateOf = (message: object): string | null =>
  'template' in message && typeof message.template === 'string' ? message.template : null;

const unknownTemplate = (source: SourceService, id: string): AppError =>
  new AppError('TEMPLATE_NOT_FOUND', `No template here is known as ${id.slice(0, 20)} of ${source}`, {
    suggestion: 'State which template it is by PUT /source-refs, or name the template by its alias',
  });

/** The record that an id of the service means; without a reference, the id is one of ours. */
export async function targetOf(
  call: Call,
  source: SourceService,
  kind: SourceRefKind,
  id: string,
): Promise<string> {
  return (await targetsOf(call, source, kind, [id]))[0] ?? id;
}

/** The same for several ids, in their order. */
export async function targetsOf(
  call: Call,
  source: SourceService,
  kind: SourceRefKind,
  ids: readonly string[],
): Promise<string[]> {
  const targets = await findSourceTargets(call.ctx, { source, kind }, ids);
  return ids.map((id) => targets.get(id) ?? id);
}
