import type { KeyObject } from 'node:crypto';
import { environmentCode } from '../../base/kernel/environment-error.ts';
import type { Task, TaskContext } from '../../base/kernel/ports/threads.ts';
import { BoundedCache } from '../../base/lib/bounded-cache.ts';
import { buildVariables, type VariableSources } from '../../content/templates/language/index.ts';
import {
  CannotBeCarried,
  createDkimSigner,
  type DkimSigner,
  type LinkBuilder,
  type MessageContent,
  type MessageRecipient,
  type PreparedMessage,
  prepareMessage,
  prepareSubmitted,
  proofOf,
  type SharedMessage,
} from './index.ts';
import { confirmUrlOf, createLinkBuilder } from './link-builder.ts';

/** What differs between the messages of one content. */
export interface ComposeRecipient {
  emailId: string;
  to: string;
  toName: string | null;
  /** of the links; null for links without effect */
  contactId: string | null;
  campaignId: string | null;
  /** absent unless others see that it got the message */
  shared?: SharedMessage;
  contact: VariableSources['contact'];
}

/** A content, whose body may be sealed: it is opened where it is composed, and nowhere else. */
export interface ComposeContent extends MessageContent {
  readonly sealed?: { readonly contentId: string; readonly cipher: string };
}

export interface ComposeInput {
  /** names the content in the cache of a thread */
  key: string;
  /** null when a thread probably has it */
  content: ComposeContent | null;
  /** fills in names only */
  plain: boolean;
  signing: { domain: string; selector: string; privateKey: KeyObject } | null;
  /** JSON of a list of `ComposeRecipient`: one text is copied faster than objects */
  recipients: string;
}

export type ComposeOutput =
  /** the thread does not have the content */
  | { kind: 'missing' }
  /** the mail server cannot be given messages of the content */
  | { kind: 'refused'; reason: string }
  /** `bytes` are all messages, one after the other; a message whose length is 0 has an error instead of a subject */
  | {
      kind: 'composed';
      bytes: Uint8Array<ArrayBuffer>;
      lengths: number[];
      subjects: string[];
      /** of the return-paths, each of the same length, one after the other */
      proofs: string;
      /** CPU time of rendering, in milliseconds; keys sign elsewhere */
      tookMs: number;
    };

interface Compiled {
  /** of the sender */
  domain: string;
  prepared: Pick<PreparedMessage, 'composeAll' | 'retainedBytes'>;
  language: string;
  /** its emails have the link that confirms a subscription request */
  confirms: boolean;
}

/** Contents compiled by this thread; their bytes include attachments. */
const compiled = new BoundedCache<string, Compiled>(
  { count: 100, bytes: 64 * 1_048_576 },
  ({ prepared }) => prepared.retainedBytes,
);

/** Composes and signs the messages of one content. */
export const composeTask: Task<ComposeInput, ComposeOutput> = {
  name: 'sending.compose',
  async run(input, context) {
    const found = compiledOf(input, context);
    if (!found) return { kind: 'missing' };
    if ('refusal' in found) return { kind: 'refused', reason: found.refusal };
    const recipients = recipientsOf(input, found, context);
    const signer = input.signing && createDkimSigner(input.signing);
    const before = process.threadCpuUsage();
    const results = await composeEach(found.prepared, recipients, signer);
    const { user, system } = process.threadCpuUsage(before);
    const proofs = recipients.map(({ proof }) => proof).join('');
    return { ...join(results, (user + system) / 1_000), proofs };
  },
  moves: (output) => (output.kind === 'composed' ? [output.bytes.buffer] : []),
};

function compiledOf(
  { key, content, plain }: ComposeInput,
  { linksUrl, secrets }: TaskContext,
): Compiled | { refusal: string } | null {
  const name = `${key}:${plain}`;
  let found = compiled.get(name);
  if (!found) {
    if (!content) return null;
    const links = createLinkBuilder(linksUrl, secrets);
    const prepared = unlessRefused(() => prepareContent(opened(content, secrets), links, plain));
    if ('refusal' in prepared) return prepared;
    found = {
      prepared,
      language: content.language,
      confirms: content.confirms === true,
      domain: content.from.slice(content.from.lastIndexOf('@') + 1),
    };
  }
  // Also one that was found: composing may have made it larger.
  compiled.set(name, found);
  return found;
}

function unlessRefused<T>(prepare: () => T): T | { refusal: string } {
  try {
    return prepare();
  } catch (error) {
    if (error instanceof CannotBeCarried) return { refusal: error.message };
    throw error;
  }
}

const opened = ({ sealed, ...content }: ComposeContent, secrets: TaskContext['secrets']): MessageContent =>
  sealed
    ? { ...content, body: secrets.decrypt(sealed.cipher, 'Content.sealedBody', sealed.contentId) }
    : content;

function prepareContent(content: MessageContent, links: LinkBuilder, plain: boolean): Compiled['prepared'] {
  if (content.submitted) return prepareSubmitted(ofThread(content.submitted), content, links);
  const attachments = content.attachments.map((attachment) => ({
    ...attachment,
    content: ofThread(attachment.content),
  }));
  return prepareMessage({ ...content, attachments }, links, { plain });
}

/** A buffer arrives in a thread as a plain array of bytes. */
const ofThread = ({ buffer, byteOffset, byteLength }: Buffer): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

function recipientsOf(
  input: ComposeInput,
  { language, domain, confirms }: Compiled,
  { linksUrl, secrets }: TaskContext,
): MessageRecipient[] {
  const recipients = JSON.parse(input.recipients) as ComposeRecipient[];
  const links = createLinkBuilder(linksUrl, secrets).linksFor(recipients);
  return recipients.map(({ contact, ...recipient }, index) => {
    const own = links[index];
    if (!own) throw new Error('a recipient has no links');
    const confirmUrl = confirms ? confirmUrlOf({ linksUrl, secrets }, recipient.emailId) : undefined;
    const vars = buildVariables({ contact, project: { language }, urls: { ...own, confirmUrl } });
    const locale = typeof vars['locale'] === 'string' ? vars['locale'] : language;
    const proof = proofOf(secrets, { emailId: recipient.emailId, domain });
    return { ...recipient, proof, vars, locale, links: own };
  });
}

type Result = { subject: string; mime: Buffer } | { error: string };

/** Recipients fail alone. */
async function composeEach(
  prepared: Compiled['prepared'],
  recipients: MessageRecipient[],
  signer: DkimSigner | null,
): Promise<Result[]> {
  try {
    return await prepared.composeAll(recipients, { signer });
  } catch (error) {
    if (environmentCode(error) !== null) throw error;
    if (recipients.length === 1) return [{ error: error instanceof Error ? error.message : String(error) }];
    const results: Result[] = [];
    for (const recipient of recipients) results.push(...(await composeEach(prepared, [recipient], signer)));
    return results;
  }
}

function join(results: readonly Result[], tookMs: number) {
  const lengths = results.map((result) => ('error' in result ? 0 : result.mime.length));
  const subjects = results.map((result) => ('error' in result ? result.error : result.subject));
  return { kind: 'composed' as const, bytes: joinBytes(results, lengths), lengths, subjects, tookMs };
}

/** Messages that were composed together share one buffer, which needs no copy. */
function joinBytes(results: readonly Result[], lengths: readonly number[]): Uint8Array<ArrayBuffer> {
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const messages = results.flatMap((result) => ('error' in result ? [] : [result.mime]));
  const [first] = messages;
  if (first && messages.every(({ buffer }) => buffer === first.buffer) && first.buffer.byteLength === total)
    return new Uint8Array(first.buffer as ArrayBuffer);
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const message of messages) {
    bytes.set(message, at);
    at += message.length;
  }
  return bytes;
}
