import { isRefusedHeader } from '../header-names.rules.ts';
import { addressLine, asciiDomain, cleanHeaderValue, headerLine, normalizeAddress } from './mail-headers.ts';
import type { LinkBuilder, MessageContent, MessageRecipient } from './message-content.ts';

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** The headers of the messages of one content. */
export class MessageHeaders {
  private readonly content: MessageContent;
  private readonly links: LinkBuilder;
  private readonly own: ReadonlySet<string>;
  private readonly from: string;
  private readonly shared: string;
  private readonly domain: string;
  private date = { second: -1, line: '' };

  /** @throws {TypeError} when a header name of the caller is not an RFC 5322 token. */
  constructor(content: MessageContent, links: LinkBuilder, contentType: string) {
    this.content = content;
    this.links = links;
    this.own = new Set(Object.keys(content.headers).map((name) => name.toLowerCase()));
    this.from = addressLine('From', content.fromName ?? content.projectName, content.from);
    this.domain = asciiDomain(cleanHeaderValue(content.from.slice(content.from.lastIndexOf('@') + 1)));
    this.shared = `${this.sharedLines()}MIME-Version: 1.0\r\n${contentType}`;
  }

  /** Whether the one-click headers depend on the HTML. */
  get asksForLinks(): boolean {
    return this.content.type !== 'MARKETING' && !this.hasOwnUnsubscribe();
  }

  /** All header lines of one message and the empty line after them. */
  linesFor(recipient: MessageRecipient, subjectLine: string, holdsOptOut: boolean, now: Date): string {
    return `${this.from}${addressLine('To', recipient.toName, recipient.to)}${subjectLine}${this.dateLine(now)}Message-ID: <${
      recipient.emailId
    }@${this.domain}>\r\n${this.unsubscribeLines(recipient, holdsOptOut)}X-Postrider-Email: ${recipient.emailId}\r\n${this.shared}\r\n`;
  }

  private sharedLines(): string {
    const { content } = this;
    const lines: string[] = [];
    const addDefault = (name: string, line: string): void => {
      if (!this.own.has(name.toLowerCase())) lines.push(line);
    };
    addDefault('Reply-To', `Reply-To: ${normalizeAddress(content.replyTo ?? content.from)}\r\n`);
    // Test emails belong to campaigns, and show what those will send.
    if (content.type === 'MARKETING' || content.sourceType === 'CAMPAIGN' || content.sourceType === 'TEST') {
      addDefault('Precedence', 'Precedence: bulk\r\n');
      addDefault('Auto-Submitted', 'Auto-Submitted: auto-generated\r\n');
      addDefault('X-Auto-Response-Suppress', 'X-Auto-Response-Suppress: All\r\n');
    }
    if (content.sourceType === 'TEST') lines.push('X-Postrider-Test: true\r\n');
    for (const [name, value] of Object.entries(content.headers)) {
      if (!TOKEN.test(name)) throw new TypeError(`Not a header name: ${JSON.stringify(name)}`);
      if (!isRefusedHeader(name)) lines.push(headerLine(name, value));
    }
    return lines.join('');
  }

  private hasOwnUnsubscribe(): boolean {
    return this.own.has('list-unsubscribe') || this.own.has('list-unsubscribe-post');
  }

  /** RFC 8058. */
  private unsubscribeLines(recipient: MessageRecipient, holdsOptOut: boolean): string {
    if (this.hasOwnUnsubscribe()) return '';
    if (this.content.type !== 'MARKETING' && !holdsOptOut) return '';
    const url = cleanHeaderValue(this.links.oneClickUrl(recipient));
    return `List-Unsubscribe: <${url}>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n`;
  }

  private dateLine(now: Date): string {
    const second = Math.floor(now.getTime() / 1_000);
    if (second !== this.date.second) {
      this.date = { second, line: `Date: ${now.toUTCString().replace('GMT', '+0000')}\r\n` };
    }
    return this.date.line;
  }
}
