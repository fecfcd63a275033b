import { generalKey, textIn } from '../../audience/topics/topics.rules.ts';
import { isRefusedHeader } from './header-names.rules.ts';
import {
  addressesLine,
  addressLine,
  asciiDomain,
  cleanHeaderValue,
  headerLine,
  mailboxesLine,
} from './mail-headers.ts';
import type { LinkBuilder, MessageContent, MessageRecipient, OwnerLinks } from './message-content.ts';
import { type OwnFields, type SignedHeaders, SigningPlan } from './signed-headers.ts';

/** RFC 8058 2. */
const ONE_CLICK = 'List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n';
/** The receipts and automatic replies that Exchange does not send. `All` would include its reports of dead mailboxes. */
const SUPPRESSED = 'X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply\r\n';
/** The value of an Auto-Submitted field by which a person is the author; parameters and comments may follow (RFC 3834, 5). */
const BY_PERSON = /^\s*no\s*(?:[;(]|$)/i;
const ASCII = /^[\p{ASCII}]*$/u;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** The headers of one message. */
export interface MessageHead {
  /** All lines and the empty line after them. */
  readonly lines: string;
  /** False when an address is not. */
  readonly isAscii: boolean;
  signed(): SignedHeaders;
}

export interface HeadOptions {
  readonly subjectLine: string;
  /** Whether the HTML itself contains a link to opt out. */
  readonly holdsOptOut: boolean;
  readonly links: OwnerLinks;
  readonly now: Date;
}

/** The fields by which a message is found again when a report returns it. */
export const ownFieldsOf = ({ emailId, proof }: Pick<MessageRecipient, 'emailId' | 'proof'>): string =>
  `X-Postrider-Email: ${emailId}\r\nX-Postrider-Proof: ${proof}\r\n`;

/** The headers of the messages of one content. */
export class MessageHeaders {
  private readonly content: MessageContent;
  private readonly links: LinkBuilder;
  private readonly own: ReadonlySet<string>;
  private readonly from: string;
  private readonly shared: string;
  private readonly isAscii: boolean;
  private readonly domain: string;
  private date = { second: -1, line: '' };
  /** With and without an opt-out, a Feedback-ID and Cc. */
  private readonly plans = new Map<number, SigningPlan>();

  /** @throws {TypeError} when a header name of the caller is not an RFC 5322 token. */
  constructor(content: MessageContent, links: LinkBuilder, contentType: string) {
    this.content = content;
    this.links = links;
    this.own = new Set(Object.keys(content.headers).map((name) => name.toLowerCase()));
    this.from = addressLine('From', content.fromName ?? content.projectName, content.from);
    this.domain = asciiDomain(cleanHeaderValue(content.from.slice(content.from.lastIndexOf('@') + 1)));
    this.shared = `${this.sharedLines()}MIME-Version: 1.0\r\n${contentType}`;
    this.isAscii = ASCII.test(this.from) && ASCII.test(this.shared);
  }

  /** Whether the one-click headers depend on the HTML. */
  get asksForLinks(): boolean {
    return !this.alwaysHasOptOut() && !this.content.toOther && !this.hasOwnUnsubscribe();
  }

  headOf(recipient: MessageRecipient, { subjectLine, holdsOptOut, links, now }: HeadOptions): MessageHead {
    const { emailId, proof, shared } = recipient;
    const to =
      (shared && addressesLine('To', shared.to)) ?? addressLine('To', recipient.toName, recipient.to);
    const cc = (shared && addressesLine('Cc', shared.cc)) ?? '';
    const date = this.dateLine(now);
    const id = `Message-ID: <${shared?.id ?? emailId}@${this.domain}>\r\n`;
    const feedback = this.feedbackOf(recipient);
    const optOut = this.optOutOf(links, holdsOptOut);
    const end = `${ownFieldsOf({ emailId, proof })}${this.shared}\r\n`;
    return {
      isAscii: this.isAscii && ASCII.test(to) && ASCII.test(cc),
      lines:
        this.from +
        to +
        cc +
        subjectLine +
        date +
        id +
        feedback +
        (optOut === null ? '' : optOut + ONE_CLICK) +
        end,
      signed: () => {
        const own = {
          to,
          ...(cc === '' ? {} : { cc }),
          subject: subjectLine,
          date,
          'message-id': id,
          ...(feedback === '' ? {} : { 'feedback-id': feedback }),
        };
        if (optOut === null) return this.planFor(own).select(own);
        const withOptOut = { ...own, 'list-unsubscribe': optOut, 'list-unsubscribe-post': ONE_CLICK };
        return this.planFor(withOptOut).select(withOptOut);
      },
    };
  }

  private planFor(own: OwnFields): SigningPlan {
    const kind =
      (own['list-unsubscribe'] === undefined ? 0 : 1) +
      (own['feedback-id'] === undefined ? 0 : 2) +
      (own.cc === undefined ? 0 : 4);
    const known = this.plans.get(kind);
    if (known) return known;
    const plan = new SigningPlan(this.from + this.shared, own);
    this.plans.set(kind, plan);
    return plan;
  }

  private sharedLines(): string {
    const { content } = this;
    const lines: string[] = [];
    const addDefault = (name: string, line: string): void => {
      if (!this.own.has(name.toLowerCase())) lines.push(line);
    };
    addDefault('Reply-To', mailboxesLine('Reply-To', content.replyTo ?? content.from));
    const list = this.listOf();
    if (list) addDefault('List-Id', addressLine('List-Id', list.name, list.id));
    if (content.type === 'MARKETING' || this.isOfCampaign()) {
      addDefault('Precedence', 'Precedence: bulk\r\n');
    }
    addDefault('Auto-Submitted', 'Auto-Submitted: auto-generated\r\n');
    if (!this.isLetter()) addDefault('X-Auto-Response-Suppress', SUPPRESSED);
    if (content.sourceType === 'TEST') lines.push('X-Postrider-Test: true\r\n');
    for (const [name, value] of Object.entries(content.headers)) {
      if (!TOKEN.test(name)) throw new TypeError(`Not a header name: ${JSON.stringify(name)}`);
      if (!isRefusedHeader(name)) lines.push(headerLine(name, value));
    }
    return lines.join('');
  }

  /**
   * The list that the email belongs to (RFC 2919): one for each project and sender domain, and one for each topic besides `general`, so
   * that providers show topics apart.
   */
  private listOf(): { name: string; id: string } | null {
    const { projectId, projectName, language, toOther } = this.content;
    const topic = this.ownTopic();
    if (topic && !toOther)
      return { name: textIn(topic.name, language), id: `${topic.key}.${projectId}.${this.domain}` };
    return this.isOfCampaign() ? { name: projectName, id: `${projectId}.${this.domain}` } : null;
  }

  /** The topic, if it is another one than `general`. */
  private ownTopic(): MessageContent['topic'] {
    const { topic } = this.content;
    return topic && topic.key !== generalKey ? topic : null;
  }

  /** Whether it has an opt-out whatever its HTML holds. */
  private alwaysHasOptOut(): boolean {
    return this.content.type === 'MARKETING' || this.ownTopic() !== null;
  }

  /** Whether the caller says that a person wrote it, to whom automatic replies are welcome. */
  private isLetter(): boolean {
    return Object.entries(this.content.headers).some(
      ([name, value]) => name.toLowerCase() === 'auto-submitted' && BY_PERSON.test(value),
    );
  }

  /** Test emails belong to campaigns, and show what those will send. */
  private isOfCampaign(): boolean {
    return this.content.sourceType === 'CAMPAIGN' || this.content.sourceType === 'TEST';
  }

  /** The header by which mailbox providers report complaints: campaign, project, kind of mail, sender. Empty on other email. */
  private feedbackOf({ campaignId }: MessageRecipient): string {
    if (!this.isOfCampaign() || this.own.has('feedback-id')) return '';
    return `Feedback-ID: ${campaignId ?? 'test'}:${this.content.projectId}:campaign:postrider\r\n`;
  }

  private hasOwnUnsubscribe(): boolean {
    return this.own.has('list-unsubscribe') || this.own.has('list-unsubscribe-post');
  }

  /** The List-Unsubscribe header; null when the message has none. */
  private optOutOf({ preferences }: OwnerLinks, holdsOptOut: boolean): string | null {
    if (this.hasOwnUnsubscribe() || this.content.toOther) return null;
    if (!this.alwaysHasOptOut() && !holdsOptOut) return null;
    return `List-Unsubscribe: <${cleanHeaderValue(this.links.oneClickUrl(preferences))}>\r\n`;
  }

  private dateLine(now: Date): string {
    const second = Math.floor(now.getTime() / 1_000);
    if (second !== this.date.second) {
      this.date = { second, line: `Date: ${now.toUTCString().replace('GMT', '+0000')}\r\n` };
    }
    return this.date.line;
  }
}
