import { expect, it } from 'vitest';
import { picturedText } from './mail-picture.rules.ts';

it.each([
  ['<p>Hello {{name ?? there}}</p>', '<p>Hello there</p>'],
  ['{{ first_name }}', 'first name'],
  ['{{event.total | round}}', 'total'],
  ['{{name ?? "you"}}', 'you'],
  ['{% if plan == "pro" %}<b>Pro</b>{% endif %}', '<b>Pro</b>'],
  ['Hi {% if plan == "pro" %}pro{% elsif a %}a{% else %}you{% endif %}!', 'Hi pro!'],
  [
    '{% if a %}{% if b %}b{% else %}c{% endif %}a{%- else -%}{% for x in y %}d{% else %}e{% endfor %}{% endif %}.',
    'ba.',
  ],
  ['{% else %}{% endif %}as {% endfor %}it is', 'as it is'],
  ['never {% if a %}closed{% else %}off', 'never closed'],
  ['{{a ?? <script>}}', 'script'],
  ['no variables', 'no variables'],
])('%s is pictured as %s', (html, pictured) => expect(picturedText(html)).toBe(pictured));
