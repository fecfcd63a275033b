import { isAscii } from 'node:buffer';
import type { Services } from '../../base/kernel/services.ts';
import { BoundedCache } from '../../base/lib/index.ts';
import { readContent, type StoredContent } from '../ledger/index.ts';
import type { ComposeContent } from '../message/compose.task.ts';
import { bodyStartOf } from '../message/index.ts';

/** A content as the threads need it. */
export interface CachedContent {
  readonly id: string;
  readonly projectId: string;
  readonly subject: string;
  readonly from: string;
  readonly message: Omit<ComposeContent, 'tracking'>;
  /** the plain text of a submitted message */
  readonly submittedText: string | null;
  /** size of a message without what its variables add, roughly */
  readonly bytes: number;
  /** what a submitted message needs of the mail server; null for messages made here, which are 7-bit */
  readonly needs: { hasUtf8Headers: boolean; is8Bit: boolean } | null;
  /** whether it is only filled in, because rendering it, or others of its owner, reached a limit */
  isLimited: boolean;
  /** how many messages a task composes, so that it takes a few milliseconds; one at first, in case it takes too long */
  atOnce: number;
  /** whether a task of it has ended within its limit, or none can exceed it */
  isProven: boolean;
  /** the only task of a content that is not proven yet */
  trial: Promise<void> | null;
  /** keys under which threads have been given it */
  readonly given: Set<string>;
}

interface Entry {
  content: Promise<CachedContent | null>;
  /** with attachments; 0 until it is read */
  bytes: number;
}

/** The contents of this process, each read once. */
export class ContentCache {
  readonly #services: Services;
  readonly #contents = new BoundedCache<string, Entry>(
    { count: 200, bytes: 128 * 1_048_576 },
    ({ bytes }) => bytes,
  );

  constructor(services: Services) {
    this.#services = services;
  }

  /** @returns null when it is no longer stored */
  get(id: string): Promise<CachedContent | null> {
    const known = this.#contents.get(id);
    if (known) return known.content;
    const entry: Entry = { content: this.#read(id), bytes: 0 };
    this.#contents.set(id, entry);
    entry.content.then(
      (content) => {
        entry.bytes = content?.bytes ?? 0;
        this.#contents.trim();
      },
      () => this.#contents.delete(id),
    );
    return entry.content;
  }

  async #read(id: string): Promise<CachedContent | null> {
    const { database, owners } = this.#services;
    const content = await readContent(database.durable, id);
    if (!content) return null;
    await owners.known(content.projectId);
    return cachedOf(content, owners.fillsInPlainly(content.projectId, content.createdAt));
  }
}

function cachedOf(content: StoredContent, isPlain: boolean): CachedContent | null {
  const main = content.body ?? content.sealedBody;
  if (main === null) return null;
  const { id, projectId, subject, from, body, text, sealedBody, literal, confirms, attachments, limitedAt } =
    content;
  const submitted = content.raw?.message ?? null;
  const isProgram =
    submitted === null &&
    !literal &&
    /\{%|\|/.test(subject + (content.preheader ?? '') + main + (text ?? ''));
  const attached = attachments.reduce((sum, { content: bytes }) => sum + bytes.length, 0);
  return {
    id,
    projectId,
    subject,
    from,
    message: {
      type: content.type,
      sourceType: content.sourceType,
      subject,
      preheader: content.preheader,
      body: body ?? '',
      text,
      literal,
      ...(confirms && { confirms }),
      ...(body === null ? { sealed: { contentId: id, cipher: sealedBody ?? '' } } : {}),
      from,
      fromName: content.fromName,
      replyTo: content.replyTo,
      headers: content.headers,
      attachments,
      projectId,
      projectName: content.projectName,
      language: content.language,
      topic: content.topic,
      utm: content.utm,
      postalAddress: content.postalAddress,
      ...(submitted ? { submitted } : {}),
    },
    submittedText: content.raw?.text ?? null,
    bytes:
      (submitted?.length ?? 0) + Math.ceil(attached * 1.4) + (main.length + (text?.length ?? 0)) * 2 + 4_096,
    needs: submitted ? needsOf(submitted) : null,
    isLimited: limitedAt !== null || (isProgram && isPlain),
    atOnce: isProgram ? 1 : Number.POSITIVE_INFINITY,
    isProven: !isProgram,
    trial: null,
    given: new Set(),
  };
}

function needsOf(message: Buffer): { hasUtf8Headers: boolean; is8Bit: boolean } {
  const hasUtf8Headers = !isAscii(message.subarray(0, bodyStartOf(message)));
  return { hasUtf8Headers, is8Bit: hasUtf8Headers || !isAscii(message) };
}
