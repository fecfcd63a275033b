import { expect, it } from 'vitest';
import { snippetsOf } from './snippets.rules.ts';

const form = {
  id: '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90',
  url: 'https://mail.example.com/f/0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90',
  language: 'de' as const,
  title: { de: 'Neues "für" <Sie>' },
  consentText: { de: 'Ja, <gern> & oft.' },
  button: null,
  fields: [
    {
      key: 'plan',
      label: { de: 'Tarif' },
      type: 'SELECT' as const,
      required: true,
      options: [{ value: 'a"b', label: { de: 'A' } }],
    },
  ],
  topics: ['general', 'product'],
  origins: [],
};
const codeOf = (label: string): string => snippetsOf(form).find((each) => each.label === label)?.code ?? '';

it('every way names the form', () => {
  for (const { code } of snippetsOf(form)) expect(code).toContain(form.id);
});

it('texts of the form are escaped', () => {
  for (const label of ['HTML', 'Script', 'Frame']) {
    expect(codeOf(label)).not.toContain('<gern>');
    expect(codeOf(label)).not.toContain('<Sie>');
  }
  expect(codeOf('HTML')).toContain('Ja, &lt;gern&gt; &amp; oft.');
  expect(codeOf('HTML')).toContain('value="a&quot;b"');
});

it('a form has the fields that the door reads, and the one that people leave empty', () => {
  expect(codeOf('HTML')).toContain('name="email"');
  expect(codeOf('HTML')).toContain('name="fields.plan" required');
  expect(codeOf('HTML')).toContain('name="topics" value="product"');
  expect(codeOf('HTML')).toContain('name="website"');
});

it('the script speaks the language of the form', () => {
  expect(codeOf('Script')).toContain('data-received="Sehen Sie in Ihr Postfach');
  expect(codeOf('Script')).toContain(`src="${form.url}.js"`);
});
