import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { createSecrets } from '../../base/kernel/secrets.ts';
import { clickToken, decodeLink, encodeLink, type LinkToken, tokensOf } from './links.ts';

const current = 'the-current-secret-of-enough-characters';
const secrets = createSecrets(current);
const contactId = '018f6b2a-1111-7000-8000-0000000000c1';
const emailId = '018f6b2a-2222-7000-8000-0000000000e1';

const id = fc.uuid();
const token: fc.Arbitrary<LinkToken> = fc.oneof(
  fc.record({
    kind: fc.constant('preferences' as const),
    contactId: fc.option(id),
    emailId: fc.option(id),
  }),
  fc.record({ kind: fc.constant('open' as const), emailId: id }),
  fc.record({
    kind: fc.constant('click' as const),
    emailId: id,
    target: fc.oneof(
      fc.record({ linkId: fc.integer({ min: 0, max: 65_535 }) }),
      fc.record({ url: fc.webUrl() }),
    ),
  }),
);

/** The same text with one character replaced by another of the alphabet. */
const altered = (text: string, index: number, by = text[index] === 'A' ? 'B' : 'A'): string =>
  text.slice(0, index) + by + text.slice(index + 1);

describe('tokens of links', () => {
  it('are read as they were made', () => {
    fc.assert(
      fc.property(token, (given) => {
        expect(decodeLink(secrets, encodeLink(secrets, given))).toEqual(given);
      }),
    );
  });

  it('are valid in no changed form', () => {
    const links: LinkToken[] = [
      { kind: 'preferences', contactId, emailId },
      { kind: 'open', emailId },
      { kind: 'click', emailId, target: { linkId: 0 } },
      { kind: 'click', emailId, target: { linkId: 12 } },
      { kind: 'click', emailId, target: { url: 'https://shop.example' } },
    ];
    for (const link of links) {
      const text = encodeLink(secrets, link);
      for (let index = 0; index < text.length; index++)
        for (const character of ['A', '0', '1', '-'])
          if (text[index] !== character)
            expect(decodeLink(secrets, altered(text, index, character))).toBeNull();
      for (const other of [text.slice(0, -1), `${text}A`, `${text}-1`, ` ${text}`, text.toUpperCase()])
        expect(decodeLink(secrets, other)).toBeNull();
    }
  });

  it('of one purpose are not valid for another, nor for another email', () => {
    const [one, other] = tokensOf(secrets, [
      { contactId, emailId },
      { contactId, emailId: contactId },
    ]);
    const tag = (text = ''): string => text.slice(-22);
    const opened = encodeLink(secrets, { kind: 'open', emailId });
    for (const foreign of [one?.click, other?.open, one?.preferences])
      expect(decodeLink(secrets, opened.slice(0, -22) + tag(foreign))).toBeNull();
    expect(decodeLink(secrets, `o${one?.click.slice(1)}`)).toBeNull();
    const [, suffix] =
      /(-0-.*)$/.exec(encodeLink(secrets, { kind: 'click', emailId, target: { linkId: 0 } })) ?? [];
    expect(decodeLink(secrets, `${one?.click}${suffix}`)).not.toBeNull();
    for (const foreign of [`k${one?.open.slice(1)}${suffix}`, `l${one?.click.slice(1)}-0`])
      expect(decodeLink(secrets, foreign)).toBeNull();
  });

  it('of clicks are bound to their link, and are read in one spelling only', () => {
    const [{ click } = { click: '' }] = tokensOf(secrets, [{ contactId, emailId }]);
    const tag = secrets.numberTag(17);
    expect(decodeLink(secrets, `${click}-17-${tag}`)).toEqual({
      kind: 'click',
      emailId,
      target: { linkId: 17 },
    });
    const numbers = ['16', '18', '017', '7', '1', '', '-17', '17x', '100017'].map(
      (number) => `${number}-${tag}`,
    );
    for (const bad of ['', '17', '17-', `17${tag}`, `17-${secrets.numberTag(16)}`, ...numbers])
      expect(decodeLink(secrets, `${click}-${bad}`)).toBeNull();
    expect(decodeLink(secrets, click)).toBeNull();
  });

  it('of clicks in email sent before numbers had a tag stay valid', () => {
    const click = 'l3fc5AY9rKiIicACAAAAAAAAA4V9Z4aCd3tyPYBQ3WQSALZM';
    expect(decodeLink(secrets, `${click}-17`)).toEqual({ kind: 'click', emailId, target: { linkId: 17 } });
    for (const bad of [
      click,
      `${click}-`,
      `${click}-01`,
      `${click}--1`,
      `${click}-1x`,
      `${altered(click, 20)}-1`,
    ])
      expect(decodeLink(secrets, bad)).toBeNull();
  });

  it('without an owner lead nowhere', () => {
    const [none] = tokensOf(secrets, [{ contactId: null, emailId: null }]);
    expect(decodeLink(secrets, none?.preferences ?? '')).toEqual({
      kind: 'preferences',
      contactId: null,
      emailId: null,
    });
    expect(decodeLink(secrets, none?.open ?? '')).toBeNull();
    expect(decodeLink(secrets, clickToken(secrets, none?.click ?? '', 0))).toBeNull();
  });

  it('are the same made one by one or for many owners', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ contactId: fc.option(id), emailId: fc.option(id) })), (owners) => {
        expect(tokensOf(secrets, owners)).toEqual(owners.flatMap((owner) => tokensOf(secrets, [owner])));
      }),
    );
  });

  it('need UUIDs', () => {
    for (const bad of ['', 'x', emailId.slice(1), `${emailId}0`, emailId.replace('e', 'é')])
      expect(() => tokensOf(secrets, [{ contactId: null, emailId: bad }])).toThrow(TypeError);
  });

  it('need no escaping in a URL or in quoted-printable, and fit on a line of it', () => {
    const [links] = tokensOf(secrets, [{ contactId, emailId }]);
    for (const text of Object.values(links ?? {})) expect(text).toMatch(/^[\w-]{40,75}$/);
  });

  it('stay valid after APP_SECRET has changed, while the old secret is listed', () => {
    const rotated = createSecrets('a-newer-secret-of-enough-characters', [current]);
    const forgotten = createSecrets('a-newer-secret-of-enough-characters');
    for (const link of fc.sample(token, 20)) {
      expect(decodeLink(rotated, encodeLink(secrets, link))).toEqual(link);
      expect(decodeLink(forgotten, encodeLink(secrets, link))).toBeNull();
      expect(decodeLink(forgotten, encodeLink(rotated, link))).toEqual(link);
    }
  });
});

describe('tokens of email sent before tokens of ids existed stay valid', () => {
  it.each<[string, LinkToken]>([
    [
      '3fc5AQGPayoREXAAgAAAAAAAAMEBj2sqIiJwAIAAAAAAAADhNskbBiCQIRTbEsyyOMfA5w',
      { kind: 'preferences', contactId, emailId },
    ],
    [
      '3fc5AQGPayoREXAAgAAAAAAAAMEAAAAAAAAAAAAAAAAAAAAAUGvQalkU97fjrfgkn1e8NQ',
      { kind: 'preferences', contactId, emailId: null },
    ],
    [
      '3fc5AQAAAAAAAAAAAAAAAAAAAAABj2sqIiJwAIAAAAAAAADhGd0D-YVJchjt55OBPk7YVw',
      { kind: 'preferences', contactId: null, emailId },
    ],
    ['3fc5AgGPayoiInAAgAAAAAAAAOHTLh2naiUL2YWAiTz6tYEe', { kind: 'open', emailId }],
    [
      '3fc5AwGPayoiInAAgAAAAAAAAOEAAPJA9QNPmM3uPRzDiAyxwQE',
      { kind: 'click', emailId, target: { linkId: 0 } },
    ],
    [
      '3fc5AwGPayoiInAAgAAAAAAAAOECASEzYcWwPO_ow5k2-XbRcE8',
      { kind: 'click', emailId, target: { linkId: 513 } },
    ],
    [
      '3fc5BAGPayoiInAAgAAAAAAAAOFodHRwczovL3Nob3AuZXhhbXBsZS8_YT0xnZvO1CerNeE5d0kLDP3d9g',
      { kind: 'click', emailId, target: { url: 'https://shop.example/?a=1' } },
    ],
  ])('%s', (text, link) => {
    expect(decodeLink(secrets, text)).toEqual(link);
    expect(decodeLink(createSecrets('a-newer-secret-of-enough-characters', [current]), text)).toEqual(link);
    expect(decodeLink(secrets, altered(text, 20))).toBeNull();
  });
});
