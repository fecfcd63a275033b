import {
  addressOf,
  alignmentOf,
  colorOf,
  type DesignNode,
  type DesignSettings,
  type MailDesign,
  numberOf,
  socialLinksOf,
  textOf,
} from './design.rules.ts';
import { cleanExpression, escapeText } from './liquid.rules.ts';

interface Compiling {
  settings: DesignSettings;
  /** inside a list item, whose paragraphs have no margin */
  compact: boolean;
  /** at the beginning of what holds it, so that nothing is above it */
  first?: boolean;
  /** Surrounds the HTML of a node, to find it again. */
  mark?: (html: string, node: DesignNode) => string;
}

/** The width of the card in pixels, and of what is inside its padding. */
export const cardWidth = 600;
const innerWidth = 536;

/**
 * The HTML document that a design is sent as. Texts may hold Liquid, which is kept character by character. What the platform
 * adds to an email when it is sent, the preheader and the footer, goes around the card and gets its look from the style sheet.
 *
 * @param subject the subject of the email, a Liquid template, which becomes the title of the document
 * @param language BCP 47
 * @param mark surrounds the HTML of each block and variable
 */
export function compileDesign(
  { settings, content }: MailDesign,
  { subject, language, mark }: { subject: string; language: string } & Pick<Compiling, 'mark'>,
): string {
  const blocks = compileAll(withoutEnd(content.content), { settings, compact: false, ...(mark && { mark }) });
  return `<!DOCTYPE html>
<html lang="${escapeText(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapeText(subject)}</title>
<style>
${styleSheet(settings)}
</style>
</head>
<body class="page" style="margin:0;padding:0;width:100%;background-color:${settings.background};font-family:${fontOf(settings)};-webkit-text-size-adjust:100%">
<table role="presentation" class="outer" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><td class="around" align="center" style="padding:32px 12px">
<table role="presentation" class="card" width="${cardWidth}" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:${cardWidth}px;background-color:${settings.card};border-radius:12px">
<tr><td class="inside" align="left" style="padding:40px 32px 24px">
${blocks}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** Without the empty text that the editor keeps at the end, to type in. */
function withoutEnd(nodes: DesignNode[] = []): DesignNode[] {
  const last = nodes.at(-1);
  const isEmpty = last?.type === 'paragraph' && (last.content ?? []).length === 0;
  return isEmpty ? nodes.slice(0, -1) : nodes;
}

/** Inside an attribute, so with single quotes. */
const fontOf = ({ font }: DesignSettings): string => font.replaceAll('"', "'");

const styleSheet = ({ background }: DesignSettings): string => `.outer ~ hr { display: none }
.outer ~ p { padding-top: 0 !important }
.text a, .text { word-break: break-word }
@media (max-width: 620px) {
.around { padding: 0 0 16px !important }
.card { border-radius: 0 !important }
.inside { padding: 28px 20px 16px !important }
.column { display: block !important; width: 100% !important; padding: 0 0 8px !important; box-sizing: border-box }
h1 { font-size: 26px !important }
.column .fluid { max-width: 100% !important }
}
@media (prefers-color-scheme: dark) {
.page { background-color: ${isLight(background) ? '#131312' : background} !important }
.card { background-color: #1e1e1c !important }
.text { color: #e8e6e1 !important }
.link { color: #a5bbf2 !important }
.line { border-color: #3d3b37 !important }
.quiet { color: #a8a59d !important }
.outer ~ p, .outer ~ p a { color: #a8a59d !important }
}`;

function isLight(color: string): boolean {
  const hex =
    color.length === 4 ? [...color.slice(1)].map((digit) => digit + digit).join('') : color.slice(1);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return red * 0.299 + green * 0.587 + blue * 0.114 > 96;
}

/** The HTML of blocks alone, to be put into another email. */
export const compileBlocks = (nodes: DesignNode[], settings: DesignSettings): string =>
  compileAll(nodes, { settings, compact: false });

const compileAll = (nodes: DesignNode[] | undefined, compiling: Compiling): string =>
  (nodes ?? []).map((node, index) => compileNode(node, { ...compiling, first: index === 0 })).join('\n');

function compileNode(node: DesignNode, compiling: Compiling): string {
  const compile = compilers[node.type ?? ''];
  // A node of a version that is not known here still shows what is inside it.
  const html = compile ? compile(node, compiling) : compileAll(node.content, compiling);
  return compiling.mark ? compiling.mark(html, node) : html;
}

type Compiler = (node: DesignNode, compiling: Compiling) => string;

/** The margin above in pixels, and what follows it. */
const headings: Readonly<Record<number, readonly [above: number, style: string]>> = {
  1: [0, '16px;font-size:30px;line-height:1.25;font-weight:700;letter-spacing:-0.02em'],
  2: [16, '12px;font-size:22px;line-height:1.3;font-weight:700;letter-spacing:-0.01em'],
  3: [12, '8px;font-size:17px;line-height:1.4;font-weight:600'],
};

const compilers: Readonly<Record<string, Compiler>> = {
  paragraph({ attrs, content }, compiling) {
    const small = attrs?.['small'] === true;
    const size = small ? 'font-size:13px;line-height:1.6' : 'font-size:16px;line-height:1.6';
    const margin = compiling.compact ? '0' : small ? '0 0 12px' : '0 0 18px';
    return `<p ${textStyle(attrs, compiling, `margin:${margin};${size}`)}>${inline(content, compiling) || '&nbsp;'}</p>`;
  },
  heading({ attrs, content }, compiling) {
    const level = numberOf(attrs?.['level'], 1, [1, 3]);
    const [above, style] = headings[level] ?? [0, ''];
    const margin = `margin:${compiling.first ? 0 : above}px 0`;
    return `<h${level} ${textStyle(attrs, compiling, `${margin} ${style}`)}>${inline(content, compiling)}</h${level}>`;
  },
  bulletList: list('ul'),
  orderedList: list('ol'),
  listItem: ({ content }, compiling) =>
    `<li style="margin:0 0 6px">${compileAll(content, { ...compiling, compact: true })}</li>`,
  blockquote: ({ content }, compiling) =>
    `<blockquote class="line" style="margin:0 0 18px;padding:4px 0 4px 16px;border-left:3px solid #dedbd3">${compileAll(content, { ...compiling, compact: true })}</blockquote>`,
  horizontalRule: () =>
    '<hr class="line" style="margin:24px 0;border:0;border-top:1px solid #e6e4de;height:0">',
  spacer({ attrs }) {
    const height = numberOf(attrs?.['height'], 24, [4, 200]);
    return `<div style="height:${height}px;line-height:${height}px;font-size:1px">&nbsp;</div>`;
  },
  button({ attrs }, { settings }) {
    const color = colorOf(attrs?.['background'], settings.primary);
    const text = colorOf(attrs?.['color'], '#ffffff');
    const radius = numberOf(attrs?.['radius'], 8, [0, 40]);
    const padding = numberOf(attrs?.['padding'], 14, [6, 30]);
    const link = `<a href="${escapeText(addressOf(attrs?.['href']) || '#')}" style="display:inline-block;padding:${padding}px ${padding * 2}px;color:${text};font-size:16px;line-height:1.25;font-weight:600;text-decoration:none;border-radius:${radius}px">${escapeText(textOf(attrs?.['label']))}</a>`;
    return aligned(
      attrs,
      `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td style="background-color:${color};border-radius:${radius}px">${link}</td></tr></table>`,
      'padding:6px 0 24px',
    );
  },
  image({ attrs }) {
    const src = addressOf(attrs?.['src']);
    if (src === '') return '';
    const width = numberOf(attrs?.['width'], innerWidth, [8, innerWidth]);
    const image = `<img src="${escapeText(src)}" alt="${escapeText(textOf(attrs?.['alt']))}" width="${width}" class="fluid" style="display:block;width:100%;max-width:${width}px;height:auto;border:0;border-radius:${numberOf(attrs?.['radius'], 0, [0, 40])}px">`;
    const href = addressOf(attrs?.['href']);
    const linked = href === '' ? image : `<a href="${escapeText(href)}">${image}</a>`;
    return aligned(attrs, linked, 'padding:0 0 20px', width);
  },
  columns({ content = [] }, compiling) {
    const width = Math.floor(100 / Math.max(1, content.length));
    const cells = content.map(
      (column, index) =>
        `<td class="column" width="${width}%" valign="top" style="width:${width}%;vertical-align:top;padding:0 ${index === content.length - 1 ? 0 : 10}px 0 ${index === 0 ? 0 : 10}px">\n${compileAll(column.content, compiling)}\n</td>`,
    );
    return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>\n${cells.join('\n')}\n</tr></table>`;
  },
  panel({ attrs, content }, compiling) {
    const padding = numberOf(attrs?.['padding'], 20, [0, 60]);
    const color = colorOf(attrs?.['background'], '#f4f4f2');
    // Its colour is the same in dark mode, so its texts keep theirs too.
    const texts = compileAll(content, compiling).replaceAll(
      /class="(text|link|quiet|line)"/g,
      'class="in-panel"',
    );
    return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px"><tr><td style="padding:${padding}px ${padding}px ${Math.max(0, padding - 14)}px;background-color:${color};border-radius:8px">\n${texts}\n</td></tr></table>`;
  },
  social({ attrs }, { settings }) {
    const links = socialLinksOf(attrs?.['links'])
      .filter(({ href }) => addressOf(href) !== '')
      .map(
        ({ network, href }) =>
          `<a class="link" href="${escapeText(addressOf(href))}" style="color:${settings.primary};font-size:14px;line-height:2;font-weight:600;text-decoration:none">${escapeText(network)}</a>`,
      );
    return links.length === 0
      ? ''
      : aligned(
          attrs,
          links.join('<span style="padding:0 8px;color:#b5b1a7">·</span>'),
          'padding:4px 0 16px',
        );
  },
  // Written by hand, so it is kept as it is.
  html: ({ attrs }) => textOf(attrs?.['html']),
  condition({ attrs, content }, compiling) {
    const test = cleanExpression(textOf(attrs?.['test']));
    const inside = compileAll(content, compiling);
    return test === '' ? inside : `{% if ${test} %}\n${inside}\n{% endif %}`;
  },
};

function list(tag: 'ul' | 'ol'): Compiler {
  return ({ attrs, content }, compiling) =>
    `<${tag} ${textStyle(attrs, compiling, `margin:0 0 18px;padding:0 0 0 24px;font-size:16px;line-height:1.6`)}>${compileAll(content, compiling)}</${tag}>`;
}

/** The colour of small texts, which has a counterpart in dark mode. */
const quiet = '#6c6962';

/** The class and the style of a text. A colour of its own is the same in dark mode. */
function textStyle(attrs: DesignNode['attrs'], { settings }: Compiling, style: string): string {
  const own = colorOf(attrs?.['color'], null);
  const align = alignmentOf(attrs?.['align']);
  const isQuiet = own === quiet || (own === null && attrs?.['small'] === true);
  const parts = [
    style,
    `color:${isQuiet ? quiet : (own ?? settings.text)}`,
    ...(align === 'left' ? [] : [`text-align:${align}`]),
  ];
  return `class="${isQuiet ? 'quiet' : own === null ? 'text' : 'own'}" style="${parts.join(';')}"`;
}

/** Mail programs align blocks by tables. */
function aligned(attrs: DesignNode['attrs'], html: string, style: string, width?: number): string {
  const align = alignmentOf(attrs?.['align']);
  const inside =
    width === undefined
      ? html
      : `<table role="presentation" class="fluid" width="${width}" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:${width}px"><tr><td>${html}</td></tr></table>`;
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="${align}" style="${style}">${inside}</td></tr></table>`;
}

const inline = (nodes: DesignNode[] | undefined, compiling: Compiling): string =>
  (nodes ?? []).map((node) => compileInline(node, compiling)).join('');

function compileInline(node: DesignNode, compiling: Compiling): string {
  const text = inlineText(node);
  const html = compiling.mark && node.type === 'variable' ? compiling.mark(text, node) : text;
  return (node.marks ?? []).reduce((inside, mark) => {
    const compile = markCompilers[mark.type];
    return compile ? compile(inside, mark.attrs ?? {}, compiling) : inside;
  }, html);
}

function inlineText(node: DesignNode): string {
  if (node.type === 'hardBreak') return '<br>';
  if (node.type !== 'variable') return escapeText(node.text ?? '');
  const expression = cleanExpression(textOf(node.attrs?.['expression']));
  return expression === '' ? '' : `{{${expression}}}`;
}

const markCompilers: Readonly<
  Record<string, (inside: string, attrs: Record<string, unknown>, compiling: Compiling) => string>
> = {
  bold: (inside) => `<strong>${inside}</strong>`,
  italic: (inside) => `<em>${inside}</em>`,
  underline: (inside) => `<u>${inside}</u>`,
  strike: (inside) => `<s>${inside}</s>`,
  code: (inside) => `<code style="font-family:Menlo,Consolas,monospace;font-size:14px">${inside}</code>`,
  link(inside, { href }, { settings }) {
    const address = addressOf(href);
    return address === ''
      ? inside
      : `<a class="link" href="${escapeText(address)}" style="color:${settings.primary};text-decoration:underline">${inside}</a>`;
  },
};
