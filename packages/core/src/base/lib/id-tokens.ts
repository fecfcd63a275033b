import { type Cipheriv, createCipheriv, type KeyObject, timingSafeEqual } from 'node:crypto';

/**
 * The purposes of id tokens. `letter` begins a token; it is no hexadecimal digit, so that no token of `Secrets.sign`
 * begins like one. `ids` is how many ids a token names. `click` is only read, in email sent before the numbers of links were
 * authenticated: `link` has a key of its own, so that no token of now can be turned into one of then.
 */
const purposes = {
  preferences: { letter: 'p', ids: 2 },
  open: { letter: 'o', ids: 1 },
  click: { letter: 'l', ids: 1 },
  link: { letter: 'k', ids: 1 },
  account: { letter: 'u', ids: 1 },
  confirm: { letter: 's', ids: 1 },
} as const;

export type IdTokenPurpose = keyof typeof purposes;

export const idTokenPurposes = Object.keys(purposes) as readonly IdTokenPurpose[];

/** The purpose that a text, if it is a token of ids, was made for. */
export const idTokenPurposeOf = (text: string): IdTokenPurpose | undefined =>
  idTokenPurposes.find((purpose) => text.startsWith(purposes[purpose].letter));

const blockBytes = 16;

/** One secret's key for one purpose. */
export interface IdTokenKey {
  readonly keyId: string;
  readonly key: KeyObject;
}

/**
 * Tokens of ids, for one purpose and secret: `<letter><key id><base64url of the ids and a 128-bit tag>`. The tag is
 * AES-256 of the id or, for two ids, their CBC-MAC, so a batch of any size costs one native call per id of a token.
 * Why this is a secure MAC is explained in docs/decisions/018-tokens-of-ids-use-one-aes-block.md.
 */
export class IdTokens {
  readonly #prefix: string;
  readonly #ids: number;
  readonly #key: KeyObject;
  #cipher: Cipheriv | null = null;

  constructor(purpose: IdTokenPurpose, { keyId, key }: IdTokenKey) {
    this.#prefix = purposes[purpose].letter + keyId;
    this.#ids = purposes[purpose].ids;
    this.#key = key;
  }

  /** @param columns for each id of a token, that id of all tokens, 16 bytes each */
  make(columns: readonly Buffer[]): string[] {
    const parts = [...columns, this.#tagsOf(columns)];
    const width = parts.length * blockBytes;
    const bytes = interleave(parts);
    const tokens: string[] = [];
    for (let from = 0; from < bytes.length; from += width) {
      tokens.push(this.#prefix + bytes.toString('base64url', from, from + width));
    }
    return tokens;
  }

  /** The bytes of the ids of a token; null when it was not made with this key. */
  read(token: string): Buffer | null {
    if (!token.startsWith(this.#prefix)) return null;
    const encoded = token.slice(this.#prefix.length);
    const bytes = Buffer.from(encoded, 'base64url');
    const tagAt = this.#ids * blockBytes;
    // Comparing with the re-encoded form refuses other encodings of the same bytes.
    if (bytes.length !== tagAt + blockBytes || bytes.toString('base64url') !== encoded) return null;
    const ids = bytes.subarray(0, tagAt);
    const columns = Array.from({ length: this.#ids }, (_, index) =>
      ids.subarray(index * blockBytes, (index + 1) * blockBytes),
    );
    return timingSafeEqual(this.#tagsOf(columns), bytes.subarray(tagAt)) ? ids : null;
  }

  #tagsOf(columns: readonly Buffer[]): Buffer {
    const [first, ...others] = columns;
    if (!first || columns.length !== this.#ids || others.some(({ length }) => length !== first.length)) {
      throw new TypeError(`A token of this purpose names ${this.#ids} ids.`);
    }
    return others.reduce((tags, column) => this.#encrypt(exclusiveOr(tags, column)), this.#encrypt(first));
  }

  /** Every block for itself: without padding, ECB keeps no state, so the cipher is made once, which costs most. */
  #encrypt(blocks: Buffer): Buffer {
    this.#cipher ??= createCipheriv('aes-256-ecb', this.#key, null).setAutoPadding(false);
    return this.#cipher.update(blocks);
  }
}

function exclusiveOr(one: Buffer, other: Buffer): Buffer {
  const result = Buffer.allocUnsafe(one.length);
  for (let index = 0; index < one.length; index++) result[index] = (one[index] ?? 0) ^ (other[index] ?? 0);
  return result;
}

/** The first blocks of all columns, then their second blocks, … */
function interleave(columns: readonly Buffer[]): Buffer {
  const result = Buffer.allocUnsafe(columns.reduce((sum, { length }) => sum + length, 0));
  const width = columns.length * blockBytes;
  columns.forEach((column, index) => {
    let to = index * blockBytes;
    for (let from = 0; from < column.length; from++) {
      result[to++] = column[from] ?? 0;
      if (from % blockBytes === blockBytes - 1) to += width - blockBytes;
    }
  });
  return result;
}
