import { describe, expect, test } from 'vitest';
import { parseTemplate, TemplateSyntaxError } from './index.ts';

const vars = {
  'first name': 'Zoë',
  email: 'zoe@example.com',
  none: '',
  zero: 0,
  no: false,
  nothing: null,
  items: ['a<b', 'c', 3],
  profile: { 'first name': "O'Neil", city: 'Gent' },
  data: { 'first name': 'Zoë', 'address.city': 'Delft' },
  'address.city': 'Delft',
  html: `<b>"A" & 'B'</b>`,
  count: 5,
  unsubscribeUrl: 'https://mail.example/u/token/unsubscribe?a=1&b=2',
};

function html(source: string, more: Record<string, unknown> = {}): string {
  return parseTemplate(source, 'html').render({ ...vars, ...more });
}

function text(source: string): string {
  return parseTemplate(source, 'text').render(vars);
}

function syntaxError(source: string): { message: string; line: number; column: number } {
  try {
    parseTemplate(source, 'html');
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return error;
    throw error;
  }
  throw new Error(`no syntax error in ${source}`);
}

describe('names', () => {
  test.each([
    ['{{first name}}', 'Zoë'],
    ['{{ first\nname }}', 'Zoë'],
    ['{{first&nbsp;name}}', 'Zoë'],
    ['{{profile.first name}}', 'O&#39;Neil'],
    ['{{Menu\u0308}} {{data.Menu\u0308}}', 'Tee Tee'],
    ['{{data["first name"]}}', 'Zoë'],
    ['{{data[&quot;first name&quot;]}}', 'Zoë'],
    ['{{profile["city"]}}', 'Gent'],
    ['{{items[1]}}{{items[-1]}}{{items.size}}{{items.first}}', 'c33a&lt;b'],
    ['{{address.city}} {{data.address.city}} {{data["address.city"]}}', 'Delft Delft Delft'],
    ['{{ first name | upcase }}', 'ZOË'],
    ['{% for p in list %}{{ p.first name }};{% endfor %}', 'A;B;'],
    ['{{terms and conditions}}', 'yes'],
    ["{{customer's name}}", 'Kim'],
  ])('%s', (source, expected) => {
    const list = [{ 'first name': 'A' }, { 'first name': 'B' }];
    const data = { ...vars.data, Menü: 'Tee' };
    const more = { list, data, 'terms and conditions': 'yes', "customer's name": 'Kim' };
    expect(html(source, more)).toBe(expected);
  });

  const columns = {
    'Tel.': '1',
    'Dr. Who': '2',
    'a.b.c.': '3',
    "Straße d'Été": '4',
    '2024': '5',
    true: '6',
    'Nr. 1..2': '7',
    '-x-': '8',
    'two  blanks': '9',
    'x.y': '10',
    x: { y: 'path', 'Tel.': '11', 'paid?': '14' },
    'paid?': '13',
    'Do not mail': '12',
  };
  test.each([
    ['{{Tel.}}{{ Tel. ?? x }}{{ Tel. | append: "!" }}', '111!'],
    ['{{Dr. Who}}{{Dr.&nbsp;\nWho}}{{data.Dr. Who}}', '222'],
    ['{{a.b.c.}}{{data.a.b.c.}}', '33'],
    ["{{Straße d'Été}}{{ data.Straße d'Été }}", '44'],
    ['{{2024}}{{ 2025 }}{{ 1.5 }}', '520251.5'],
    ['{{true}}{{false}}', '6false'],
    ['{{Nr. 1..2}}', '7'],
    ['{{ -x- }}{{-x.Tel.-}}', '811'],
    ['{{two  blanks}}', '9'],
    ['{{x.y}}{{x["y"]}}{{data.x.y}}', '10path10'],
    ['{{Do not mail}}', '12'],
    ['{{ paid? }}{{ x.paid? }}{% if x.paid? %}y{% endif %}', '1314y'],
    ['{% for x in list %}{{x.y}}{{x.Tel.}}{% endfor %}', 'ab'],
    ['{% if Tel. == "1" and Dr. Who == "2" %}y{% endif %}{% unless Tel. %}n{% endunless %}', 'y'],
    [
      '{% assign t = Dr. Who | append: Tel. %}{{ t }}{{ "a" | append: Dr. Who | default: x, allow_false: true }}',
      '21a2',
    ],
    [
      '{% for p in order items reversed limit:1 %}{{ p }}{% endfor %}{% case Tel. %}{% when Dr. Who or Tel. %}y{% endcase %}',
      'ay',
    ],
    ['{% for i in (1..Tel.) %}{{ i }}{% endfor %}{% cycle Dr. Who, "b" %}', '12'],
  ])('of columns: %s', (source, expected) => {
    const own = { ...columns, list: [{ y: 'a', 'Tel.': 'b' }], 'order items': ['a', 'b'] };
    expect(html(source, { ...own, data: own })).toBe(expected);
  });

  test.each([
    ['{{Revenue (net)}}', '{{data["Revenue (net)"]}}'],
    ['{{ Preis/Stück | upcase }}', '{{data["Preis/Stück"]}}'],
    ['{{ item[0 }}', '{{data["item[0"]}}'],
    ['{{ item[0]x }}', '{{data["item[0]x"]}}'],
    ['{{ item] }}', '{{data["item]"]}}'],
    ['{{ item[net price] x }}', '{{data["item[net price] x"]}}'],
    ['{{ Size 5" }}', "{{data['Size 5\"']}}"],
    ['{{ name "x" }}', `{{data['name "x"']}}`],
    ["{{ Kunden' Name }}", '{{data["Kunden\' Name"]}}'],
    ['{{ a, b }}', '{{data["a, b"]}}'],
    ['{{ . }}', '{{data["."]}}'],
    ['{{ first name == }}', '{{data["first name =="]}}'],
  ])('%s is refused with the way to write it', (source, expected) => {
    expect(syntaxError(source).message).toContain(expected);
    const [, key = ''] = /data\[["'](.*)["']\]/.exec(expected) ?? [];
    expect(html(expected, { data: { [key]: 'value' } })).toBe('value');
  });

  test.each([
    '{{ a[] }}',
    '{{ a[0]. }}',
    '{{ a["x" y] }}',
    '{{ a | upcase ) b }}',
    '{{ a | upcase, b }}',
    '{% if a b"c" %}{% endif %}',
    '{% if a == %}{% endif %}',
    '{% if a and %}{% endif %}',
    '{% if a == b c["d"] %}{% endif %}',
    "{% if customer's name %}{% endif %}",
    '{% assign x = a, b %}',
    '{% assign first name = a %}',
    '{% capture first name %}{% endcapture %}',
    '{% increment first name %}',
    '{% for i in a (b) %}{% endfor %}',
    '{% case a %}{% when "b" "c" %}{% endcase %}',
    '{% cycle "a" "b" %}',
    '{% for i in a %}{% echo i ) %}{% endfor %}',
  ])('%s is refused', (source) => {
    expect(() => syntaxError(source)).not.toThrow();
  });

  test('only own properties can be reached', () => {
    const source =
      '{{toString}}{{constructor}}{{__proto__}}{{items.constructor}}{{none.constructor}}' +
      '{{profile.__proto__}}{{profile.hasOwnProperty}}{{ items["map"] }}{% if profile.constructor %}x{% endif %}' +
      '{{ items | map: "constructor" | raw }}';
    expect(html(source, { items: [{}] })).toBe('');
  });
});

describe('values', () => {
  test.each([
    ['{{zero}} {{no}} {{nothing}}{{missing}}{{missing.deeper}}|{{ }}{{}}|', '0 false ||'],
    ['{{items}}', '<li>a&lt;b</li>\n<li>c</li>\n<li>3</li>'],
    ['{{ items | raw }}', 'a<b,c,3'],
    ['{{ html }}', '&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;'],
    ['{{ html | raw }}', vars.html],
    ['{{ html | upcase }}', '&lt;B&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/B&gt;'],
    ['{% echo html %}', '&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;'],
    ['{% for i in items %}{% cycle html, "b" %}{% endfor %}', null],
    ['{{unsubscribeUrl}}', vars.unsubscribeUrl],
    ['<a href="{{ unsubscribeUrl }}">', `<a href="${vars.unsubscribeUrl}">`],
    ['{{ count | times: 3 }} {{ "a" | append: "b" }} {{ 1.5 }} {{ true }}', '15 ab 1.5 true'],
    ['{{ "%zz" | url_decode }}kept', 'kept'],
  ])('%s', (source, expected) => {
    if (expected === null) expect(html(source)).not.toContain('<b>');
    else expect(html(source)).toBe(expected);
  });

  test('in text nothing is escaped and lists stay on one line', () => {
    expect(text('{{html}} {{items}} {{ items | raw }}')).toBe(`${vars.html} a<b, c, 3 a<b,c,3`);
  });
});

describe('fallbacks', () => {
  test.each([
    ['{{missing ?? there}}', 'there'],
    ['{{missing ?? dear reader}}', 'dear reader'],
    ['{{missing ?? "dear reader"}}', 'dear reader'],
    ["{{missing ?? 'it''s' }}", '&#39;it&#39;&#39;s&#39;'],
    ['{{missing ?? count}}', 'count'],
    ['{{none ?? a}}{{no ?? b}}{{nothing ?? c}}{{zero ?? d}}', 'abc0'],
    ['{{missing ?? "" ?? last}}', 'last'],
    ['{{missing ?? "what ?? ever"}}', 'what ?? ever'],
    ['{{missing ?? "a }} b"}}', 'a }} b'],
    ['{{missing ?? &quot;quoted&quot;}}', 'quoted'],
    ['{{missing ?? R&amp;D}}', 'R&amp;D'],
    ['{{missing ?? friend | upcase}}', 'FRIEND'],
    ['{{first name ?? friend}}', 'Zoë'],
    ["{{missing ?? friend's}}", 'friend&#39;s'],
    ['{{missing ??}}|', '|'],
  ])('%s', (source, expected) => {
    expect(html(source)).toBe(expected);
  });
});

describe('tags', () => {
  test.each([
    ['{% if zero %}a{% elsif none %}b{% elsif nothing %}c{% elsif no %}d{% else %}e{% endif %}', 'e'],
    ['{% if items %}a{% endif %}{% if "x" %}b{% endif %}{% unless zero %}c{% endunless %}', 'abc'],
    ['{% if count &gt; 4 and email contains &#34;@&#34; %}y{% endif %}', 'y'],
    ['{% if none == blank %}y{% endif %}{% if none == empty %}z{% endif %}', 'yz'],
    ['{% case count %}{% when 4 %}four{% when 5 %}five{% endcase %}', 'five'],
    [
      '{% for i in (1..5) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 4 %}{% break %}{% endif %}{{i}}{% endfor %}',
      '13',
    ],
    ['{% for i in items %}{{ forloop.index }}/{{ forloop.length }} {% endfor %}', '1/3 2/3 3/3 '],
    ['{% for i in (1..4) %}{% cycle "a", "b" %}{% endfor %}', 'abab'],
    [
      '{% tablerow i in (1..2) cols:2 %}{{i}}{% endtablerow %}',
      '<tr class="row1"><td class="col1">1</td><td class="col2">2</td></tr>',
    ],
    ['{% assign a = "x" | upcase %}{{a}}{% capture b %}{{a}}!{% endcapture %}{{b}}', 'XX!'],
    ['{% increment n %}{% increment n %}{% decrement n %}', '011'],
    ['{{ "2026-11-20" | date: "%d %b", "America/New_York" }}', '20 Nov'],
    ['{{ "2026-11-20" | date: "%d %b", "Pacific/Kiritimati" }}', '20 Nov'],
    ['{{ "2026-11-20T00:30:00Z" | date: "%d %b", "America/New_York" }}', '19 Nov'],
    ['{% raw %}{{ first name }} &amp; {% if %}{% endraw %}', '{{ first name }} &amp; {% if %}'],
    ['a{% comment %}{{ x | nofilter }}{% endcomment %}b', 'ab'],
    ['a  {{- count -}}  b {%- if count -%} c {%- endif %} d', 'a5bc d'],
  ])('%s', (source, expected) => {
    expect(html(source)).toBe(expected);
  });

  test('rendering does not change the variables', () => {
    const own = { ...vars };
    parseTemplate('{% increment count %}{% assign zero = 4 %}', 'html').render(own);
    expect(own).toEqual(vars);
  });
});

describe('syntax errors', () => {
  test.each(['include "a"', 'render "a"', 'layout "a"', 'block a', 'nonsense'])('tag %s', (tag) => {
    expect(syntaxError(`ok\n  {% ${tag} %}`)).toMatchObject({ line: 2, column: 3 });
  });

  test.each([
    ['a {{ x | nofilter }}', 1, 3, 'undefined filter: nofilter'],
    ['{% assign y = x | nofilter %}', 1, 1, 'undefined filter: nofilter'],
    ['{% if x %}\n{{ x | nofilter }}{% endif %}', 2, 1, 'undefined filter: nofilter'],
    ['\n\n {% if x %}', 3, 2, 'not closed'],
    ['ab {{ x', 1, 4, 'not closed'],
    ['ab {% x', 1, 4, 'not closed'],
    ['{% raw %} x', 1, 1, 'not closed'],
    ['{% comment %} x', 1, 1, 'not closed'],
    ['{{ a + b }}', 1, 6, 'expected'],
    ['{{ &quot;a&quot; + b }}', 1, 18, 'expected'],
  ])('%s', (source, line, column, message) => {
    const error = syntaxError(source);
    expect(error).toMatchObject({ line, column });
    expect(error.message).toContain(message);
  });

  test('a source of more than 2,000,000 characters', () => {
    expect(() => parseTemplate('x'.repeat(2_000_000), 'html')).not.toThrow();
    expect(syntaxError('x'.repeat(2_000_001))).toMatchObject({ line: 1, column: 1 });
  });
});

describe('flatness', () => {
  test.each([
    '<p>{{a}} {{b ?? "c"}}</p>',
    '<title>{{a}}</title>',
    '<a href="{{unsubscribeUrl}}">stop</a>',
    "<A HREF='{{ manageUrl }}'>stop</A>",
    '{% raw %}{{x}}{% endraw %}{% comment %}x{% endcomment %}{{a}}',
  ])('%s is flat', (source) => {
    expect(parseTemplate(source, 'html').flat).not.toBeNull();
  });

  test.each([
    '<a href="{{a}}">x</a>',
    '<a href={{unsubscribeUrl}}>x</a>',
    '<a href="{{unsubscribeUrl}}?x">x</a>',
    '<img src="{{unsubscribeUrl}}">',
    '<p {{a}}>',
    '<{{a}}>',
    '</{{a}}>',
    '<!--{{a}}-->',
    '<!{{a}}',
    '<style>{{a}}</style>',
    '<script>{{a}}</script>',
    '<textarea>{{a}}</textarea>',
    '&am{{a}}',
    '{{a | upcase}}',
    '{{a | raw}}',
    '{% if a %}{% endif %}',
    '<p',
  ])('%s is not flat (unless it has no output)', (source) => {
    const compiled = parseTemplate(source, 'html');
    expect(compiled.flat === null || compiled.isPlain).toBe(true);
  });

  test('plain templates have neither outputs nor tags', () => {
    expect(parseTemplate('just { text }', 'text').isPlain).toBe(true);
    expect(parseTemplate('{{a}}', 'text').isPlain).toBe(false);
    expect(parseTemplate('{% if a %}{% endif %}', 'text').isPlain).toBe(false);
  });
});
