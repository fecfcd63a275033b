import { z } from 'zod';
import { clearable, notGiven, requiredName, typeNames } from '../../base/kernel/schemas.ts';
import { toHostName } from '../../base/lib/host-name.rules.ts';

/** Which links of email get tags, and which (behaviour B13.8). */

export const mostTaggedHosts = 20;

const host = z
  .string()
  .trim()
  .max(255)
  .transform((value, ctx) => {
    const name = toHostName(value);
    if (name !== null) return name;
    ctx.addIssue({
      code: 'custom',
      params: { code: 'invalid_string' },
      message: 'Must be a host name such as shop.example.com, without scheme, port or trailing dot',
      input: value,
    });
    return z.NEVER;
  });

const tag = requiredName(100);

const words = {
  enabled: {
    description: 'Whether links are tagged in campaigns and workflows; a campaign can say otherwise.',
    examples: [true],
  },
  source: { description: 'Value of `utm_source`, 1 to 100 characters.', examples: ['postrider'] },
  medium: { description: 'Value of `utm_medium`, 1 to 100 characters.', examples: ['email'] },
  hosts: {
    description: 'Hosts whose links are tagged, with their subdomains; 1 to 20 where it is enabled.',
    examples: [['example.com']],
  },
};

/** Which links a project has tagged, with the defaults filled in. */
export const linkTagging = z
  .object({
    enabled: z.boolean().meta(words.enabled),
    source: z.string().meta(words.source),
    medium: z.string().meta(words.medium),
    hosts: z.array(z.string()).meta(words.hosts),
  })
  .register(typeNames, { name: 'LinkTagging' });

export type LinkTagging = z.output<typeof linkTagging>;

export const defaultLinkTagging: LinkTagging = {
  enabled: false,
  source: 'postrider',
  medium: 'email',
  hosts: [],
};

/** As stored: what was set at some time. */
export const linkTaggingOf = (stored: unknown): LinkTagging =>
  linkTagging.parse({ ...defaultLinkTagging, ...(stored as Partial<LinkTagging> | null) });

/** A change: absent fields are kept, null gives a field its default. */
export const linkTaggingChange = notGiven(
  z.object({
    enabled: clearable(z.boolean()).meta(words.enabled),
    source: clearable(tag).meta(words.source),
    medium: clearable(tag).meta(words.medium),
    hosts: clearable(
      z
        .array(host)
        .max(mostTaggedHosts)
        .transform((hosts) => [...new Set(hosts)]),
    ).meta(words.hosts),
  }),
).describe(
  'Tags for web analytics in the links of campaigns and workflows: absent fields are kept, null gives a field its default.',
);

export type LinkTaggingChange = NonNullable<z.output<typeof linkTaggingChange>>;
