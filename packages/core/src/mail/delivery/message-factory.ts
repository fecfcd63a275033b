import { databaseIsAway } from '../../base/db/index.ts';
import { AppError, TaskLimitError, ThreadsUnavailableError } from '../../base/kernel/index.ts';
import type { OutgoingMessage } from '../../base/kernel/ports/mail-transport.ts';
import type { Services } from '../../base/kernel/services.ts';
import { newId } from '../../base/lib/ids.ts';
import { readMailbox, splitMailboxes } from '../../base/lib/mailboxes.rules.ts';
import { parseMs } from '../../content/templates/index.ts';
import { MissingPart, type StoredShared, type UnprovenOwner } from '../ledger/index.ts';
import { linkOwnerOf, shownContactOf } from '../ledger/ledger.rules.ts';
import { type ComposeRecipient, composeTask } from '../message/compose.task.ts';
import { bounceAddress } from '../message/index.ts';
import { type CachedContent, ContentCache } from './content-cache.ts';
import { internalReason } from './internal-reason.ts';
import { rememberLimit } from './remember-limit.ts';
import { asSandboxTest } from './sandbox-note.ts';
import type { SigningKey, SigningKeys } from './signing-keys.ts';

export interface ComposedMessage {
  envelope: OutgoingMessage['envelope'];
  mime: Buffer;
  /** the rendered subject, or null when it equals the content's subject */
  subject: string | null;
}

/** What composing needs of a claimed email. */
export type EmailToCompose = Parameters<typeof linkOwnerOf>[0] &
  Parameters<typeof shownContactOf>[0] & {
    campaignId: string | null;
    domainId: string | null;
    toName: string | null;
    contentId: string;
    tracked: boolean;
    unprovenOwner: UnprovenOwner | null;
    shared: StoredShared | null;
  };

/**
 * `error`: why the email can never be composed, which lies in its content or its recipient. `refusal`: why its mail server cannot be given the
 * message. `setback`: why it could not be composed this time, which lies anywhere else.
 */
export type Composed = ComposedMessage | { error: string } | { refusal: string } | { setback: unknown };

/** A task that ran and failed: the fault lies in what it was given. */
class FailedTask extends Error {}

/** CPU time for one message beside that for its length, in milliseconds. */
const messageMs = 50;
/** CPU time that one task aims at, in milliseconds: an urgent message of the project waits for the running task. */
const taskMs = 20;
/** Bytes of messages that are composed by one task. */
const taskBytes = 16 * 1_048_576;

/** Turns claimed emails into finished messages, on threads: a content that takes long holds up neither delivery nor other projects. */
export class MessageFactory {
  readonly #services: Services;
  readonly #contents: ContentCache;
  readonly #keys: SigningKeys;
  readonly #takesEightBit: () => boolean;

  /** @param takesEightBit whether the mail server takes 8-bit messages */
  constructor(services: Services, keys: SigningKeys, takesEightBit = () => true) {
    this.#services = services;
    this.#takesEightBit = takesEightBit;
    this.#contents = new ContentCache(services);
    this.#keys = keys;
  }

  /** Has the statement that reads contents prepared. */
  async prepare(): Promise<void> {
    await this.#contents.get(newId());
  }

  isSlow(projectId: string): boolean {
    return this.#services.threads.isSlow(projectId);
  }

  /**
   * The messages in the order of the emails, or why one cannot be created. Emails of one content are
   * best given together.
   *
   * @throws Error when the database is unavailable
   */
  async compose(emails: readonly EmailToCompose[]): Promise<Composed[]> {
    this.#services.threads.wake();
    const groups = Map.groupBy(
      emails,
      ({ contentId, tracked, toOther, domainId, unprovenOwner }) =>
        `${contentId}:${tracked}:${toOther}:${domainId}:${unprovenOwner?.language}`,
    );
    const composed = await Promise.all(
      [...groups.values()].map(async (group) => {
        const results = await this.#composeGroup(group);
        return group.map((email, index): [EmailToCompose, Composed | undefined] => [email, results[index]]);
      }),
    );
    const byEmail = new Map(composed.flat());
    return emails.map((email) => byEmail.get(email) ?? { error: 'it was not composed' });
  }

  async #composeGroup(emails: EmailToCompose[]): Promise<Composed[]> {
    const [{ contentId, domainId }] = emails as [EmailToCompose, ...EmailToCompose[]];
    try {
      const content = await this.#contents.get(contentId);
      if (!content) return emails.map(() => ({ error: 'its content is no longer stored' }));
      const signing = await this.#keys.get(domainId);
      const results: Composed[] = [];
      while (results.length < emails.length) {
        const most = Math.min(content.atOnce, Math.floor(taskBytes / content.bytes));
        const part = emails.slice(results.length, results.length + Math.max(1, most));
        results.push(...(await this.#composePart(content, signing, part)));
      }
      return results;
    } catch (error) {
      if (databaseIsAway(error)) throw error;
      if (error instanceof MissingPart) return emails.map(() => ({ error: error.message }));
      if (!(error instanceof FailedTask)) return emails.map(() => ({ setback: error }));
      this.#services.log.error({ err: error.cause, contentId }, 'messages could not be composed');
      return emails.map(() => ({ error: internalReason }));
    }
  }

  /** Until one task of a content has ended, its others wait: they would all reach the same limit, and each would cost a thread. */
  async #composePart(
    content: CachedContent,
    signing: SigningKey | null,
    emails: EmailToCompose[],
  ): Promise<Composed[]> {
    while (content.trial) await content.trial;
    const composed = this.#attempt(content, signing, emails);
    if (content.isProven || content.isLimited) return composed;
    const ended = (): void => {
      content.trial = null;
    };
    content.trial = composed.then(ended, ended);
    return composed;
  }

  async #attempt(
    content: CachedContent,
    signing: SigningKey | null,
    emails: EmailToCompose[],
  ): Promise<Composed[]> {
    const plain = content.isLimited;
    try {
      const results = await this.#run(content, signing, emails);
      content.isProven = true;
      return results;
    } catch (error) {
      if (!(error instanceof TaskLimitError)) throw error;
      if (!plain) {
        await rememberLimit(this.#services, content, error);
        content.isLimited = true;
        content.atOnce = Number.POSITIVE_INFINITY;
        return this.#attempt(content, signing, emails);
      }
      const [first, ...others] = emails;
      if (!first || others.length === 0) return [{ error: error.message }];
      const alone: Composed[] = [];
      for (const email of emails) alone.push(...(await this.#attempt(content, signing, [email])));
      return alone;
    }
  }

  async #run(
    content: CachedContent,
    signing: SigningKey | null,
    emails: EmailToCompose[],
  ): Promise<Composed[]> {
    const [{ tracked, toOther, campaignId, unprovenOwner }] = emails as [EmailToCompose, ...EmailToCompose[]];
    const plain = content.isLimited;
    const shared = unprovenOwner ? asSandboxTest(this.#services, content, unprovenOwner) : content.message;
    const length = (content.message.sealed?.cipher ?? shared.body).length + (shared.text?.length ?? 0);
    // A header that is not ASCII needs SMTPUTF8, and so a server that takes 8-bit messages.
    const sevenBit =
      content.needs?.is8Bit === true && !content.needs.hasUtf8Headers && !this.#takesEightBit();
    const variant = `${tracked}:${toOther}:${sevenBit}:${unprovenOwner?.language}`;
    const input = {
      key: `${content.id}:${variant}`,
      plain,
      signing: signing && {
        domain: signing.domain,
        selector: signing.selector,
        privateKey: signing.privateKey,
      },
      recipients: JSON.stringify(emails.map(recipientOf)),
    };
    const options = {
      projectId: content.projectId,
      isUrgent: campaignId === null,
      cpuMs: parseMs(length) + emails.length * (messageMs + content.bytes / 10_000),
    };
    const given = `${variant}:${plain}`;
    const message = { ...shared, tracking: tracked, toOther, sevenBit };
    const isGiven = content.given.has(given);
    content.given.add(given);
    const run = (withContent: boolean) =>
      this.#services.threads
        .run(composeTask, { ...input, content: withContent ? message : null }, options)
        .catch((error: unknown) => {
          throw isOfTask(error) ? new FailedTask('a task failed', { cause: error }) : error;
        });
    let output = await run(!isGiven);
    if (output.kind === 'missing') output = await run(true);
    if (output.kind === 'missing') throw new Error('a thread did not take the content');
    if (output.kind === 'refused') {
      const { reason } = output;
      return emails.map(() => ({ refusal: reason }));
    }
    const { bytes, lengths, subjects, proofs, tookMs } = output;
    const proofLength = proofs.length / emails.length;
    content.atOnce = Math.max(1, Math.floor((taskMs * emails.length) / tookMs));
    // Names are encoded, and domains written in ASCII: only the local part of an address remains.
    const hasUtf8Addresses = [content.from, ...addressesIn(message.replyTo ?? '')].some(isUtf8Address);
    const needs =
      (unprovenOwner ? null : sevenBit ? {} : content.needs) ??
      (hasUtf8Addresses ? { hasUtf8Headers: true } : {});
    let at = 0;
    return emails.map((email, index): Composed => {
      const subject = subjects[index] ?? '';
      const size = lengths[index] ?? 0;
      if (size === 0) return { error: subject };
      const mime = Buffer.from(bytes.buffer, at, size);
      at += size;
      return {
        // The sender: where bounces are received, or the from address (behaviour B11.7).
        envelope: {
          from: signing?.receivesBounces
            ? bounceAddress(
                { emailId: email.id, domain: signing.domain },
                proofs.slice(index * proofLength, (index + 1) * proofLength),
              )
            : content.from,
          to: email.to,
          ...needs,
          ...(email.shared && showsUtf8(email.shared) && { hasUtf8Headers: true }),
        },
        mime,
        subject: subject === content.subject ? null : subject,
      };
    });
  }
}

const isUtf8Address = (address: string): boolean => /[^\p{ASCII}].*@/u.test(address);

/** Whether the fields `To` and `Cc` have such an address, for whoever gets the message. */
const showsUtf8 = ({ to, cc }: StoredShared): boolean =>
  [...to, ...cc].some(({ email }) => isUtf8Address(email));

/** Nearly every email has one address for replies, without a name. */
const addressesIn = (mailboxes: string): string[] =>
  /[,<]/.test(mailboxes)
    ? splitMailboxes(mailboxes).map((text) => {
        const mailbox = readMailbox(text);
        return typeof mailbox === 'string' ? text : mailbox.email;
      })
    : [mailboxes];

function recipientOf(email: EmailToCompose): ComposeRecipient {
  const { emailId, contactId } = linkOwnerOf(email);
  const { to, toName, campaignId, shared } = email;
  const recipient = { emailId, to, toName, contactId, campaignId, contact: shownContactOf(email) };
  return shared ? { ...recipient, shared: { id: shared.id, to: shared.to, cc: shared.cc } } : recipient;
}

const isOfTask = (error: unknown): boolean =>
  !(error instanceof TaskLimitError || error instanceof ThreadsUnavailableError || error instanceof AppError);
