import { expect, it } from 'vitest';
import { keysNamedIn } from './index.ts';

const keys = (source: string) => [...keysNamedIn(source, 'html')];

it.each([
  ['Hi {{nick}},', ['nick']],
  ['Hi {{ nick ?? "there" }}', ['nick']],
  ['{{ data.nick | upcase }}', ['nick']],
  ['{{ first name }}', ['first name']],
  ['{{first  name}}', ['first  name', 'first name']],
  ['{{ data["Revenue (net)"] }}', ['Revenue (net)']],
  ["{{ data['a'] }}", ['a']],
  ['{{ address.city }}', ['address', 'address.city']],
  ['{{ data.address.city }}', ['address.city', 'address']],
  ['{% if plan == "pro" and seats > 3 %}x{% elsif trial %}y{% endif %}', ['plan', 'seats', 'trial']],
  ['{% unless data.paid %}x{% endunless %}', ['paid']],
  ['{% for tag in tags %}{{ tag }}{% endfor %}', ['tags']],
  ['{% case tier %}{% when level %}x{% endcase %}', ['tier', 'level']],
  ['{% assign x = city | append: suffix %}', ['city', 'suffix']],
  ['{% if tags contains wanted %}x{% endif %}', ['tags', 'wanted']],
  ['{{ items[0].title }}', ['items']],
  ['{% liquid\n if plan\n echo nick\n endif %}', ['plan', 'nick']],
  ['{% for i in (1..count) %}x{% endfor %}', ['count']],
  ['{{ "x" | replace: from, to }}', ['from', 'to']],
  ['{% cycle one, two %}', ['one', 'two']],
  ['{{ terms and conditions }}', ['terms and conditions']],
])('%j names %j', (source, expected) => {
  expect(keys(source)).toEqual(expect.arrayContaining(expected));
});

it.each(['nick', '{% raw %}{{nick}}{% endraw %}', '{% comment %}{{nick}}{% endcomment %}', '{{ "nick" }}'])(
  '%j names no field',
  (source) => {
    expect(keys(source)).not.toContain('nick');
  },
);
