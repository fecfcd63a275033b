import { databaseIsAway } from '../../db/index.ts';
import { loadSigningKeys } from '../../domains/index.ts';
import type { Services } from '../../kernel/services.ts';
import { buildVariables } from '../../templates/language/index.ts';
import { readContent } from '../ledger/content.store.ts';
import type { ClaimedEmail } from '../ledger/read.store.ts';
import { createLinkBuilder } from '../link-builder.ts';
import { createDkimSigner, type DkimSigner, type PreparedMessage } from '../message/index.ts';
import { prepareStored } from '../prepare-stored.ts';
import { linkOwnerOf, shownContactOf } from '../sending.rules.ts';

export interface ComposedMessage {
  envelope: { from: string; to: string };
  mime: Buffer;
  /** the rendered subject, or null when it equals the content's subject */
  subject: string | null;
}

interface Compiled {
  prepared: PreparedMessage;
  subject: string;
  from: string;
  language: string;
}

/** Limits of the cache of compiled messages: their number, and their total bytes including attachments. */
const compiledLimit = 200;
const compiledBytesLimit = 128 * 1_048_576;
/** How long signing keys are cached; a rotated key keeps its DNS record for much longer. */
const keyLifeMs = 60_000;

/** Turns claimed emails into finished messages. Everything that recipients share is loaded and compiled once. */
export class MessageFactory {
  readonly #services: Services;
  readonly #links: ReturnType<typeof createLinkBuilder>;
  readonly #compiled = new Map<string, Promise<Compiled>>();
  readonly #bytes = new Map<string, number>();
  readonly #signers = new Map<string, { at: number; signer: Promise<DkimSigner | null> }>();

  constructor(services: Services) {
    this.#services = services;
    this.#links = createLinkBuilder(services.config.API_URL, services.secrets);
  }

  /** The messages in the order of the emails, or why one cannot be created, for the customer. Rejects when the database is unavailable. */
  compose(emails: readonly ClaimedEmail[]): Promise<(ComposedMessage | { error: string })[]> {
    return Promise.all(
      emails.map((email) =>
        this.#composeOne(email).catch((error: unknown) => {
          if (databaseIsAway(error)) throw error;
          return { error: error instanceof Error ? error.message : String(error) };
        }),
      ),
    );
  }

  async #composeOne(email: ClaimedEmail): Promise<ComposedMessage> {
    const compiled = await this.#compile(email.contentId, email.tracked);
    const owner = linkOwnerOf(email);
    const [links] = this.#links.linksFor([owner]);
    const vars = buildVariables({
      contact: shownContactOf(email),
      project: { language: compiled.language },
      urls: links ?? this.#links.urlsOf(owner),
    });
    const recipient = {
      ...owner,
      to: email.to,
      toName: email.toName,
      vars,
      locale: typeof vars['locale'] === 'string' ? vars['locale'] : compiled.language,
      ...(links && { links }),
    };
    const signer = await this.#signerOf(email.domainId);
    const [message] = await compiled.prepared.composeAll([recipient], { signer });
    if (!message) throw new Error('a message was not composed');
    return {
      envelope: { from: compiled.from, to: email.to },
      mime: message.mime,
      subject: message.subject === compiled.subject ? null : message.subject,
    };
  }

  #compile(contentId: string, tracked: boolean): Promise<Compiled> {
    const key = `${contentId}:${tracked}`;
    const known = this.#compiled.get(key);
    if (known) {
      // Moved to the end, so that the first entry is the least recently used.
      this.#compiled.delete(key);
      this.#compiled.set(key, known);
      return known;
    }
    const made = this.#load(contentId, tracked);
    this.#compiled.set(key, made);
    made.then(
      ({ prepared }) => {
        this.#bytes.set(key, prepared.retainedBytes);
        this.#forgetOldest();
      },
      () => this.#compiled.delete(key),
    );
    return made;
  }

  #forgetOldest(): void {
    let bytes = [...this.#bytes.values()].reduce((sum, size) => sum + size, 0);
    for (const key of this.#compiled.keys()) {
      if (this.#compiled.size <= compiledLimit && bytes <= compiledBytesLimit) return;
      if (this.#compiled.size === 1) return;
      bytes -= this.#bytes.get(key) ?? 0;
      this.#compiled.delete(key);
      this.#bytes.delete(key);
    }
  }

  async #load(contentId: string, tracked: boolean): Promise<Compiled> {
    const { database } = this.#services;
    const content = await readContent(database.prisma, contentId);
    const prepared = content && prepareStored(content, this.#links, { tracking: tracked });
    if (!prepared) throw new Error('its content is no longer stored');
    return { prepared, subject: content.subject, from: content.from, language: content.language };
  }

  #signerOf(domainId: string | null): Promise<DkimSigner | null> {
    if (domainId === null || this.#services.config.MAIL_TRANSPORT !== 'smtp') return Promise.resolve(null);
    const known = this.#signers.get(domainId);
    if (known && performance.now() - known.at < keyLifeMs) return known.signer;
    const signer = loadSigningKeys(this.#services, [domainId]).then((keys) => {
      const key = keys.get(domainId);
      return key ? createDkimSigner(key) : null;
    });
    this.#signers.set(domainId, { at: performance.now(), signer });
    signer.catch(() => this.#signers.delete(domainId));
    return signer;
  }
}
