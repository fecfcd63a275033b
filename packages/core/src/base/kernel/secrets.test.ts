import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { createSecrets, sha256 } from './secrets.ts';

const old = 'an-older-secret-of-enough-characters';
const current = 'the-current-secret-of-enough-characters';
const secrets = createSecrets(current, [old]);
const before = createSecrets(old);
const stranger = createSecrets('a-secret-that-nobody-here-ever-had-1');

/** Where the ciphertexts of these tests belong. */
const place = ['Project.secretKeyCipher', '01890a5d-ac96-774b-bcce-b302099a8057'] as const;

/** The same text with one character of it replaced by another of the alphabet. */
const altered = (text: string, index: number): string =>
  text.slice(0, index) + (text[index] === 'A' ? 'B' : 'A') + text.slice(index + 1);

describe('encrypt and decrypt', () => {
  it('restore every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(secrets.decrypt(secrets.encrypt(text, ...place), ...place)).toBe(text);
      }),
    );
  });

  it('encrypt equal texts differently, without revealing them', () => {
    const [one, two] = [
      secrets.encrypt('sk_0123456789', ...place),
      secrets.encrypt('sk_0123456789', ...place),
    ];
    expect(one).not.toBe(two);
    expect(Buffer.from(one.slice(5), 'base64url').toString('latin1')).not.toContain('0123456789');
  });

  it('decrypt with a previous secret, and encrypt with the current one', () => {
    expect(secrets.decrypt(before.encrypt('kept', ...place), ...place)).toBe('kept');
    expect(() => before.decrypt(secrets.encrypt('new', ...place), ...place)).toThrow('APP_SECRET_PREVIOUS');
  });

  it('refuse changed, truncated and foreign values', () => {
    const cipher = secrets.encrypt('a text to protect', ...place);
    for (let index = 0; index < cipher.length - 1; index += 1) {
      expect(() => secrets.decrypt(altered(cipher, index), ...place)).toThrow();
    }
    for (const bad of [
      '',
      'abcd',
      cipher.slice(0, 20),
      cipher.slice(0, -4),
      stranger.encrypt('x', ...place),
    ]) {
      expect(() => secrets.decrypt(bad, ...place)).toThrow();
    }
  });
});

describe('a ciphertext', () => {
  const cipher = secrets.encrypt('of one project', ...place);

  it('does not decrypt in another column or row, so that copying it there gives no access', () => {
    expect(() => secrets.decrypt(cipher, 'Project.publicKeyCipher', place[1])).toThrow();
    expect(() => secrets.decrypt(cipher, place[0], '01890a5d-ac96-774b-bcce-b302099a8058')).toThrow();
  });

  it('cannot be turned into the form of earlier versions, which no place is bound to', () => {
    expect(() => secrets.decrypt(cipher.replace(':', '.'), ...place)).toThrow();
  });

  it('of an earlier version decrypts, and counts as one to encrypt again', () => {
    const early = '3fc5.bUkKOURuo1njQ0QgO8JrOL07nk44cAA2xzOnYGsbj0Zw7Jg8JWaY';
    expect(secrets.decrypt(early, ...place)).toBe('from before');
    expect(secrets.isCurrent(early)).toBe(false);
    expect(secrets.isCurrent(cipher)).toBe(true);
    expect(secrets.isCurrent(before.encrypt('older', ...place))).toBe(false);
  });
});

describe('sign and verify', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 64 }).map((value) => Buffer.from(value));

  it('return every payload for the same purpose only', () => {
    fc.assert(
      fc.property(bytes, fc.constantFrom('session' as const, 'link' as const), (payload, purpose) => {
        const token = secrets.sign(purpose, payload);
        expect(secrets.verify(purpose, token)?.equals(payload)).toBe(true);
        expect(secrets.verify(purpose === 'session' ? 'link' : 'session', token)).toBeNull();
      }),
    );
  });

  it('create tokens that need no escaping in a URL', () => {
    fc.assert(
      fc.property(bytes, (payload) => {
        expect(secrets.sign('link', payload)).toMatch(/^[\w-]+$/);
      }),
    );
  });

  it('refuse every change of a single character', () => {
    const token = secrets.sign('link', Buffer.from('contact and email'));
    for (let index = 0; index < token.length; index += 1) {
      expect(secrets.verify('link', altered(token, index))).toBeNull();
    }
  });

  it('refuse other spellings of the same bytes', () => {
    const token = secrets.sign('link', Buffer.from('contact'));
    for (const spelled of [`${token}=`, `${token} `, ` ${token}`, `${token}!`, token.toUpperCase()]) {
      expect(secrets.verify('link', spelled)).toBeNull();
    }
  });

  it('refuse anything else of any length without an exception', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3_000 }), (text) => {
        expect(secrets.verify('link', text)).toBeNull();
      }),
    );
    expect(secrets.verify('session', stranger.sign('session', Buffer.from('me')))).toBeNull();
  });

  it('verify tokens signed with a previous secret', () => {
    expect(secrets.verify('session', before.sign('session', Buffer.from('me')))?.toString()).toBe('me');
  });
});

describe('bounceTag', () => {
  it('is of one id and domain, and of the secrets that are listed', () => {
    const tag = secrets.bounceTag('e1', 'shop.example');
    expect(tag).toMatch(/^[a-z2-7]{10}$/);
    expect(secrets.isBounceTag(tag, 'e1', 'shop.example')).toBe(true);
    expect(secrets.isBounceTag(before.bounceTag('e1', 'shop.example'), 'e1', 'shop.example')).toBe(true);
    for (const [other, id, domain] of [
      [stranger.bounceTag('e1', 'shop.example'), 'e1', 'shop.example'],
      [tag, 'e2', 'shop.example'],
      [tag, 'e1', 'shap.example'],
      [tag.slice(1), 'e1', 'shop.example'],
      ['', 'e1', 'shop.example'],
    ] as const)
      expect(secrets.isBounceTag(other, id, domain)).toBe(false);
  });
});

describe('addressHash', () => {
  it('is the same for one address of a project, different between projects, addresses and secrets', () => {
    const hash = secrets.addressHash('p1', 'ada@example.com').toString('hex');
    expect(secrets.addressHash('p1', 'ada@example.com').toString('hex')).toBe(hash);
    expect(secrets.addressHash('p2', 'ada@example.com').toString('hex')).not.toBe(hash);
    expect(secrets.addressHash('p1', 'bob@example.com').toString('hex')).not.toBe(hash);
    expect(stranger.addressHash('p1', 'ada@example.com').toString('hex')).not.toBe(hash);
  });

  it('finds an opt-out again after a change of the secret, for as long as the oldest one is listed', () => {
    const hash = before.addressHash('p1', 'ada@example.com').toString('hex');
    const later = createSecrets('a-third-secret-of-enough-characters', [current, old]);
    expect(secrets.addressHash('p1', 'ada@example.com').toString('hex')).toBe(hash);
    expect(later.addressHash('p1', 'ada@example.com').toString('hex')).toBe(hash);
    expect(sha256('p1:ada@example.com').toString('hex')).not.toContain(hash);
  });
});

describe('the set-up token', () => {
  it('is the same wherever the secret is, and another for every secret', () => {
    const tokens = [secrets, createSecrets(current), before, stranger].map(({ setupToken }) => setupToken);
    expect(tokens[0]).toBe(tokens[1]);
    expect(new Set(tokens).size).toBe(3);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{32}$/);
  });
});
