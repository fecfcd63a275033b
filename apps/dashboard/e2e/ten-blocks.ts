import { type DesignNode, defaultDesign, type MailDesign } from '@postrider/core/content/templates/contract';
import { defaultBrand } from '@postrider/core/people/projects/contract';

const text = (value: string, marks: DesignNode['marks'] = []): DesignNode => ({
  type: 'text',
  text: value,
  marks,
});
const paragraph = (...content: DesignNode[]): DesignNode => ({ type: 'paragraph', content });
const heading = (level: number, ...content: DesignNode[]): DesignNode => ({
  type: 'heading',
  attrs: { level },
  content,
});
const item = (value: string): DesignNode => ({ type: 'listItem', content: [paragraph(text(value))] });
const image = (name: string, alt: string, width: number): DesignNode => ({
  type: 'image',
  attrs: { src: `${pictures}${name}.svg`, alt, width, radius: 8 },
});
const column = (title: string, value: string): DesignNode => ({
  type: 'column',
  content: [image(title.toLowerCase(), title, 248), heading(3, text(title)), paragraph(text(value))],
});

/** Where the pictures of the email are; who shows it answers for this address. */
export const pictures = 'https://pictures.postrider.dev/';

/** An email with every kind of block: more than ten, with words as long as they come. */
export const tenBlocks: MailDesign = {
  ...defaultDesign({ name: 'Garden', brand: defaultBrand }),
  content: {
    type: 'doc',
    content: [
      image('garden', 'Garden', 120),
      { type: 'spacer', attrs: { height: 16 } },
      heading(1, text('Spring is here, '), { type: 'variable', attrs: { expression: 'name ?? "friend"' } }),
      paragraph(
        text('The beds are free of frost. This is '),
        text('the best week', [{ type: 'bold' }]),
        text(' to sow lettuce, peas and spinach, and our '),
        text('calendar for the garden', [
          { type: 'link', attrs: { href: 'https://garden.postrider.dev/calendar' } },
        ]),
        text(' says when the others follow.'),
      ),
      { type: 'button', attrs: { label: 'See the calendar', href: 'https://garden.postrider.dev/calendar' } },
      {
        type: 'button',
        attrs: { label: 'Visit us', href: 'https://garden.postrider.dev', wide: true, size: 18 },
      },
      image('beds', 'Three raised beds with young plants', 536),
      heading(2, text('New in the shop')),
      {
        type: 'columns',
        content: [
          column('Seeds', 'Forty old kinds of vegetables, for open ground.'),
          column('Tools', 'Forged by hand, with handles of ash.'),
        ],
      },
      {
        type: 'columns',
        attrs: { widths: [1, 2], gap: 24, stack: 'reverse', valign: 'middle' },
        content: [
          { ...column('Compost', 'Ready in a year.'), attrs: { background: '#f3efe4', padding: 16 } },
          column('Books', 'What to sow, and when, with pictures of every plant.'),
        ],
      },
      { type: 'horizontalRule', attrs: { color: '#3f7d4e', thickness: 3 } },
      {
        ...heading(2, text('Three steps to a good bed')),
        attrs: { level: 2, size: 48, lineHeight: 110, align: 'center' },
      },
      {
        ...paragraph(text('Only computers show this.')),
        attrs: { size: 14, box: { ground: '#dbe8d3', above: 18, below: 0, sides: 24, noPhone: true } },
      },
      {
        type: 'orderedList',
        content: [item('Loosen the soil.'), item('Add compost.'), item('Sow, and water.')],
      },
      { type: 'bulletList', content: [item('Rake'), item('Spade')] },
      {
        type: 'blockquote',
        content: [paragraph(text('A garden is never finished.', [{ type: 'italic' }]))],
      },
      {
        type: 'panel',
        attrs: { background: '#eef3ea', padding: 24 },
        content: [
          heading(3, text('Free delivery until Sunday')),
          paragraph(text('With the code '), text('SPRING', [{ type: 'bold' }]), text(' at the checkout.')),
        ],
      },
      {
        type: 'condition',
        attrs: { test: 'plan == "club"' },
        content: [paragraph(text('As a member of the club you also get ten per cent off.'))],
      },
      { type: 'html', attrs: { html: '<p style="margin:0 0 18px;font-size:13px">Order number 2026-04</p>' } },
      paragraph(text(`https://garden.postrider.dev/${'a-very-long-address/'.repeat(5)}`)),
      {
        type: 'social',
        attrs: {
          align: 'center',
          links: [
            { network: 'Instagram', href: 'https://www.instagram.com/garden' },
            { network: 'YouTube', href: 'https://www.youtube.com/@garden' },
            { network: 'Website', href: 'https://garden.postrider.dev' },
          ],
        },
      },
      {
        type: 'paragraph',
        attrs: { small: true, align: 'center', color: '#6c6962' },
        content: [text('Garden, 1 Orchard Lane, Bristol')],
      },
    ],
  },
};

/** A picture of the size that its name is shown in. */
export const pictureSvg = (url: string): string => {
  const isLogo = url.includes('/garden.');
  const [width, height] = isLogo ? [240, 60] : [1072, 560];
  const drawing = isLogo
    ? '<circle cx="30" cy="30" r="24" fill="#3f7d4e"/><text x="68" y="42" font-family="sans-serif" font-size="34" font-weight="700" fill="#3f7d4e">Garden</text>'
    : '<rect width="1072" height="560" fill="#dbe8d3"/><path d="M0 400 Q268 260 536 380 T1072 340 V560 H0 Z" fill="#7fae7a"/><circle cx="850" cy="140" r="70" fill="#f2c14e"/>';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${drawing}</svg>`;
};
