import { z } from 'zod';
import { clearable, namedEnum, notGiven, typeNames } from '../../base/kernel/schemas.ts';
import { type BrandFontName, brandFontStacks, defaultBrand } from './brand.rules.ts';

export const brandFont = namedEnum(
  'BrandFont',
  Object.keys(brandFontStacks) as [BrandFontName, ...BrandFontName[]],
);

const color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'Must be a colour such as #22325c')
  .transform((value) => value.toLowerCase());

const logo = z.url({ protocol: /^https?$/, error: 'Must be a http or https address' }).max(2_000);

const line = z
  .string()
  .trim()
  .max(200)
  .refine((value) => !/[\r\n]/.test(value), {
    params: { code: 'custom' },
    message: 'Must not contain a newline',
  });

const text = {
  logoUrl: { description: 'Address of the logo; null for none.', examples: ['https://example.com/logo.png'] },
  primaryColor: { description: 'Colour of buttons and links.', examples: ['#22325c'] },
  textColor: { description: 'Colour of text.', examples: ['#1c1b19'] },
  backgroundColor: { description: 'Colour around the content.', examples: ['#f4f4f2'] },
  address: {
    description: 'Postal address for footers, one line; null for none.',
    examples: ['1 Main Street, London'],
  },
};

/** A change of the brand: absent fields are kept, null gives a field its default. */
export const brandChange = notGiven(
  z.object({
    logoUrl: clearable(logo).meta(text.logoUrl),
    primaryColor: clearable(color).meta(text.primaryColor),
    textColor: clearable(color).meta(text.textColor),
    backgroundColor: clearable(color).meta(text.backgroundColor),
    font: clearable(brandFont).describe('Font of text.'),
    address: clearable(line).meta(text.address),
  }),
).describe(
  'Brand of emails that are designed in the dashboard: absent fields are kept, null gives a field its default.',
);

/** The brand of a project with the defaults filled in. */
export const brand = z
  .object({
    logoUrl: z.string().nullable().meta(text.logoUrl),
    primaryColor: z.string().meta(text.primaryColor),
    textColor: z.string().meta(text.textColor),
    backgroundColor: z.string().meta(text.backgroundColor),
    font: brandFont.describe('Font of text.'),
    address: z.string().nullable().meta(text.address),
  })
  .register(typeNames, { name: 'Brand' });

export type Brand = z.output<typeof brand>;

/** The brand as stored: only what differs from the defaults. */
export const brandOf = (stored: unknown): Brand =>
  brand.parse({ ...defaultBrand, ...(stored as Partial<Brand> | null) });
