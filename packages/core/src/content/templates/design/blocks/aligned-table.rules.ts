import type { Alignment } from '../design.rules.ts';

/** Mail programs align blocks by tables. */
export function alignedTable(align: Alignment, html: string, style: string, width?: number): string {
  const inside =
    width === undefined
      ? html
      : `<table role="presentation" class="fluid" width="${width}" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:${width}px"><tr><td>${html}</td></tr></table>`;
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="${align}" style="${style}">${inside}</td></tr></table>`;
}
