import { scriptTexts } from '@postrider/core/mail/forms/contract';
import type { SignUpForm } from '../../../lib/api.ts';

type Snippet = Pick<
  SignUpForm,
  'id' | 'url' | 'language' | 'title' | 'consentText' | 'button' | 'fields' | 'topics' | 'origins'
>;

/** Ways to put a form on a page. `note` says what has to be known of it. */
export interface NamedSnippet {
  label: string;
  code: string;
  note?: string;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A text of the form in its own language. */
const own = (texts: Readonly<Record<string, string | undefined>> | null, language: string): string =>
  texts?.[language] ?? Object.values(texts ?? {}).find((text) => text !== undefined) ?? '';

function inputsOf({ fields, topics, language }: Snippet): string[] {
  const inputs = fields.flatMap(({ key, label, type, required, options }) => {
    const name = escaped(`fields.${key}`);
    const text = escaped(own(label, language));
    const must = required ? ' required' : '';
    if (type === 'CHECKBOX')
      return `  <label><input type="checkbox" name="${name}" value="true"${must}> ${text}</label>`;
    if (type === 'SELECT') {
      const choices = options.map(
        (option) =>
          `<option value="${escaped(option.value)}">${escaped(own(option.label, language))}</option>`,
      );
      return `  <label>${text} <select name="${name}"${must}><option></option>${choices.join('')}</select></label>`;
    }
    return `  <label>${text} <input name="${name}"${type === 'DATE' ? ' type="date"' : ''}${must}></label>`;
  });
  const chosen =
    topics.length < 2
      ? []
      : topics.map(
          (key) =>
            `  <label><input type="checkbox" name="topics" value="${escaped(key)}"> ${escaped(key)}</label>`,
        );
  return [...inputs, ...chosen];
}

/** A form of HTML alone. Its hidden field stays empty: programs fill it in. */
function htmlOf(form: Snippet, attributes = ''): string {
  const { language } = form;
  const words = scriptTexts[language];
  return [
    `<form action="${form.url}" method="post"${attributes}>`,
    `  <label>${escaped(words.email)} <input name="email" type="email" required></label>`,
    ...inputsOf(form),
    `  <input type="hidden" name="language" value="${language}">`,
    '  <div hidden><input name="website" tabindex="-1" autocomplete="off"></div>',
    `  <p>${escaped(own(form.consentText, language))}</p>`,
    `  <button>${escaped(own(form.button, language) || words.button)}</button>`,
    '</form>',
  ].join('\n');
}

function scriptOf(form: Snippet): string {
  const { received, failed } = scriptTexts[form.language];
  const attributes = ` data-received="${escaped(received)}" data-failed="${escaped(failed)}"`;
  return `${htmlOf(form, attributes)}\n<script src="${form.url}.js" async></script>`;
}

const baseOf = ({ url, id }: Snippet): string => url.slice(0, -`/f/${id}`.length);

const reactOf = (form: Snippet): string => `import { subscribe } from '@postrider/sdk';
import { useState } from 'react';

export function SignUp() {
  const [state, setState] = useState('');
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        const email = String(new FormData(event.currentTarget).get('email'));
        try {
          await subscribe(${JSON.stringify(form.id)}, { email }, { baseUrl: ${JSON.stringify(baseOf(form))} });
          setState(${JSON.stringify(scriptTexts[form.language].received)});
        } catch (error) {
          setState(error.errors?.[0]?.message ?? ${JSON.stringify(scriptTexts[form.language].failed)});
        }
      }}
    >
      <label>
        ${own({ [form.language]: scriptTexts[form.language].email }, form.language)} <input name="email" type="email" required />
      </label>
      <p>{${JSON.stringify(own(form.consentText, form.language))}}</p>
      <button>{${JSON.stringify(own(form.button, form.language) || scriptTexts[form.language].button)}}</button>
      <p role="status">{state}</p>
    </form>
  );
}`;

const sdkOf = (form: Snippet): string => `import { subscribe } from '@postrider/sdk';

await subscribe(${JSON.stringify(form.id)}, { email: 'reader@example.com' }, { baseUrl: ${JSON.stringify(baseOf(form))} });`;

/** Every way to put a form on a page, the simplest first. */
export const snippetsOf = (form: Snippet): [NamedSnippet, ...NamedSnippet[]] => [
  { label: 'Link', code: form.url, note: 'A page of its own, in the languages of the form.' },
  {
    label: 'HTML',
    code: htmlOf(form),
    note: 'Needs no script. Visitors see a page that asks them to look in their inbox.',
  },
  { label: 'Script', code: scriptOf(form), note: 'The same form, which shows in place what becomes of it.' },
  {
    label: 'Frame',
    code: `<iframe src="${form.url}/embed" title="${escaped(own(form.title, form.language))}" style="width:100%;height:480px;border:0"></iframe>`,
    note:
      form.origins.length === 0
        ? 'Add the origins of your pages to the form first: without any, no page may show it in a frame.'
        : `Only pages of ${form.origins.join(', ')} may show it.`,
  },
  { label: 'React', code: reactOf(form) },
  {
    label: 'SDK',
    code: sdkOf(form),
    note: 'For pages: it needs no key. A server asks with POST /subscription-requests.',
  },
];
