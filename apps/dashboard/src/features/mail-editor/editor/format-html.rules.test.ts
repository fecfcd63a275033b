import { describe, expect, it } from 'vitest';
import { rendersSame, shieldLiquid } from './format-html.rules.ts';
import { formatHtml } from './format-html.ts';

const formatted = async (source: string) => {
  const result = await formatHtml(source);
  return 'html' in result ? result.html : result;
};

/** The Liquid of a text in its order. */
const liquidOf = (text: string) => text.match(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g);

describe('formatting', () => {
  it('indents tags and keeps Liquid as it is written', async () => {
    const source =
      '<table><tr>{% for item in items %}<td class="{% if item.new %}new{% endif %}" {% if a > b %}bgcolor="#eee"{% endif %}><a href="{{ item.url }}?a=1&b={{x}}">{{  item["name"]   ??  "it\'s }} here"  }}</a></td>{%- endfor -%}</tr></table>';
    const html = await formatted(source);
    expect(liquidOf(String(html))).toEqual(liquidOf(source));
    expect(String(html).split('\n').length).toBeGreaterThan(5);
    expect(html).toContain('class="{% if item.new %}new{% endif %}"');
    expect(html).toContain('href="{{ item.url }}?a=1&b={{x}}"');
  });

  it.each([
    '{% raw %}<p>\n  {{ not a variable }}</p>{% endraw %}',
    '{% comment %} <b> never   closed {% endcomment %}',
    "{{ name ?? don't }}",
    '{% assign greeting = "a  b" %}',
  ])('keeps %s as it is written', async (liquid) => {
    expect(await formatted(`<div><p>One</p>${liquid}<p>Two</p></div>`)).toContain(liquid);
  });

  it('adds no space between words, tags of text and variables', async () => {
    const html = await formatted('<p>Dear <b>{{name}}</b>,{{a}}{{b}}<i>c</i></p><p>Bye</p>');
    expect(html).toBe('<p>Dear <b>{{name}}</b>,{{a}}{{b}}<i>c</i></p>\n<p>Bye</p>\n');
  });

  it('adds no space between boxes that are laid out like words', async () => {
    const boxes = '<div style="display:inline-block">a</div><div style="display:inline-block">b</div>';
    expect(await formatted(boxes)).toContain('</div><div');
  });

  it('keeps styles and the comments of Outlook', async () => {
    const source =
      '<style>\n.a { color: {{ colour }} }\n</style><!--[if mso]><table><tr><td><![endif]--><div>x</div><!--[if mso]></td></tr></table><![endif]-->';
    const html = await formatted(source);
    expect(html).toContain('.a { color: {{ colour }} }');
    expect(html).toContain('<!--[if mso]><table><tr><td><![endif]-->');
  });

  it.each([
    ['a tag that a condition opens', '{% if a %}<div>{% else %}<div class="b">{% endif %}</div>'],
    ['a tag that is not closed', '<div><p>One</p>'],
    ['text that keeps its spaces', '<p style="white-space: pre-wrap">a\n  b</p>'],
    ['a closing tag too many', '<p>a</p></div>'],
  ])('leaves %s', async (_name, source) => {
    expect(await formatted(source)).toEqual({ problem: expect.any(String) });
  });
});

describe('two documents render the same', () => {
  it.each([
    ['<p>a</p><p>b</p>', '<p>a</p>\n\n<p>b</p>\n', true],
    ['<br>', '<br />', true],
    ["<p class='a'>b</p>", '<p class="a">b</p>', true],
    ['<b>a</b><b>c</b>', '<b>a</b> <b>c</b>', false],
    ['<p>a</p>', '<p>b</p>', false],
    ['<p id="a">b</p>', '<p id="c">b</p>', false],
    ['<p>a&nbsp;b</p>', '<p>a b</p>', false],
    ['<pre>a\n  b</pre>', '<pre>a\n b</pre>', false],
  ])('%s and %s: %s', (a, b, same) => expect(rendersSame(a, b)).toBe(same));
});

it('words in place of Liquid are not words of the text', () => {
  const { html, restore } = shieldLiquid('lq0z {{a}} lqq {% if b %}');
  expect(restore(html)).toBe('lq0z {{a}} lqq {% if b %}');
});
