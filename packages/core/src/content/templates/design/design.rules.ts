import { defaultBrand } from '../../../people/projects/brand.rules.ts';

/** A node of the document: the JSON of ProseMirror. */
export interface DesignNode {
  type?: string;
  attrs?: Record<string, unknown>;
  content?: DesignNode[];
  marks?: { type: string; attrs?: Record<string, unknown> }[];
  text?: string;
}

/** What applies to the whole email. */
export interface DesignSettings {
  /** colour around the card */
  background: string;
  /** colour of the card */
  card: string;
  text: string;
  /** colour of buttons and links */
  primary: string;
  /** a CSS font stack */
  font: string;
  /** of the corners of the card, in pixels */
  radius: number;
}

/** What the visual editor stores as the `design` of a template or campaign. */
export interface MailDesign {
  version: 1;
  settings: DesignSettings;
  content: DesignNode;
}

export const designVersion = 1;

/** The corners of the card, in pixels. */
export const cardRadius = 12;
export const cardRadiusLimits = [0, 40] as const;

/** The width of the card in pixels, and of what is inside its padding. */
export const cardWidth = 600;
export const innerWidth = 536;

/** A stored design; null if another program or a newer version wrote it. */
export function readDesign(value: unknown): MailDesign | null {
  if (!isObject(value) || value['version'] !== designVersion) return null;
  const { content, settings } = value;
  if (!isObject(content) || content['type'] !== 'doc') return null;
  return { version: designVersion, settings: readSettings(settings), content };
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fallback: DesignSettings = {
  background: defaultBrand.backgroundColor,
  card: '#ffffff',
  text: defaultBrand.textColor,
  primary: defaultBrand.primaryColor,
  font: '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, Helvetica, Arial, sans-serif',
  radius: cardRadius,
};

function readSettings(value: unknown): DesignSettings {
  const given = isObject(value) ? value : {};
  return {
    background: colorOf(given['background'], fallback.background),
    card: colorOf(given['card'], fallback.card),
    text: colorOf(given['text'], fallback.text),
    primary: colorOf(given['primary'], fallback.primary),
    font:
      typeof given['font'] === 'string' && /^[\w\s",'-]+$/.test(given['font'])
        ? given['font']
        : fallback.font,
    radius: numberOf(given['radius'], fallback.radius, cardRadiusLimits),
  };
}

/** A colour such as `#22325c`, so that a design can put nothing else into a style. */
export const colorOf = <Fallback>(value: unknown, otherwise: Fallback): string | Fallback =>
  typeof value === 'string' && /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value) ? value : otherwise;

/** A whole number within limits. */
export function numberOf(value: unknown, otherwise: number, [min, max]: readonly [number, number]): number {
  const number = Number(value);
  return value === null || value === '' || !Number.isFinite(number)
    ? otherwise
    : Math.min(max, Math.max(min, Math.round(number)));
}

export const alignments = ['left', 'center', 'right'] as const;
export type Alignment = (typeof alignments)[number];

export const alignmentOf = (value: unknown): Alignment =>
  alignments.find((alignment) => alignment === value) ?? 'left';

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * The address of a link or image as it is written into the email: what lacks a scheme gets https, and a scheme that mail
 * programs do not open is removed. An address may begin with a variable.
 */
export function addressOf(value: unknown): string {
  const text = textOf(value).trim();
  if (text === '' || /^(https?:|mailto:|tel:|#|\{\{|\{%)/i.test(text)) return text;
  return /^[a-z][a-z0-9+.-]*:/i.test(text) ? '' : `https://${text.replace(/^\/+/, '')}`;
}

/** The networks that a row of social links offers, with the start of their addresses. */
export const socialNetworks = {
  LinkedIn: 'https://www.linkedin.com/company/',
  X: 'https://x.com/',
  Instagram: 'https://www.instagram.com/',
  Facebook: 'https://www.facebook.com/',
  YouTube: 'https://www.youtube.com/@',
  GitHub: 'https://github.com/',
  TikTok: 'https://www.tiktok.com/@',
  Website: 'https://',
} as const;

export interface SocialLink {
  network: string;
  href: string;
}

export const socialLinksOf = (value: unknown): SocialLink[] =>
  Array.isArray(value)
    ? value.flatMap((link: unknown) =>
        isObject(link) ? [{ network: textOf(link['network']), href: textOf(link['href']) }] : [],
      )
    : [];
