/** Fonts that mail programs have, and what they fall back to. Web fonts are not loaded by most of them. */
export const brandFontStacks = {
  ARIAL: 'Arial, Helvetica, sans-serif',
  HELVETICA: '"Helvetica Neue", Helvetica, Arial, sans-serif',
  SYSTEM: '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, Helvetica, Arial, sans-serif',
  VERDANA: 'Verdana, Geneva, sans-serif',
  TAHOMA: 'Tahoma, Verdana, sans-serif',
  TREBUCHET: '"Trebuchet MS", Tahoma, sans-serif',
  GEORGIA: 'Georgia, "Times New Roman", serif',
  TIMES: '"Times New Roman", Times, serif',
  COURIER: '"Courier New", Courier, monospace',
} as const;

export type BrandFontName = keyof typeof brandFontStacks;

/** What applies until a project chooses otherwise. */
export const defaultBrand = {
  logoUrl: null,
  primaryColor: '#22325c',
  textColor: '#1c1b19',
  backgroundColor: '#f4f4f2',
  font: 'SYSTEM',
  address: null,
} as const;
