import type { Services } from '@postrider/core/base/kernel';
import { isUpload } from '@postrider/core/content/uploads';
import { contrast, leastContrast, type ShownProject } from '@postrider/core/people/projects/contract';

/** What a page shows of the project that it belongs to. */
export interface Look {
  projectName: string;
  logoUrl: string | null;
  address: string | null;
  privacyUrl: string | null;
  /** rules of CSS for the colours of the brand; empty where they are those of every page */
  colors: string;
}

export const lookOf = (
  services: Pick<Services, 'files' | 'config'>,
  { name, brand, privacyUrl }: ShownProject,
): Look => ({
  projectName: name,
  // The logo of another server would tell it who reads the page.
  logoUrl: brand.logoUrl !== null && isUpload(services, brand.logoUrl) ? brand.logoUrl : null,
  address: brand.address,
  privacyUrl,
  colors: colorsOf(brand),
});

/** The colours of all pages that others stand on, or are read on; as in `style.ts`. */
const light = { surface: '#ffffff', paper: '#f8f7f4', calm: '#efeeea', soft: '#55524c' };
const dark = { surface: '#1a1a18', paper: '#131312' };

/** Whether a colour is readable with each of the others; one that is no `#rrggbb` is not. */
const isReadable = (color: string, ...others: readonly string[]): boolean =>
  others.every((other) => contrast(color, other) >= leastContrast);

/** The colours of a brand that can be read where they would stand; the page keeps its own for the others. */
export function colorsOf({ primaryColor, textColor, backgroundColor }: ShownProject['brand']): string {
  const hasPaper = isReadable(backgroundColor, light.soft);
  const paper = hasPaper ? backgroundColor : light.paper;
  const inLight = [
    hasPaper && `--paper:${backgroundColor}`,
    isReadable(textColor, light.surface, light.calm, paper) && `--ink:${textColor}`,
    isReadable(primaryColor, light.surface) && `--accent:${primaryColor};--on-accent:#fff`,
    isReadable(primaryColor, light.surface, paper) && `--link:${primaryColor}`,
  ];
  const inDark = [
    isReadable(primaryColor, dark.surface) && `--accent:${primaryColor};--on-accent:${dark.surface}`,
    isReadable(primaryColor, dark.surface, dark.paper) && `--link:${primaryColor}`,
  ];
  return [
    blockOf('@media (prefers-color-scheme: light)', inLight),
    blockOf('@media (prefers-color-scheme: dark)', inDark),
  ].join('');
}

function blockOf(media: string, rules: readonly (string | false)[]): string {
  const kept = rules.filter((rule) => rule !== false);
  return kept.length === 0 ? '' : `${media}{:root{${kept.join(';')}}}`;
}
