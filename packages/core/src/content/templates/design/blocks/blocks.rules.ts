import { addressBlock } from './address.block.ts';
import type { BlockDefinition } from './block.rules.ts';
import { buttonBlock } from './button.block.ts';
import { columnBlock } from './column.block.ts';
import { columnsBlock } from './columns.block.ts';
import { conditionBlock } from './condition.block.ts';
import { htmlBlock } from './html.block.ts';
import { imageBlock } from './image.block.ts';
import { panelBlock } from './panel.block.ts';
import { socialBlock } from './social.block.ts';
import { spacerBlock } from './spacer.block.ts';
import { variableBlock } from './variable.block.ts';

/**
 * Every block of the visual editor besides its texts, lists and dividers, which are nodes of the editor's own kit. One that has
 * no view in the dashboard does not compile there.
 */
export const blockDefinitions = [
  buttonBlock,
  imageBlock,
  spacerBlock,
  socialBlock,
  htmlBlock,
  columnBlock,
  columnsBlock,
  panelBlock,
  conditionBlock,
  variableBlock,
  addressBlock,
] as const;

type Definitions = {
  [Definition in (typeof blockDefinitions)[number] as Definition['type']]: Definition;
};

export type BlockType = keyof Definitions;

/** The attributes of a type of block, with their limits. */
export type BlockAttributes<Type extends BlockType> = Definitions[Type]['attributes'];

/** What `read` makes of the attributes of a type of block. */
export type BlockValues<Type extends BlockType> = ReturnType<Definitions[Type]['read']>;

const byType: ReadonlyMap<unknown, BlockDefinition<BlockType>> = new Map(
  blockDefinitions.map((definition) => [definition.type, definition]),
);

/** The definition of a node; undefined for one of the kit, or of a version that is not known here. */
export const blockDefinition = (type: unknown): BlockDefinition<BlockType> | undefined => byType.get(type);
