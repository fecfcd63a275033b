/** Signed when present. From is signed once more than it occurs, so that a second From invalidates the signature (RFC 6376 5.4.2). */
const SIGNED_HEADERS = [
  'from',
  'to',
  'cc',
  'reply-to',
  'subject',
  'date',
  'message-id',
  'in-reply-to',
  'references',
  'mime-version',
  'content-type',
  'list-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'feedback-id',
  'precedence',
  'auto-submitted',
] as const;

type SignedHeader = (typeof SIGNED_HEADERS)[number];

/** The fields of one message by name, each with its CRLF. */
export type OwnFields = Readonly<Partial<Record<SignedHeader, string>>>;

/** The headers that a signature covers. */
export interface SignedHeaders {
  /** The names for `h=`, the same array for all messages that share a plan. */
  readonly names: readonly string[];
  /** Their canonical form, each with its CRLF. */
  readonly canonical: string;
}

/** Selects the headers to sign, for messages that share some of their fields. */
export class SigningPlan {
  /** Shared fields in canonical form, and the names of own ones. */
  private readonly parts: readonly ({ shared: string } | { own: SignedHeader })[];
  readonly names: readonly string[];

  /** @param own the fields that differ between the messages */
  constructor(shared: string, own: OwnFields) {
    const fields = readHeaders(shared);
    const names: string[] = [];
    this.parts = SIGNED_HEADERS.map((name) => {
      if (own[name] !== undefined) {
        names.push(name);
        return { own: name };
      }
      const texts = fields.filter((field) => field.name === name).map((field) => relaxHeader(field.text));
      names.push(...texts.map(() => name));
      // Fields of one name are taken from the bottom up; each is signed as often as it occurs.
      return { shared: texts.toReversed().join('') };
    });
    this.names = [...names, 'from'];
  }

  select(own: OwnFields): SignedHeaders {
    let canonical = '';
    for (const part of this.parts)
      canonical += 'shared' in part ? part.shared : relaxHeader(own[part.own] ?? '');
    return { names: this.names, canonical };
  }
}

/** RFC 6376 3.4.2: the name in lower case, unfolded, white space runs as one space, none at the ends. */
export function relaxHeader(field: string): string {
  const colon = field.indexOf(':');
  const value = field
    .slice(colon + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    // Other white space, such as a no-break space, belongs to the value.
    .replace(/^ | $/g, '');
  return `${field.slice(0, colon).trim().toLowerCase()}:${value}\r\n`;
}

/** The fields of header lines that end with a CRLF; a folded field is one. */
function readHeaders(block: string): { name: string; text: string }[] {
  const fields = block.slice(0, -2).split(/\r\n(?![ \t])/);
  return fields.map((text) => ({ name: text.slice(0, text.indexOf(':')).trim().toLowerCase(), text }));
}
