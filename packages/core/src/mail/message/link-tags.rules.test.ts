import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { type LinkTags, linkTagger, linkTagsOf, tagText } from './link-tags.rules.ts';

const tags: LinkTags = {
  hosts: ['shop.example', 'xn--bcher-kva.example'],
  source: 'postrider',
  medium: 'email',
  campaign: 'spring-offer',
};
const utm = 'utm_source=postrider&utm_medium=email&utm_campaign=spring-offer';
const tag = linkTagger(tags);

/** Forms of URLs with their tagged form; null: it stays as it is. `*` stands for the tags. */
const forms: [url: string, tagged: string | null][] = [
  // paths
  ['https://shop.example', 'https://shop.example?*'],
  ['https://shop.example/', 'https://shop.example/?*'],
  ['http://shop.example/a/b.html', 'http://shop.example/a/b.html?*'],
  ['https://shop.example/a;v=1', 'https://shop.example/a;v=1?*'],
  ['https://shop.example/%7Ekim/%20x%2Fy', 'https://shop.example/%7Ekim/%20x%2Fy?*'],
  ['https://shop.example/größe/漢', 'https://shop.example/größe/漢?*'],
  ['https://shop.example/../a/./b', 'https://shop.example/../a/./b?*'],
  ['https://shop.example/utm_source/x', 'https://shop.example/utm_source/x?*'],
  // queries
  ['https://shop.example/?a=1', 'https://shop.example/?a=1&*'],
  ['https://shop.example?a=1', 'https://shop.example?a=1&*'],
  ['https://shop.example/a?', 'https://shop.example/a?*'],
  ['https://shop.example/a?b&', 'https://shop.example/a?b&*'],
  ['https://shop.example/a?b=%26%3D%23+x', 'https://shop.example/a?b=%26%3D%23+x&*'],
  ['https://shop.example/a?b=1&b=2&b[]=3', 'https://shop.example/a?b=1&b=2&b[]=3&*'],
  ['https://shop.example/a?b=c?d', 'https://shop.example/a?b=c?d&*'],
  [
    'https://shop.example/a?to=https://other.example/?x=1',
    'https://shop.example/a?to=https://other.example/?x=1&*',
  ],
  ['https://shop.example/a?b="c d"', 'https://shop.example/a?b="c d"&*'],
  ['https://shop.example/a?my_utm_source=x', 'https://shop.example/a?my_utm_source=x&*'],
  // fragments
  ['https://shop.example/#top', 'https://shop.example/?*#top'],
  ['https://shop.example#top', 'https://shop.example?*#top'],
  ['https://shop.example/a?b=1#top', 'https://shop.example/a?b=1&*#top'],
  ['https://shop.example/a#/route?x=1', 'https://shop.example/a?*#/route?x=1'],
  ['https://shop.example/a?b=1#', 'https://shop.example/a?b=1&*#'],
  ['https://shop.example/a#b#c', 'https://shop.example/a?*#b#c'],
  // hosts
  ['HTTPS://SHOP.EXAMPLE/A', 'HTTPS://SHOP.EXAMPLE/A?*'],
  ['https://www.shop.example/', 'https://www.shop.example/?*'],
  ['https://a.b.c.shop.example/', 'https://a.b.c.shop.example/?*'],
  ['https://shop.example./', 'https://shop.example./?*'],
  ['https://shop.example:8443/a', 'https://shop.example:8443/a?*'],
  ['https://kim:secret@shop.example/a', 'https://kim:secret@shop.example/a?*'],
  ['https://bücher.example/', 'https://bücher.example/?*'],
  ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/?*'],
  // other hosts and schemes
  ['https://other.example/', null],
  ['https://myshop.example/', null],
  ['https://shop.example.evil.example/', null],
  ['https://shop.example@evil.example/', null],
  ['https://evil.example/?shop.example#shop.example', null],
  ['mailto:team@shop.example', null],
  ['//shop.example/a', null],
  ['https://', null],
  // tagged already
  ['https://shop.example/?utm_source=x', null],
  ['https://shop.example/?a=1&UTM_Term=x#top', null],
  ['https://shop.example/?%75tm_medium=x', null],
  ['https://shop.example/#utm_campaign=x', null],
];

it(`${forms.length} forms of URLs are in the table`, () => expect(forms).toHaveLength(44));

it.each(forms)('%s', (url, tagged) => expect(tag(url)).toBe(tagged?.replace('*', utm) ?? null));

it('any URL keeps everything that is written, and is read with its parameters and three more', () => {
  const part = fc.string({
    unit: fc.constantFrom(...'aB0/.;,=&%~!()*+-_|^$é漢 ', '%20', '%2F', 'utm', '[', ']'),
    maxLength: 12,
  });
  fc.assert(
    fc.property(part, fc.option(part), fc.option(part), (path, query, fragment) => {
      const url = `https://shop.example/${path}${query === null ? '' : `?${query}`}${fragment === null ? '' : `#${fragment}`}`;
      const tagged = tag(url);
      if (tagged === null) {
        expect(url).toMatch(/[?&;#]utm_/);
        return;
      }
      const at = tagged.indexOf(utm);
      const around = tagged.slice(0, at).replace(/[?&]$/, '') + tagged.slice(at + utm.length);
      expect([url, url.replace(/[?&](?=#|$)/, '')]).toContain(around);
      const [before, after] = [new URL(url), new URL(tagged)];
      expect([after.pathname, after.hash]).toEqual([before.pathname, before.hash]);
      const given = [...before.searchParams];
      expect([...after.searchParams]).toEqual([...given, ...new URLSearchParams(utm)]);
      expect(tag(tagged)).toBeNull();
    }),
  );
});

describe('the values', () => {
  it('are escaped, and name one of several contents', () => {
    const of = linkTagger({ ...tags, campaign: 'клиенты & co\ud800', content: 'B' });
    expect(of('https://shop.example/')).toBe(
      'https://shop.example/?utm_source=postrider&utm_medium=email&utm_campaign=%D0%BA%D0%BB%D0%B8%D0%B5%D0%BD%D1%82%D1%8B%20%26%20co%EF%BF%BD&utm_content=B',
    );
  });

  const project = { enabled: true, source: 's', medium: 'm', hosts: ['shop.example'] };
  const named = { id: 'c1', name: 'Spring Offer!' };
  it.each([
    [{}, null, 'spring-offer'],
    [{}, { enabled: null, campaign: null }, 'spring-offer'],
    [{}, { enabled: null, campaign: 'Spring 26' }, 'Spring 26'],
    [{ enabled: false }, { enabled: true, campaign: null }, 'spring-offer'],
    [{ enabled: false }, { enabled: null, campaign: 'x' }, null],
    [{}, { enabled: false, campaign: 'x' }, null],
    [{ hosts: [] }, { enabled: true, campaign: null }, null],
  ])('of a project with %j and a campaign with %j: %s', (change, own, campaign) => {
    expect(linkTagsOf({ ...project, ...change }, named, own)?.campaign ?? null).toBe(campaign);
  });

  it('name what has no name in letters by its id', () =>
    expect(linkTagsOf(project, { id: 'c1', name: '!?' })?.campaign).toBe('c1'));
});

describe('a text', () => {
  it.each([
    ['See https://shop.example/a.', 'See https://shop.example/a?*.'],
    ['(https://shop.example/a)', '(https://shop.example/a?*)'],
    ['https://shop.example/a_(b), or', 'https://shop.example/a_(b)?*, or'],
    ['(see https://shop.example/a_(b)).', '(see https://shop.example/a_(b)?*).'],
    ['<https://shop.example/a?b=1#c>', '<https://shop.example/a?b=1&*#c>'],
    ['"https://shop.example/"', '"https://shop.example/?*"'],
    ['https://other.example/ shop.example/a', 'https://other.example/ shop.example/a'],
    ['https://shop.example/\nhttps://shop.example/b!', 'https://shop.example/?*\nhttps://shop.example/b?*!'],
  ])('%j', (text, tagged) => expect(tagText(text, tag)).toBe(tagged.replaceAll('*', utm)));

  it.each(['.', '(', ')', 'https://', 'https://shop.example/', 'https://shop.example/((((.....'])(
    'of %j 200,000 times takes a time that grows with its length only',
    (piece) => {
      // In a time that grows with the square of it, this would not end before the timeout.
      expect(tagText(`https://x${piece.repeat(200_000)}x`, () => null)).toHaveLength(
        10 + 200_000 * piece.length,
      );
    },
  );
});
