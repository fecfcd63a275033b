import type { StoredContent } from './ledger/content.store.ts';
import {
  type LinkBuilder,
  type PreparedMessage,
  type PrepareOptions,
  prepareMessage,
} from './message/index.ts';

/**
 * Compiles a stored content: the only source of its messages, their preview and their links.
 *
 * @returns null once retention has cleared the content
 * @throws {TemplateSyntaxError} when subject or body cannot be parsed
 */
export function prepareStored(
  { body, ...content }: StoredContent,
  links: LinkBuilder,
  { tracking, ...options }: PrepareOptions & { tracking: boolean },
): PreparedMessage | null {
  return body === null ? null : prepareMessage({ ...content, body, tracking }, links, options);
}
