import { expect, it } from 'vitest';
import { picturedText } from './mail-picture.rules.ts';

it.each([
  ['<p>Hello {{name ?? there}}</p>', '<p>Hello there</p>'],
  ['{{ first_name }}', 'first name'],
  ['{{event.total | round}}', 'total'],
  ['{{name ?? "you"}}', 'you'],
  ['{% if plan == "pro" %}<b>Pro</b>{% endif %}', '<b>Pro</b>'],
  ['{{a ?? <script>}}', 'script'],
  ['no variables', 'no variables'],
])('%s is pictured as %s', (html, pictured) => expect(picturedText(html)).toBe(pictured));
