import { Marked, type Tokens } from 'marked';
import { codeBlock, codeTabs, type Tab } from './code.ts';
import { escapeHtml, slugOf } from './escape.ts';

/** A heading of a page that its contents list. */
export interface Heading {
  level: number;
  id: string;
  text: string;
}

/** A part of a page for the search: a heading with the words below it. */
export interface Section {
  heading: Heading | null;
  text: string;
}

export interface Rendered {
  html: string;
  headings: Heading[];
  sections: Section[];
}

/** Names of languages as authors write them. */
const aliases: Readonly<Record<string, string>> = {
  ts: 'typescript',
  js: 'typescript',
  javascript: 'typescript',
  tsx: 'typescript',
  jsx: 'typescript',
  py: 'python',
  rb: 'ruby',
  sh: 'bash',
  shell: 'bash',
  console: 'bash',
  html: 'xml',
  liquid: 'xml',
  toml: 'ini',
  env: 'ini',
  dotenv: 'ini',
  yml: 'yaml',
  text: 'plaintext',
  txt: 'plaintext',
  zone: 'dns',
};

/** Of a block whose author named no language. */
function languageOf(code: string): string {
  if (/^(\$ )?(curl|npm|npx|docker|export|git|cd|pip|go|composer|swaks) /m.test(code)) return 'bash';
  if (/^(GET|POST|PUT|PATCH|DELETE) \S+ HTTP\/1\.1/.test(code)) return 'http';
  return /^[{[]/.test(code) && isJson(code) ? 'json' : 'plaintext';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** GitHub-flavoured Markdown as HTML, with anchors, coloured code and the samples that its comments name. */
export function renderMarkdown(text: string, samplesNamed: (name: string) => Tab[] = () => []): Rendered {
  const headings: Heading[] = [];
  const sections: Section[] = [{ heading: null, text: '' }];
  let groups = 0;
  const said = (words: string): void => {
    const section = sections.at(-1);
    if (section) section.text += ` ${words}`;
  };
  const marked = new Marked({ gfm: true, async: false });
  marked.use({
    renderer: {
      heading({ tokens, depth, text: source }: Tokens.Heading) {
        const heading = { level: depth, id: uniqueId(headings, plainText(source)), text: plainText(source) };
        headings.push(heading);
        sections.push({ heading, text: '' });
        return headingHtml(heading, this.parser.parseInline(tokens));
      },
      paragraph({ tokens, text: source }: Tokens.Paragraph) {
        said(plainText(source));
        return `<p>${this.parser.parseInline(tokens)}</p>\n`;
      },
      listitem(item: Tokens.ListItem) {
        said(plainText(item.text));
        return `<li>${this.parser.parse(item.tokens)}</li>\n`;
      },
      code({ text: code, lang = '' }: Tokens.Code) {
        const [name = '', ...title] = lang.split(/\s+/);
        const language = name === '' ? languageOf(code) : (aliases[name] ?? name);
        return codeBlock({ language, text: code }, title.join(' ').replace(/^title=/, ''));
      },
      table({ header, rows }: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: string): string =>
          row
            .map(({ tokens, align, text: source }) => {
              said(plainText(source));
              const side = align ? ` class="${align}"` : '';
              // A column without a name has no header.
              const name = tag === 'th' && source.trim() !== '' ? 'th scope="col"' : 'td';
              return `<${name}${side}>${this.parser.parseInline(tokens)}</${name.slice(0, 2)}>`;
            })
            .join('');
        const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
        const name = escapeHtml(
          header
            .map((cell) => plainText(cell.text))
            .filter(Boolean)
            .join(', ') || 'Table',
        );
        return `<div class="table" tabindex="0" role="group" aria-label="${name}"><table><thead><tr>${cells(header, 'th')}</tr></thead><tbody>${body}</tbody></table></div>`;
      },
      link({ href, tokens }: Tokens.Link) {
        const outside = /^https?:/.test(href) ? ' rel="noreferrer"' : '';
        return `<a href="${escapeHtml(href)}"${outside}>${this.parser.parseInline(tokens)}</a>`;
      },
      blockquote({ tokens }: Tokens.Blockquote) {
        return noteHtml(this.parser.parse(tokens));
      },
      html({ text: source }: Tokens.HTML | Tokens.Tag) {
        const [, name] = /^<!--samples:(\S+)-->\s*$/.exec(source) ?? [];
        if (name !== undefined) {
          groups += 1;
          return codeTabs(samplesNamed(name), `sample-${groups}-${slugOf(name)}`);
        }
        // Authors write Markdown: other HTML is shown, not run.
        return source.startsWith('<!--') ? '' : escapeHtml(source);
      },
    },
  });
  const html = marked.parse(text) as string;
  return { html, headings, sections: sections.map((each) => ({ ...each, text: each.text.trim() })) };
}

const inline = new Marked({ gfm: true, async: false });

/** Markdown without blocks, such as a description of a field. */
export const renderInline = (text: string): string => inline.parseInline(text) as string;

export const headingHtml = ({ level, id, text }: Heading, content: string): string =>
  `<h${level} id="${id}">${content}<a class="anchor" href="#${id}" aria-label="Link to “${escapeHtml(text)}”">#</a></h${level}>\n`;

/** GitHub's `> [!WARNING]`. */
function noteHtml(content: string): string {
  const [all = '', kind = ''] =
    /^<p>\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*(<br>)?\s*/.exec(content) ?? [];
  if (all === '') return `<blockquote>${content}</blockquote>`;
  const word = kind.charAt(0) + kind.slice(1).toLowerCase();
  return `<div class="note ${kind.toLowerCase()}"><p class="note-title">${word}</p><p>${content.slice(all.length)}</div>`;
}

function uniqueId(headings: readonly Heading[], text: string): string {
  const wanted = slugOf(text) || 'section';
  let id = wanted;
  for (let number = 2; headings.some((each) => each.id === id); number += 1) id = `${wanted}-${number}`;
  return id;
}

/** Markdown without its marks. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/[`*]|\b_|_\b/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
