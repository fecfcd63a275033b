import { escapeHtml } from './escape.ts';
import { highlight } from './highlight.ts';

/** A text in a language, as one block of a page. */
export interface Code {
  language: string;
  text: string;
}

/** One of several texts that say the same. */
export interface Tab extends Code {
  label: string;
}

/** A block that scrolls sideways is reached by keyboard: hence the tab index and the name. */
const pre = ({ language, text }: Code, label: string): string =>
  `<pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${highlight(text, language)}</code></pre>`;

export const codeBlock = (code: Code, title = ''): string =>
  `<div class="code">${title ? `<div class="code-title">${escapeHtml(title)}</div>` : ''}${pre(code, title || 'Code')}</div>`;

/** Radio buttons rather than a script choose what is shown, so that the page is whole without one. */
export function codeTabs(tabs: readonly Tab[], name: string): string {
  const choices = tabs.map(
    ({ label }, index) =>
      `<label><input type="radio" name="${name}" value="${escapeHtml(label)}"${index === 0 ? ' checked' : ''}><span>${escapeHtml(label)}</span></label>`,
  );
  const panels = tabs.map((tab) => `<div class="tab">${pre(tab, `${tab.label} sample`)}</div>`);
  return `<div class="code tabs"><fieldset><legend>Language of the sample</legend>${choices.join('')}</fieldset>${panels.join('')}</div>`;
}

/** The same as Markdown. */
export const fenced = ({ language, text }: Code): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([marks]) => marks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
};
