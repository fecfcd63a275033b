import type { BlockDefinition } from './blocks/block.rules.ts';
import { blockDefinition } from './blocks/blocks.rules.ts';
import { boxAttribute, boxHtml, readBox } from './box.rules.ts';
import {
  addressOf,
  alignmentOf,
  cardWidth,
  colorOf,
  type DesignNode,
  type DesignSettings,
  innerWidth,
  type MailDesign,
  numberOf,
} from './design.rules.ts';
import { escapeText } from './liquid.rules.ts';
import { initialLook, lookOf, lookStyle, sizeClass, type TextLook } from './text-look.rules.ts';

interface Compiling {
  settings: DesignSettings;
  /** the space that there is, in pixels */
  width: number;
  /** inside a list item, whose paragraphs have no margin */
  compact: boolean;
  /** inside a list, what its texts have until they get their own */
  list?: { look: TextLook; color: string | null };
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
  const blocks = compileAll(withoutEnd(content.content), {
    ...outermost(settings),
    ...(mark && { mark }),
  });
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
<!--[if mso]><xml><o:OfficeDocumentSettings xmlns:o="urn:schemas-microsoft-com:office:office"><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><![endif]-->
<style>
${styleSheet(settings)}
</style>
</head>
<body class="page" style="margin:0;padding:0;width:100%;background-color:${settings.background};font-family:${fontOf(settings)};-webkit-text-size-adjust:100%">
<table role="presentation" class="outer" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><td class="around" align="center" style="padding:32px 12px">
<!--[if mso]><table role="presentation" align="center" width="${cardWidth}" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" class="card" width="${cardWidth}" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:${cardWidth}px;background-color:${settings.card};border-radius:${settings.radius}px">
<tr><td class="inside" align="left" style="padding:40px 32px 24px">
${blocks}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`;
}

/** Where nothing is around the blocks but the card. */
const outermost = (settings: DesignSettings): Compiling => ({ settings, width: innerWidth, compact: false });

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
.column { display: block !important; width: 100% !important; box-sizing: border-box }
.bare { padding: 0 0 8px !important }
.gap { display: none !important }
.no-phone { display: none !important }
.large { font-size: 26px !important }
.huge { font-size: 34px !important }
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
  compileAll(nodes, outermost(settings));

const compileAll = (nodes: readonly DesignNode[] | undefined, compiling: Compiling): string =>
  (nodes ?? []).map((node, index) => compileNode(node, { ...compiling, first: index === 0 })).join('\n');

function compileNode(node: DesignNode, compiling: Compiling): string {
  const html = boxed(node, compiling);
  return compiling.mark ? compiling.mark(html, node) : html;
}

/** A block with its box. What is inside a list or quote has none. */
function boxed(node: DesignNode, compiling: Compiling): string {
  if (compiling.compact) return blockHtml(node, compiling);
  const box = readBox(node.type, node.attrs?.[boxAttribute]);
  const width = Math.max(0, compiling.width - 2 * box.sides);
  return boxHtml(box, blockHtml(node, { ...compiling, width }));
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
    width: compiling.width,
    compileAll: (nodes, width = compiling.width) => compileAll(nodes, { ...compiling, width }),
  });

type Compiler = (node: DesignNode, compiling: Compiling) => string;

/** The margin above in pixels, that below, and what follows it. */
const headings: Readonly<Record<number, readonly [above: number, below: number, style: string]>> = {
  1: [0, 16, 'font-weight:700;letter-spacing:-0.02em'],
  2: [16, 12, 'font-weight:700;letter-spacing:-0.01em'],
  3: [12, 8, 'font-weight:600'],
};

/** The nodes of the editor's own kit. */
const compilers: Readonly<Record<string, Compiler>> = {
  paragraph({ type, attrs, content }, compiling) {
    const small = attrs?.['small'] === true;
    const look = lookOf(attrs, compiling.list?.look ?? initialLook(type, attrs));
    const margin = compiling.compact ? '0' : small ? '0 0 12px' : '0 0 18px';
    const style = `margin:${margin};${lookStyle(look)}`;
    return `<p ${textStyle(attrs, compiling, { style, look })}>${inline(content, compiling) || '&nbsp;'}</p>`;
  },
  heading({ type, attrs, content }, compiling) {
    const level = numberOf(attrs?.['level'], 1, [1, 3]);
    const look = lookOf(attrs, initialLook(type, attrs));
    const [above, below, weight] = headings[level] ?? [0, 0, ''];
    const style = `margin:${compiling.first ? 0 : above}px 0 ${below}px;${lookStyle(look)};${weight}`;
    return `<h${level} ${textStyle(attrs, compiling, { style, look })}>${inline(content, compiling)}</h${level}>`;
  },
  bulletList: list('ul'),
  orderedList: list('ol'),
  listItem: ({ content }, compiling) =>
    `<li style="margin:0 0 6px">${compileAll(content, { ...compiling, compact: true })}</li>`,
  blockquote: ({ content }, compiling) =>
    `<blockquote class="line" style="margin:0 0 18px;padding:4px 0 4px 16px;border-left:3px solid #dedbd3">${compileAll(content, { ...compiling, compact: true })}</blockquote>`,
  horizontalRule({ attrs }) {
    const own = colorOf(attrs?.['color'], null);
    const thickness = numberOf(attrs?.['thickness'], 1, thicknessLimits);
    return `<hr class="${own === null ? 'line' : 'own'}" style="margin:24px 0;border:0;border-top:${thickness}px solid ${own ?? lineColor};height:0">`;
  },
};

/** Of a divider: its colour until it has its own, and how thick it can be, in pixels. */
export const lineColor = '#e6e4de';
export const thicknessLimits = [1, 12] as const;

function list(tag: 'ul' | 'ol'): Compiler {
  return ({ type, attrs, content }, compiling) => {
    const look = lookOf(attrs, compiling.list?.look ?? initialLook(type, attrs));
    const style = `margin:0 0 18px;padding:0 0 0 24px;${lookStyle(look)}`;
    const color = colorOf(attrs?.['color'], compiling.list?.color ?? null);
    const items = compileAll(content, { ...compiling, list: { look, color } });
    return `<${tag} ${textStyle(attrs, compiling, { style, look })}>${items}</${tag}>`;
  };
}

/** The colour of small texts, which has a counterpart in dark mode. */
const quiet = '#6c6962';

/** The class and the style of a text. A colour of its own is the same in dark mode. */
function textStyle(
  attrs: DesignNode['attrs'],
  { settings, list: around }: Compiling,
  { style, look }: { style: string; look: TextLook },
): string {
  const own = colorOf(attrs?.['color'], around?.color ?? null);
  const align = alignmentOf(attrs?.['align']);
  const isQuiet = own === quiet || (own === null && attrs?.['small'] === true);
  const parts = [
    style,
    `color:${isQuiet ? quiet : (own ?? settings.text)}`,
    ...(align === 'left' ? [] : [`text-align:${align}`]),
  ];
  const names = [isQuiet ? 'quiet' : own === null ? 'text' : 'own', sizeClass(look)].filter(Boolean);
  return `class="${names.join(' ')}" style="${parts.join(';')}"`;
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
