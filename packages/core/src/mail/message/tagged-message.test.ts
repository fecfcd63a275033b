import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import type { MessageContent } from './message-content.ts';
import { makeContent, makeRecipient, testLinks } from './prepare-message.fixtures.ts';
import { prepareMessage } from './prepare-message.ts';

const utm = { hosts: ['shop.example', 'example.net'], source: 's', medium: 'm', campaign: 'c' };
const tags = 'utm_source=s&utm_medium=m&utm_campaign=c';
const escaped = tags.replaceAll('&', '&amp;');

const parsed = (content: Partial<MessageContent>, data: object = {}) =>
  PostalMime.parse(
    prepareMessage(makeContent({ utm, ...content }), testLinks).compose(makeRecipient({ ...data })).mime,
  );

describe('the links of email that is not tracked', () => {
  it.each([
    [
      '<a href="https://shop.example/a?b=1&amp;c=2#d">A</a>',
      `<a href="https://shop.example/a?b=1&amp;c=2&amp;${escaped}#d">A</a>`,
    ],
    ["<A HREF='https://shop.example/'>A</A>", `<A HREF='https://shop.example/?${escaped}'>A</A>`],
    ['<a href=https://shop.example/a>A</a>', `<a href="https://shop.example/a?${escaped}">A</a>`],
    [
      '<!--[if mso]><a href="https://shop.example/">A</a><v:rect href="https://shop.example/v"/><![endif]-->',
      `<!--[if mso]><a href="https://shop.example/?${escaped}">A</a><v:rect href="https://shop.example/v?${escaped}"/><![endif]-->`,
    ],
  ])('%s', async (html, tagged) => expect((await parsed({ body: html })).html).toContain(tagged));

  it.each([
    '<a href="https://other.example/?a=1&b=2">A</a>',
    '<a  href = https://shop.example/?utm_source=x>A</a>',
    '<a href="mailto:a@shop.example">A</a> https://shop.example/ <img src="https://shop.example/a.png">',
    '<!-- <a href="https://shop.example/">A</a> -->',
  ])('%s stays byte for byte', async (html) => {
    const { html: sent } = await parsed({ body: html });
    expect(sent).toContain(html);
    expect(sent).toBe((await parsed({ body: html, utm: null })).html);
  });

  it('are tagged in the text part, where a link that reads like its address is written once', async () => {
    const body =
      '<p><a href="https://shop.example/a">Offer</a></p><p><a href="https://shop.example/b">shop.example/b</a></p><p><a href="https://other.example/">Other</a></p>';
    expect((await parsed({ body })).text?.trim()).toBe(
      `Offer (https://shop.example/a?${tags})\n\nhttps://shop.example/b?${tags}\n\nOther (https://other.example/)`,
    );
  });

  it('are tagged in a text of its own', async () => {
    const { text, html } = await parsed(
      {
        body: '<p>Hello</p>',
        text: 'Look: https://shop.example/{{page}}.\nhttps://other.example/',
      },
      { page: 'a?x=1#y' },
    );
    expect(text).toContain(`Look: https://shop.example/a?x=1&${tags}#y.\nhttps://other.example/`);
    expect(html).toContain('<p>Hello</p>');
  });

  it('are tagged where a value completes them', async () => {
    const body = '<a href="https://{{host}}/{{page}}">A</a>';
    const { html, text } = await parsed({ body }, { host: 'shop.example', page: 'a#b' });
    expect(html).toContain(`href="https://shop.example/a?${escaped}#b"`);
    expect(text).toContain(`https://shop.example/a?${tags}#b`);
    expect((await parsed({ body }, { host: 'other.example' })).html).toContain('"https://other.example/"');
  });

  it('to the pages of recipients stay as they are, also on a host of the project', async () => {
    const body = '<a href="{{manageUrl}}">Manage</a> <a href="https://api.example.net/x">X</a>';
    for (const neverFlat of [false, true]) {
      const prepared = prepareMessage(makeContent({ body, utm, type: 'MARKETING' }), testLinks, {
        neverFlat,
      });
      const { html, text } = await PostalMime.parse(prepared.compose(makeRecipient()).mime);
      expect(html?.match(/utm_source/g)).toHaveLength(1);
      expect(text?.match(/utm_source/g)).toHaveLength(1);
      expect(html).toContain(`https://api.example.net/x?${escaped}`);
    }
  });

  it('are shown in the preview of an email', () => {
    const prepared = prepareMessage(
      makeContent({ body: '<a href="https://shop.example/">A</a>', utm }),
      testLinks,
    );
    const { html, text } = prepared.preview(makeRecipient());
    expect(html).toContain(`https://shop.example/?${escaped}`);
    expect(text).toContain(`https://shop.example/?${tags}`);
  });
});

it('tracked links are numbered, and carried, as they are written; the text part has the tags', async () => {
  const body = '<a href="https://shop.example/a">A</a> <a href="https://shop.example/{{page}}">B</a>';
  const content = makeContent({ body, utm, tracking: true });
  const prepared = prepareMessage(content, testLinks);
  expect(prepared.linkTable).toEqual(prepareMessage({ ...content, utm: null }, testLinks).linkTable);
  const { html, text } = await PostalMime.parse(prepared.compose(makeRecipient({ page: 'b' })).mime);
  expect(html).not.toContain('utm_');
  expect(html).toContain(encodeURIComponent('https://shop.example/b'));
  expect(text?.match(/utm_source/g)).toHaveLength(2);
});
