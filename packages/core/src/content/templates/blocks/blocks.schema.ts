import { z } from 'zod';
import {
  cursorListOf,
  cursorQuery,
  isoDate,
  notGiven,
  optionalText,
  recordId,
  requiredName,
  requiredText,
  typeNames,
  uuid,
} from '../../../base/kernel/schemas.ts';
import { designInput, storedDesign } from '../design.schema.ts';

export const blockNameLimit = 100;
export const blockBodyLimit = 100_000;

const name = requiredName(blockNameLimit);
const nameText = { description: 'Name of the block, 1 to 100 characters.', examples: ['Opening hours'] };

const body = requiredText(blockBodyLimit);
const bodyText = {
  description: 'HTML, 1 to 100,000 characters; a Liquid template that is complete by itself.',
  examples: ['<p>We are open from 9 to 5.</p>'],
};

export const createBlockInput = z.object({
  name: name.meta(nameText),
  body: body.meta(bodyText),
  design: designInput,
});

/** Any subset of the fields: absent fields are kept. */
export const updateBlockInput = z.object({
  id: uuid.describe('Id of the block.'),
  name: notGiven(name).meta(nameText),
  body: notGiven(body).meta(bodyText),
  design: designInput,
});

export const blockIdInput = z.object({ id: uuid.describe('Id of the block.') });

export const listBlocksInput = z.object({
  ...cursorQuery,
  search: optionalText(100).meta({
    description: 'Part of the name, in any case. At most 100 characters.',
    examples: ['hours'],
  }),
});

/** A part of an email that is kept to be inserted into others. */
export const savedBlock = z
  .object({
    id: recordId.describe('Id of the block.'),
    name: z.string().meta({ description: 'Name of the block.', examples: ['Opening hours'] }),
    body: z
      .string()
      .meta({ description: 'HTML, a Liquid template.', examples: ['<p>We are open from 9 to 5.</p>'] }),
    design: storedDesign,
    createdAt: isoDate.describe('When the block was created.'),
    updatedAt: isoDate.describe('When the block last changed.'),
  })
  .describe('A part of an email that is kept to be inserted into others.')
  .register(typeNames, { name: 'SavedBlock' });

export const blockList = cursorListOf(savedBlock);
