import { describe, expect, test } from 'vitest';
import { parseTemplate } from './index.ts';

const vars = {
  name: "O'Neil & Sons",
  lines: '<1>\r\n2',
  once: 'R&amp;D <b>',
  list: ['<a>', 'b'],
  rows: [{ k: "it's" }, { k: "it's" }],
  evil: '</script><script>alert("1")</script>',
  separators: 'a\u2028b\u2029c&',
};

const html = (source: string): string => parseTemplate(source, 'html').render(vars);
const text = (source: string): string => parseTemplate(source, 'text').render(vars);

describe('filters that make HTML are not escaped again', () => {
  test.each([
    ['{{ name | escape }}', 'O&#39;Neil &amp; Sons'],
    ['{% echo name | escape %}', 'O&#39;Neil &amp; Sons'],
    ['{% assign n = name | escape %}{{ n }}{% if n contains "Neil" %}!{% endif %}', 'O&#39;Neil &amp; Sons!'],
    ['{% assign n = name | escape %}{% cycle n, "b" %}', 'O&#39;Neil &amp; Sons'],
    ['{{ once | escape_once }}', 'R&amp;D &lt;b&gt;'],
    ['{{ name | escape | escape_once }}', 'O&#39;Neil &amp; Sons'],
    ['{{ lines | newline_to_br }}', '&lt;1&gt;<br />\n2'],
    ['{{ lines | escape | newline_to_br }}', '&lt;1&gt;<br />\n2'],
    ['{{ lines | newline_to_br | strip_newlines }}', '&lt;1&gt;<br />2'],
    [
      '{{ "  <  " | escape | strip }}{{ " <" | escape | lstrip }}{{ "< " | escape | rstrip }}',
      '&lt;&lt;&lt;',
    ],
    ['{{ name | escape | append: "<" | prepend: lines }}', '&lt;1&gt;\r\n2O&#39;Neil &amp; Sons&lt;'],
    ['{% assign n = "<" | escape %}{{ "&" | escape | append: n }}', '&amp;&lt;'],
    ['{{ missing | escape ?? "<none>" }}', '&lt;none&gt;'],
    ['{{ list | escape }}', '&lt;a&gt;b'],
    ['{{ name | escape | raw }}', 'O&#39;Neil &amp; Sons'],
    ['{% assign n = name | escape %}{{ n.size }}{{ n.constructor }}{{ n.valueOf }}', '21'],
    ['{% assign g = rows | group_by_exp: "r", "r.k | escape" %}{{ g.size }}', '1'],
  ])('%s', (source, expected) => {
    expect(html(source)).toBe(expected);
  });
});

describe('every other filter drops the mark', () => {
  test.each([
    ['{{ "<" | escape | upcase }}', '&amp;LT;'],
    ['{{ "%3Cb%3E" | escape | url_decode }}', '&lt;b&gt;'],
    ['{{ "<b>" | escape | replace: "&amp;lt;", "<" }}', '&lt;b&amp;gt;'],
    ['{{ "a\n" | newline_to_br | rstrip: "\n>" }}', 'a&lt;br /'],
    ['{% assign n = "<" | escape %}{{ "<" | append: n }}', '&lt;&amp;lt;'],
    [
      '{% assign n = "<" | escape %}{{ list | push: n }}',
      '<li>&lt;a&gt;</li>\n<li>b</li>\n<li>&amp;lt;</li>',
    ],
    ['{% capture n %}{{ "<" | escape }}{% endcapture %}{{ n }}', '&amp;lt;'],
  ])('%s', (source, expected) => {
    expect(html(source)).toBe(expected);
  });
});

test('in texts they change nothing', () => {
  expect(text('{{ name | escape }}|{{ once | escape_once }}|{{ lines | newline_to_br }}')).toBe(
    `${vars.name}|${vars.once}|${vars.lines}`,
  );
  expect(text('{{ name | escape | append: "!" }}')).toBe(`${vars.name}!`);
});

describe('JSON in a script of JSON', () => {
  const ld = (content: string): string => `<script type="application/ld+json">${content}</script>`;

  test('is JSON that cannot end the script', () => {
    const source = '{"name": {{ evil | json }}, "tags": {{ list | json }}, "s": {{ separators | json }}}';
    const rendered = html(ld(source));
    const content = /^<script type="application\/ld\+json">([^<>&]*)<\/script>$/.exec(rendered)?.[1] ?? '';
    expect(content).not.toMatch(/[\u2028\u2029]/);
    expect(JSON.parse(content)).toEqual({ name: vars.evil, tags: vars.list, s: vars.separators });
  });

  test.each([
    [
      'in a loop',
      `${ld('[{% for i in list %}{{ i | json }},{% endfor %}0]')}`,
      ld('["\\u003ca\\u003e","b",0]'),
    ],
    [
      'with other attributes',
      `<SCRIPT id=a TYPE='Application/LD+JSON'>{{ 'a' | json }}</SCRIPT>`,
      `<SCRIPT id=a TYPE='Application/LD+JSON'>"a"</SCRIPT>`,
    ],
    ['after another script', `<script>1</script>${ld('{{ "a" | json }}')}`, `<script>1</script>${ld('"a"')}`],
  ])('%s', (_name, source, expected) => {
    expect(html(source)).toBe(expected);
  });

  test.each([
    ['in text', '{{ "a" | json }}'],
    ['in another script', '<script>{{ "a" | json }}</script>'],
    ['after the script', `${ld('1')}{{ "a" | json }}`],
    [
      'in an attribute that looks like the script',
      `<p title='<script type="application/ld+json">{{ "a" | json }}'>`,
    ],
    ['in a comment', '<!-- <script type="application/ld+json">{{ "a" | json }} -->'],
    ['when json is not the last filter', ld('{{ "a" | json | append: "" }}')],
    [
      'when a branch did not open it',
      '{% if missing %}<script type="application/ld+json">{% endif %}{{ "a" | json }}',
    ],
    [
      'when a branch opened an attribute',
      `<p title="{% if missing %}">{% endif %}<script type='application/ld+json'>{{ "a" | json }}`,
    ],
    [
      'in a later turn of a loop',
      `<script type="application/ld+json">{% for i in list %}{% if i == "b" %}{{ "a" | json }}{% endif %}</script><p title="{% endfor %}`,
    ],
  ])('is escaped %s', (_name, source) => {
    expect(html(source)).toContain('&quot;a&quot;');
  });
});
