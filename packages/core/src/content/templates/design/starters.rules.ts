import { brandedDesign, defaultBlocks, type Look } from './default-design.rules.ts';
import { type DesignNode, type MailDesign, socialNetworks } from './design.rules.ts';

/** A design that a new email can begin with, in the look of its project. */
interface Starter {
  /** its displayed name */
  name: string;
  /** what it is for, in one sentence */
  description: string;
  blocks: readonly DesignNode[];
}

const text = (value: string, ...marks: string[]): DesignNode => ({
  type: 'text',
  text: value,
  ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
});
const variable = (expression: string): DesignNode => ({ type: 'variable', attrs: { expression } });
const heading = (level: number, value: string, attrs: DesignNode['attrs'] = {}): DesignNode => ({
  type: 'heading',
  attrs: { level, ...attrs },
  content: [text(value)],
});
const paragraph = (value: string, attrs: DesignNode['attrs'] = {}): DesignNode => ({
  type: 'paragraph',
  attrs,
  content: [text(value)],
});
const greeting: DesignNode = {
  type: 'paragraph',
  content: [text('Hello '), variable('firstName ?? there'), text(',')],
};
const button = (label: string, attrs: DesignNode['attrs'] = {}): DesignNode => ({
  type: 'button',
  attrs: { label, ...attrs },
});
const image: DesignNode = { type: 'image', attrs: { radius: 8 } };
const divider: DesignNode = { type: 'horizontalRule' };
const social: DesignNode = {
  type: 'social',
  attrs: {
    align: 'center',
    links: [
      { network: 'LinkedIn', href: socialNetworks.LinkedIn },
      { network: 'X', href: socialNetworks.X },
    ],
  },
};
const columns = (attrs: DesignNode['attrs'], ...contents: DesignNode[][]): DesignNode => ({
  type: 'columns',
  attrs,
  content: contents.map((content) => ({ type: 'column', content })),
});
const article = (title: string): DesignNode[] => [
  image,
  heading(3, title),
  paragraph('Two or three sentences that make readers want the rest.'),
  button('Read on', { size: 14, padding: 10 }),
];
const news = (title: string): DesignNode =>
  columns(
    { widths: [1, 2], gap: 24 },
    [image],
    [heading(3, title), paragraph('What has changed, and what it is good for.')],
  );

/** The gallery of the visual editor, in its order. */
export const starters = {
  plain: {
    name: 'Plain',
    description: 'A greeting, a text and a button.',
    blocks: defaultBlocks,
  },
  newsletter: {
    name: 'Newsletter',
    description: 'An introduction, two articles side by side, and links to your networks.',
    blocks: [
      heading(1, 'News of the month'),
      greeting,
      paragraph('Say in one paragraph what this letter is about.'),
      columns({ gap: 24 }, article('The first story'), article('The second story')),
      divider,
      heading(2, 'In short'),
      {
        type: 'bulletList',
        content: ['A date to remember', 'Something worth reading'].map((value) => ({
          type: 'listItem',
          content: [paragraph(value)],
        })),
      },
      social,
    ],
  },
  announcement: {
    name: 'Announcement',
    description: 'One message with a picture and one large button.',
    blocks: [
      heading(1, 'It is here', { align: 'center', size: 40 }),
      paragraph('One sentence that says what is new and whom it helps.', { align: 'center', size: 18 }),
      image,
      paragraph('Explain it in a few lines. What can readers do now that they could not do before?'),
      button('Try it', { wide: true, size: 18, padding: 16 }),
    ],
  },
  update: {
    name: 'Product update',
    description: 'Several changes, each with a small picture beside it.',
    blocks: [
      heading(1, 'What is new'),
      greeting,
      paragraph('This is what we have worked on lately.'),
      news('The largest change'),
      news('A smaller one'),
      news('One that many have asked for'),
      button('See everything'),
    ],
  },
  offer: {
    name: 'Offer',
    description: 'A discount on a coloured ground, with its conditions in small print.',
    blocks: [
      {
        type: 'panel',
        attrs: { background: '#fdf0d5', padding: 36 },
        content: [
          heading(1, '20% off', { align: 'center', size: 52, color: '#7d3c00' }),
          paragraph('On everything, until Sunday.', { align: 'center', size: 18, color: '#5c3a12' }),
          button('Use the offer', { align: 'center', background: '#7d3c00' }),
        ],
      },
      paragraph('Say what it is good for, and how it is used.'),
      paragraph('One use per person. Not together with other offers.', { small: true }),
    ],
  },
  event: {
    name: 'Invitation',
    description: 'An event with its time and place.',
    blocks: [
      heading(1, 'You are invited'),
      greeting,
      paragraph('Say what happens and why it is worth coming.'),
      {
        type: 'panel',
        content: [heading(3, 'When'), paragraph('Day and time'), heading(3, 'Where'), paragraph('Place')],
      },
      button('Save my seat'),
    ],
  },
  letter: {
    name: 'Letter',
    description: 'Words only, as one person writes to another.',
    blocks: [
      greeting,
      paragraph('Write as you would to one person.'),
      paragraph('Ask one question, and say that you read the replies.'),
      paragraph('Yours,'),
      { type: 'paragraph', content: [text('Your name', 'bold')] },
    ],
  },
} satisfies Record<string, Starter>;

export type StarterName = keyof typeof starters;

/** The design of a starter in the look of a project. */
export const starterDesign = (name: StarterName, project: Look): MailDesign =>
  brandedDesign(project, starters[name].blocks);
