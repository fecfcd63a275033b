/** Reads the design that a form holds as text; null for none. */
export function parseDesign(text: string): Record<string, unknown> | null {
  if (text === '') return null;
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

/** A design as the text of a form field. */
export const writeDesign = (design: Record<string, unknown> | null | undefined): string =>
  design ? JSON.stringify(design) : '';
