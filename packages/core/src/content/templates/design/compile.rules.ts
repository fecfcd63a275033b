import type { BlockDefinition } from './blocks/block.rules.ts';
import { blockDefinition } from './blocks/blocks.rules.ts';
import {
  addressOf,
  alignmentOf,
  cardWidth,
  colorOf,
  type DesignNode,
  type DesignSettings,
  type MailDesign,
  numberOf,
} from './design.rules.ts';
import { escapeText } from './liquid.rules.ts';

interface Compiling {
  settings: DesignSettings;
  /** inside a list item, whose paragraphs have no margin */
  compact: boolean;
  /** at the beginning of what holds it, so that nothing is above it */
  first?: boolean;
  /** Surrounds the HTML of a node, to find it again. */
  mark?: (html: string, node: DesignNode) => string;
}

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

const compileAll = (nodes: readonly DesignNode[] | undefined, compiling: Compiling): string =>
  (nodes ?? []).map((node, index) => compileNode(node, { ...compiling, first: index === 0 })).join('\n');

function compileNode(node: DesignNode, compiling: Compiling): string {
  const html = blockHtml(node, compiling);
  return compiling.mark ? compiling.mark(html, node) : html;
}

function blockHtml(node: DesignNode, compiling: Compiling): string {
  const block = blockDefinition(node.type);
  if (block && !block.inline) return compileBlock(block, node, compiling);
  const compile = compilers[node.type ?? ''];
  // A node of a version that is not known here still shows what is inside it.
  return compile ? compile(node, compiling) : compileAll(node.content, compiling);
}

const compileBlock = (block: BlockDefinition, { attrs, content = [] }: DesignNode, compiling: Compiling) =>
  block.compile(block.read(attrs), {
    settings: compiling.settings,
    content,
    compileAll: (nodes) => compileAll(nodes, compiling),
  });

type Compiler = (node: DesignNode, compiling: Compiling) => string;

/** The margin above in pixels, and what follows it. */
const headings: Readonly<Record<number, readonly [above: number, style: string]>> = {
  1: [0, '16px;font-size:30px;line-height:1.25;font-weight:700;letter-spacing:-0.02em'],
  2: [16, '12px;font-size:22px;line-height:1.3;font-weight:700;letter-spacing:-0.01em'],
  3: [12, '8px;font-size:17px;line-height:1.4;font-weight:600'],
};

/** The nodes of the editor's own kit. */
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

const inline = (nodes: DesignNode[] | undefined, compiling: Compiling): string =>
  (nodes ?? []).map((node) => compileInline(node, compiling)).join('');

function compileInline(node: DesignNode, compiling: Compiling): string {
  const html = inlineHtml(node, compiling);
  return (node.marks ?? []).reduce((inside, mark) => {
    const compile = markCompilers[mark.type];
    return compile ? compile(inside, mark.attrs ?? {}, compiling) : inside;
  }, html);
}

function inlineHtml(node: DesignNode, compiling: Compiling): string {
  if (node.type === 'hardBreak') return '<br>';
  const block = blockDefinition(node.type);
  if (!block?.inline) return escapeText(node.text ?? '');
  const html = compileBlock(block, node, compiling);
  return compiling.mark ? compiling.mark(html, node) : html;
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
