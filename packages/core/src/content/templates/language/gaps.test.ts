import { describe, expect, it } from 'vitest';
import { parseTemplate } from './index.ts';

const vars = {
  name: 'Ann',
  zero: 0,
  no: false,
  empty: '',
  nothing: null,
  list: [],
  items: [{ name: 'Tea', note: 'hot' }, { name: 'Cake' }],
  data: { name: 'Ann', city: null, address: { street: 'A' } },
};

describe('the outputs without a value', () => {
  it.each([
    ['{{name}} {{zero}} {{no}} {{list}}', []],
    ['{{missing}} {{nothing}} {{empty}}', ['missing', 'nothing', 'empty']],
    ['{{ data.city }} {{data.address.street}} {{data.address.zip}}', ['data.city', 'data.address.zip']],
    ['{{missing}} {{missing}}', ['missing']],
    ['{{missing ?? friend}} {{missing ?? ""}}', ['missing']],
    ['{{ missing | default: "x" }} {{ missing | default: name }} {{ empty | upcase ?? you }}', []],
    ['{{ missing | default: nothing }}', ['nothing', 'missing']],
    ['{{ name | default: nothing }}', []],
    ['{{ missing | upcase }} {{ missing | append: "!" }}', ['missing']],
    ['{{ name | append: missing }} {{ name | append: data.address.street }}', ['missing']],
    ['{{ name | remove: name }}', ['name']],
    ['{% if no %}{{missing}}{% else %}{{nothing}}{% endif %}', ['nothing']],
    ['{% for item in items %}{{item.name}} {{item.note}}{% endfor %}', ['item.note']],
    ['{% for item in list %}{{item.name}}{% else %}{{name}}{% endfor %}', []],
    ['{% raw %}{{missing}}{% endraw %}', []],
    ['{% assign x = data.city %}{{x}} {% assign y = name %}{{y}}', ['x']],
    ['{% capture x %}{{missing}}{% endcapture %}{{x}}', ['missing', 'x']],
    ['{% capture x %}{{missing}}!{% endcapture %}{{x}}', ['missing']],
    ['{% echo missing %}{% echo name %}', ['missing']],
    ['{{ "text" }} {{ 5 }} {{ }}', []],
    ['{% if missing %}{% endif %}', []],
    ['{% case name %}{% when "Ann" %}{{empty}}{% else %}{{missing}}{% endcase %}', ['empty']],
    ['no outputs', []],
  ])('of %j are %j', (source, expected) => {
    for (const output of ['html', 'text'] as const)
      expect(parseTemplate(source, output).gaps(vars).sort()).toEqual([...expected].sort());
  });

  it('are found in time that a rendering would take', () => {
    const endless = '{% for a in (1..100000) %}{% for b in (1..100000) %}{{missing}}{% endfor %}{% endfor %}';
    expect(parseTemplate(endless, 'html').gaps(vars)).toEqual(['missing']);
  });
});
